import { ToolsError } from '../../../core/errors.js';
import type { CaptionsKind, ContentRequest, TranscriptSegment } from '../../content-source.js';
import { readCaptions } from '../captions/read-captions.js';
import type { ProviderContext } from '../transcript-provider.js';
import { outcomeOf, videoFailure } from '../video-failure.js';
import type { YouTubeEgress } from '../youtube-egress.js';
import type { CaptionTrack, CaptionTracks } from './caption-tracks.js';
import { CAPTION_FORMATS, captionUrl, type CaptionUrlOptions } from './caption-url.js';
import { chooseTrack, sameLanguage } from './track-choice.js';

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
export type CaptionRequest = Pick<CaptionUrlOptions, 'token' | 'origin'> & { userAgent?: string };

/**
 * Fetches the captions of a video, chosen by `chooseTrack`. When none are in the wanted language and translation is allowed, tries YouTube's
 * own translation once, then the original.
 *
 * @throws what the egress and `readCaptions` throw
 */
export async function fetchCaptions(
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
