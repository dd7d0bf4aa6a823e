import type { FailedAttempt } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import type { ContentRequest, Content, OrText } from '../content-source.js';
import { countWords } from '../../text/count-words.js';

/** Answer of a transcript provider: a content without the fields that the source adds. */
export type VideoTranscript = Omit<Content, 'id' | 'url' | 'provider'>;

/** The context of a request, with what a provider needs in addition. */
export interface ProviderContext extends ToolContext {
  /** Time for one request upstream, ms. */
  readonly requestTimeoutMs: number;
  /** Records one try of a provider that makes several, e.g. one for each client profile. A provider that records none gets one entry. */
  attempt(attempt: Omit<FailedAttempt, 'provider'>): void;
}

/**
 * A source of transcripts of YouTube videos. Providers are tried in the host's order, within one deadline.
 *
 * A provider that fails throws. The next one is then asked, and the failure that says most about the video is remembered. A provider that
 * does not have the video returns undefined.
 *
 * A provider of captions as text is a `TranscriptProvider<OrText<VideoTranscript>>`. Captions that show words several times are merged.
 */
export interface TranscriptProvider<Result extends OrText<VideoTranscript> = VideoTranscript> {
  /** Appears in `details.attempts` and in logs, e.g. `innertube`. */
  readonly name: string;
  /** True: the words are the host's own and are accepted however few they are. Default false. */
  readonly trusted?: boolean;
  /**
   * True: it recognizes speech, which takes minutes and costs money. It is asked only where the providers before it say that the video has no
   * captions, its time is the request's and not `youtube.deadlineMs`, and its result serves requests for every language. Default false.
   */
  readonly recognizes?: boolean;
  /** @throws the content and upstream errors of `core/errors`. `videoFailure` makes them. */
  fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<Result | undefined>;
}

/** A provider that may return a text in place of segments. */
export type AnyTranscriptProvider = TranscriptProvider<OrText<VideoTranscript>>;

/** In a shorter video, a few words may be all that is said; set by hand. */
const CHECKED_FROM_MS = 180_000;

/** Speech has two to three words a second. A third of a word a second is hardly any speech. Set by hand. */
const WORDS_PER_SECOND = 1 / 3;

/** Whether a transcript of more than three minutes has fewer words than a third of its seconds: mostly music or silence. */
export function hasLittleSpeech({ durationMs = 0, segments }: VideoTranscript): boolean {
  if (durationMs <= CHECKED_FROM_MS) return false;
  let missing = (durationMs / 1000) * WORDS_PER_SECOND;
  for (const { nonSpeech, text } of segments) {
    if (!nonSpeech) missing -= countWords(text);
    if (missing <= 0) return false;
  }
  return true;
}
