import { videoFailure, outcomeOf } from '../video-failure.js';
import { ToolsError } from '../../../core/errors.js';
import type { CaptionsKind, ContentRequest, TranscriptSegment, Chapter } from '../../content-source.js';
import { readCaptions } from '../captions/read-captions.js';
import { type ProviderContext, incompleteness, type VideoTranscript } from '../transcript-provider.js';
import type { YouTubeEgress } from '../youtube-egress.js';
import { type CaptionTrack, type CaptionTracks, chooseTrack, sameLanguage } from './caption-tracks.js';
import { readPlayerVideo, type PlayerVideo } from './player-response.js';

/** Formats of timedtext in the order in which they are tried. `classic` is the format without `fmt`. */
const CAPTION_FORMATS = ['json3', 'srv3', 'classic', 'vtt'] as const;
type CaptionFormat = (typeof CAPTION_FORMATS)[number];

interface CaptionUrlOptions {
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
function captionUrl(baseUrl: string, { format, translateTo, token, origin }: CaptionUrlOptions): string {
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

/** Ten hours of words with their times are about seven megabytes of json3. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Failures that another format may avoid. Not `truncated`: a WebVTT file that is cut off looks complete. */
const OTHER_FORMAT_HELPS = new Set(['unreadable', 'refused']);

/** The captions of a video in the best available language. */
export interface Captions {
  language: string;
  captions: CaptionsKind;
  segments: TranscriptSegment[];
}

/** Settings of every caption request of one client. */
type CaptionRequest = Pick<CaptionUrlOptions, 'token' | 'origin'> & { userAgent?: string };

/**
 * Fetches the captions of a video, chosen by `chooseTrack`. When none are in the wanted language and translation is allowed, tries YouTube's
 * own translation once, then the original.
 *
 * @throws what the egress and `readCaptions` throw
 */
async function fetchCaptions(
  tracks: CaptionTracks,
  wanted: ContentRequest,
  request: CaptionRequest,
  egress: YouTubeEgress,
  context: ProviderContext,
): Promise<Captions> {
  const track = chooseTrack(tracks, wanted.language);
  if (!track) throw videoFailure('no_captions');
  const foreign = !sameLanguage(track.language, wanted.language);
  if (foreign && wanted.allowTranslation && track.translatable) {
    const translated = await translate(track, wanted.language, request, egress, context);
    if (translated) return { language: wanted.language, captions: 'translated', segments: translated };
  }
  return {
    language: track.language,
    captions: track.kind,
    segments: await download(track, request, egress, context),
  };
}

/** YouTube limits translations much sooner than originals (429), so a limit here says nothing about the original. */
async function translate(
  track: CaptionTrack,
  translateTo: string,
  request: CaptionRequest,
  egress: YouTubeEgress,
  context: ProviderContext,
): Promise<TranscriptSegment[] | undefined> {
  try {
    const url = captionUrl(track.url, { ...request, format: 'json3', translateTo });
    const body = await egress.request({ url, ...requestOf(request), mayBeLimited: true }, context);
    const segments = await readCaptions(body, context.signal);
    return segments.length > 0 ? segments : undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (ToolsError.isInstance(error)) return undefined;
    throw error;
  }
}

async function download(
  track: CaptionTrack,
  request: CaptionRequest,
  egress: YouTubeEgress,
  context: ProviderContext,
): Promise<TranscriptSegment[]> {
  let first: unknown;
  for (const format of CAPTION_FORMATS) {
    try {
      const url = captionUrl(track.url, { ...request, format });
      const body = await egress.request({ url, ...requestOf(request) }, context);
      const segments = await readCaptions(body, context.signal);
      // A file without a line is gated like an empty body.
      if (segments.length === 0) throw videoFailure('gated_captions');
      return segments;
    } catch (error) {
      context.signal.throwIfAborted();
      first ??= error;
      if (!OTHER_FORMAT_HELPS.has(outcomeOf(error))) throw error;
    }
  }
  throw first;
}

function requestOf({ userAgent }: CaptionRequest): { headers?: Record<string, string>; maxBytes: number } {
  return { maxBytes: MAX_BYTES, ...(userAgent ? { headers: { 'user-agent': userAgent } } : {}) };
}

/** Input for making a transcript from a player response. */
interface PlayerSession {
  captions: CaptionRequest;
  /** Finds chapters that the player response does not have. Default: the chapters of the response. */
  chaptersOf?: (video: PlayerVideo) => Promise<Chapter[]>;
  egress: YouTubeEgress;
  context: ProviderContext;
}

/**
 * Makes a transcript from a `player` response: reads it, chooses a track, fetches the track and checks that it is complete.
 *
 * @throws the content and upstream errors
 */
export async function transcriptFromPlayer(
  response: unknown,
  videoId: string,
  request: ContentRequest,
  { captions, chaptersOf, egress, context }: PlayerSession,
): Promise<VideoTranscript> {
  const video = readPlayerVideo(response, videoId);
  const [words, chapters] = await Promise.all([
    fetchCaptions(video.captions, request, captions, egress, context),
    chaptersOf?.(video) ?? video.chapters,
  ]);
  const { title, channel, description, durationMs, storyboard } = video;
  const transcript = { title, channel, description, durationMs, storyboard, chapters, ...words };
  const flaw = incompleteness(transcript);
  if (flaw) throw videoFailure(flaw);
  return transcript;
}
