import { ToolsError } from '../../../core/errors.js';
import { parseUrl } from '../../../core/url.js';
import type { Chapter, Content, ContentRequest, TranscriptSegment } from '../../content-source.js';
import { readCaptions } from '../captions/read-captions.js';
import { type ProviderContext, incompleteness, type VideoTranscript } from '../transcript-provider.js';
import { outcomeOf, videoFailure } from '../video-failure.js';
import type { YouTubeEgress } from '../youtube-egress.js';
import {
  type CaptionTrack,
  type CaptionTracks,
  chooseTrack,
  languagesOf,
  sameLanguage,
} from './caption-tracks.js';
import { readPlayerVideo, type PlayerVideo } from './player-response.js';

/** Formats of timedtext in the order in which they are tried. `classic` is the format without `fmt`. */
const CAPTION_FORMATS = ['json3', 'srv3', 'classic', 'vtt'] as const;

interface PlayerSession {
  egress: YouTubeEgress;
  context: ProviderContext;
  userAgent?: string;
  /** PO token, and the client that it was made for. */
  token?: { value: string; client: string };
  /** Origin for the caption requests. Default: YouTube's. */
  origin?: string;
  /** Finds chapters that the player response does not have. Default: the chapters of the response. */
  chaptersOf?: (video: PlayerVideo) => Promise<Chapter[]>;
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
  session: PlayerSession,
): Promise<VideoTranscript> {
  const video = readPlayerVideo(response, videoId);
  const [words, chapters] = await Promise.all([
    fetchCaptions(video.captions, request, session),
    session.chaptersOf?.(video) ?? video.chapters,
  ]);
  const { title, channel, description, durationMs, storyboard } = video;
  const transcript = { title, channel, description, durationMs, storyboard, chapters, ...words };
  const flaw = incompleteness(transcript);
  if (flaw) throw videoFailure(flaw);
  return transcript;
}

/**
 * Fetches the captions of a video, chosen by `chooseTrack`. When none are in the wanted language and translation is allowed, tries YouTube's
 * own translation once, then the original.
 */
async function fetchCaptions(
  tracks: CaptionTracks,
  wanted: ContentRequest,
  session: PlayerSession,
): Promise<Pick<Content, 'language' | 'captions' | 'segments' | 'availableLanguages'>> {
  const track = chooseTrack(tracks, wanted.languages);
  if (!track) throw videoFailure('no_captions');
  const { language, kind } = track;
  const availableLanguages = languagesOf(tracks);
  const [first] = wanted.languages;
  if (
    first !== undefined &&
    !sameLanguage(language, first) &&
    wanted.allowTranslation &&
    track.translatable
  ) {
    const segments = await translate(track, first, session);
    if (segments.length > 0) return { language: first, captions: 'translated', segments, availableLanguages };
  }
  return { language, captions: kind, segments: await download(track, session), availableLanguages };
}

/** YouTube limits translations much sooner than originals (429), so a limit here says nothing about the original. */
async function translate(
  track: CaptionTrack,
  language: string,
  session: PlayerSession,
): Promise<TranscriptSegment[]> {
  try {
    return await fetchTrack(track, 'json3', session, language);
  } catch (error) {
    session.context.signal.throwIfAborted();
    if (ToolsError.isInstance(error)) return [];
    throw error;
  }
}

/** Failures that another format may avoid. Not `truncated`: a WebVTT file that is cut off looks complete. */
const OTHER_FORMAT_HELPS = new Set(['unreadable', 'refused']);

async function download(track: CaptionTrack, session: PlayerSession): Promise<TranscriptSegment[]> {
  let first: unknown;
  for (const format of CAPTION_FORMATS) {
    try {
      const segments = await fetchTrack(track, format, session);
      // A file without a line is gated like an empty body.
      if (segments.length === 0) throw videoFailure('gated_captions');
      return segments;
    } catch (error) {
      session.context.signal.throwIfAborted();
      first ??= error;
      if (!OTHER_FORMAT_HELPS.has(outcomeOf(error))) throw error;
    }
  }
  throw first;
}

/** Ten hours of words with their times are about seven megabytes of json3. */
const MAX_BYTES = 24 * 1024 * 1024;

/** @param translateTo language for a translation by YouTube */
async function fetchTrack(
  track: CaptionTrack,
  format: (typeof CAPTION_FORMATS)[number],
  session: PlayerSession,
  translateTo?: string,
): Promise<TranscriptSegment[]> {
  const { egress, context, userAgent } = session;
  const url = captionUrl(track.url, session);
  const query = url.searchParams;
  if (format === 'classic') query.delete('fmt');
  else query.set('fmt', format);
  // Without this parameter the captions come as they are, without additions for the web player.
  query.delete('xosf');
  query.delete('tlang');
  if (translateTo) query.set('tlang', translateTo);
  const body = await egress.request(
    {
      url: url.href,
      headers: userAgent ? { 'user-agent': userAgent } : {},
      maxBytes: MAX_BYTES,
      mayBeLimited: translateTo !== undefined,
    },
    context,
  );
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
