import type { Attempt } from '../../core/errors/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { ContentRequest, Content } from '../content-source.js';

/** What a transcript provider gives: a content without what the source adds itself. */
export type VideoTranscript = Omit<Content, 'id' | 'url' | 'provider'>;

/** What a provider is given besides the request's own context. */
export interface ProviderContext extends ToolContext {
  /** Longest time for one request upstream, ms. */
  readonly hopMs: number;
  /**
   * Records one try, for a provider that makes several (one a client profile, say). A provider that records none gets one
   * entry for the whole.
   */
  attempt(attempt: Omit<Attempt, 'provider'>): void;
}

/**
 * A way to get the words of a YouTube video. Providers are tried in the order the host gives them, within one deadline.
 *
 * A provider that cannot serve this video but leaves open whether another can, throws; the chain goes on to the next
 * and remembers the most telling failure. One that does not hold the video at all returns undefined.
 */
export interface TranscriptProvider {
  /** Appears in `details.attempts` and in logs, e.g. `innertube`. */
  readonly name: string;
  /** True: the words are the host's own and are taken as they are, however few. Default false. */
  readonly trusted?: boolean;
  /** @throws the content and upstream errors of `core/errors`; `videoFailure` makes them */
  fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript | undefined>;
}
