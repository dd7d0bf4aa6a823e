import { videoFailure } from '../video-failure.js';

/** The formats of timedtext in the order in which they are tried; `classic` is what comes without `fmt`. */
export const CAPTION_FORMATS = ['json3', 'srv3', 'classic', 'vtt'] as const;
export type CaptionFormat = (typeof CAPTION_FORMATS)[number];

export interface CaptionUrlOptions {
  format: CaptionFormat;
  /** Language to have YouTube translate into. */
  translateTo?: string;
  /** PO token with the client it was made for. */
  token?: { value: string; client: string };
  /** Origin to send the request to in place of YouTube's. */
  origin?: string;
}

const YOUTUBE = 'https://www.youtube.com';
const YOUTUBE_HOST = /^(?:[a-z0-9-]+\.)*youtube\.com$/;

/** Experiments that make a caption address give an empty 200 unless a PO token is there. */
const GATES = new Set(['xpe', 'xpv']);

/**
 * The address of a caption track in a format. Whatever a player response says, only https on YouTube's own hosts is asked.
 *
 * @throws UpstreamInvalidError (`unreadable`) for an address elsewhere; UpstreamUnavailableError (`gated_captions`) where it asks for a
 *   PO token and there is none
 */
export function captionUrl(
  baseUrl: string,
  { format, translateTo, token, origin }: CaptionUrlOptions,
): string {
  const url = URL.canParse(baseUrl, YOUTUBE) ? new URL(baseUrl, YOUTUBE) : undefined;
  const own = url && url.origin === origin;
  if (!url || !(own || (url.protocol === 'https:' && url.port === '' && YOUTUBE_HOST.test(url.hostname)))) {
    throw videoFailure('unreadable', {
      message: 'YouTube lists captions at an address that is not its own.',
    });
  }
  const query = url.searchParams;
  if (
    !token &&
    query
      .get('exp')
      ?.split(',')
      .some((name) => GATES.has(name))
  ) {
    throw videoFailure('gated_captions');
  }
  if (format === 'classic') query.delete('fmt');
  else query.set('fmt', format);
  // Asks for the captions as they are, without what the web player's own renderer adds.
  query.delete('xosf');
  query.delete('tlang');
  if (translateTo) query.set('tlang', translateTo);
  if (token) {
    query.set('pot', token.value);
    query.set('potc', '1');
    query.set('c', token.client);
  }
  return `${origin ?? url.origin}${url.pathname}${url.search}`;
}
