import { videoFailure } from '../video-failure.js';

/** Formats of timedtext in the order in which they are tried. `classic` is the format without `fmt`. */
export const CAPTION_FORMATS = ['json3', 'srv3', 'classic', 'vtt'] as const;
export type CaptionFormat = (typeof CAPTION_FORMATS)[number];

export interface CaptionUrlOptions {
  format: CaptionFormat;
  /** Language for a translation by YouTube. */
  translateTo?: string;
  /** PO token, and the client that it was made for. */
  token?: { value: string; client: string };
  /** Origin for the request. Default: YouTube's. */
  origin?: string;
}

const YOUTUBE = 'https://www.youtube.com';
const YOUTUBE_HOST = /^(?:[a-z0-9-]+\.)*youtube\.com$/;

/** Experiments that make a caption address return an empty 200 without a PO token. */
const GATES = new Set(['xpe', 'xpv']);

/**
 * Makes the address of a caption track in a format. Only https addresses on YouTube's own hosts are accepted.
 *
 * @throws UpstreamInvalidError (`unreadable`) for an address elsewhere; UpstreamUnavailableError (`gated_captions`) when the address needs a
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
  // Without this parameter the captions come as they are, without additions for the web player.
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
