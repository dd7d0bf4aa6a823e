import { parseUrl } from '../../../core/url.js';
import type { ContentRequest, TranscriptSegment } from '../../content-source.js';
import { readCaptions } from '../../captions/read-captions.js';
import type { ProviderContext, VideoTranscript } from '../transcript-provider.js';
import { videoFailure } from '../video-failure.js';
import type { Fetch } from '../../../core/upstream/request.js';
import { requestYouTube } from '../youtube-egress.js';
import { type CaptionTrack, chooseTrack, languagesOf } from './caption-tracks.js';
import { readPlayerVideo } from './player-response.js';

interface PlayerSession {
  fetch: Fetch | undefined;
  context: ProviderContext;
  userAgent?: string;
  /** PO token, and the client that it was made for. */
  token?: { value: string; client: string };
  /** Origin for the caption requests. Default: YouTube's. */
  origin?: string;
}

/** Makes a transcript from a `player` response: reads it, chooses a track and fetches it. */
export async function transcriptFromPlayer(
  response: unknown,
  videoId: string,
  request: ContentRequest,
  session: PlayerSession,
): Promise<VideoTranscript> {
  const { captions, ...about } = readPlayerVideo(response, videoId);
  const track = chooseTrack(captions, request.languages);
  if (!track) throw videoFailure('no_captions');
  const segments = await fetchTrack(track, session);
  // A file without a line is gated like an empty body.
  if (segments.length === 0) throw videoFailure('gated_captions');
  const { language, kind } = track;
  return { ...about, language, captions: kind, segments, availableLanguages: languagesOf(captions) };
}

/** Ten hours of words with their times are about seven megabytes of json3. A plain bound. */
const MAX_BYTES = 24 * 1024 * 1024;

async function fetchTrack(track: CaptionTrack, session: PlayerSession): Promise<TranscriptSegment[]> {
  const { fetch, context, userAgent } = session;
  const url = captionUrl(track.url, session);
  const query = url.searchParams;
  query.set('fmt', 'json3');
  // Without this parameter the captions come as they are, without additions for the web player.
  query.delete('xosf');
  const headers: Record<string, string> = userAgent ? { 'user-agent': userAgent } : {};
  const body = await requestYouTube({ url: url.href, headers, maxBytes: MAX_BYTES, fetch }, context);
  return readCaptions(body, context.signal);
}

const YOUTUBE = 'https://www.youtube.com';
const YOUTUBE_HOST = /^(?:[a-z0-9-]+\.)*youtube\.com$/;

/** Experiments that make a caption address return an empty 200 without a PO token. */
const GATES = new Set(['xpe', 'xpv']);

/**
 * The address of a caption track, with the PO token. Only https addresses on YouTube's own hosts are accepted.
 *
 * @throws UpstreamInvalidError (`unreadable`) for an address elsewhere; UpstreamUnavailableError (`gated_captions`) when the address needs a
 *   PO token and there is none
 */
function captionUrl(address: string, { token, origin }: PlayerSession): URL {
  const url = parseUrl(address, YOUTUBE);
  const isYouTube = url?.protocol === 'https:' && url.port === '' && YOUTUBE_HOST.test(url.hostname);
  if (!url || !(isYouTube || url.origin === origin))
    throw videoFailure('unreadable', {
      message: 'YouTube lists captions at an address that is not its own.',
    });
  const query = url.searchParams;
  const experiments = query.get('exp')?.split(',') ?? [];
  if (!token && experiments.some((name) => GATES.has(name))) throw videoFailure('gated_captions');
  if (token) {
    query.set('pot', token.value);
    query.set('potc', '1');
    query.set('c', token.client);
  }
  return new URL(`${origin ?? url.origin}${url.pathname}${url.search}`);
}
