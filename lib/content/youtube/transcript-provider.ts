import type { Attempt } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import type { ContentRequest, Content } from '../content-source.js';
import type { VideoFailureReason } from './video-failure.js';

/** Answer of a transcript provider: a content without the fields that the source adds. */
export type VideoTranscript = Omit<Content, 'id' | 'url' | 'provider'>;

/** The context of a request, with what a provider needs in addition. */
export interface ProviderContext extends ToolContext {
  /** Time for one request upstream, ms. */
  readonly requestTimeoutMs: number;
  /**
   * Records one try of a provider that makes several, e.g. one for each client profile. A provider that records none gets one entry.
   */
  attempt(attempt: Omit<Attempt, 'provider'>): void;
}

/**
 * A source of transcripts of YouTube videos. Providers are tried in the host's order, within one deadline.
 *
 * A provider that fails throws. The next one is then asked, and the failure that says most about the video is remembered. A provider that
 * does not have the video returns undefined.
 */
export interface TranscriptProvider {
  /** Appears in `details.attempts` and in logs, e.g. `innertube`. */
  readonly name: string;
  /** True: the words are the host's own and are accepted however few they are. Default false. */
  readonly trusted?: boolean;
  /**
   * True: it recognises speech, which takes minutes and costs money. It is asked only where the providers before it say that the video has no
   * captions, its time is the request's and not `youtube.deadlineMs`, and its result serves requests for every language. Default false.
   */
  readonly recognizes?: boolean;
  /** @throws the content and upstream errors of `core/errors`. `videoFailure` makes them. */
  fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript | undefined>;
}

/** In a shorter video, a few words may be all that is said. */
const CHECKED_FROM_MS = 180_000;

/** Speech has two to three words a second. A third of a word a second is hardly any speech. */
const WORDS_PER_SECOND = 1 / 3;

/** A transcript with few words that ends before this share of the video is cut off. One that goes on has little speech. */
const REACH = 2 / 3;

/** Scripts without spaces between words. About two characters make a word. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/g;

/**
 * Tells whether a transcript is complete for the length of its video. Over three minutes, a transcript with fewer words than a third of
 * the seconds is cut off (`truncated`) or mostly music and silence (`low_speech`). Undefined for a complete one.
 */
export function incompleteness({ durationMs, segments }: VideoTranscript): VideoFailureReason | undefined {
  if (durationMs === undefined || durationMs <= CHECKED_FROM_MS) return undefined;
  const enough = (durationMs / 1000) * WORDS_PER_SECOND;
  let spoken = 0;
  let endMs = 0;
  for (const segment of segments) {
    endMs = Math.max(endMs, segment.endMs);
    if (!segment.nonSpeech) spoken += countSpoken(segment.text);
    if (spoken >= enough) return undefined;
  }
  return endMs < durationMs * REACH ? 'truncated' : 'low_speech';
}

function countSpoken(text: string): number {
  return (text.match(/\S+/g)?.length ?? 0) + (text.match(UNSPACED)?.length ?? 0) / 2;
}
