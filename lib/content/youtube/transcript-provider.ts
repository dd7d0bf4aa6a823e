import type { Attempt } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import type { ContentRequest, Content } from '../content-source.js';

/** Answer of a transcript provider: a content without the fields that the source adds. */
export type VideoTranscript = Omit<Content, 'id' | 'url' | 'provider'>;

/** The context of a request, with what a provider needs in addition. */
export interface ProviderContext extends ToolContext {
  /** Time for one request upstream, ms. */
  readonly requestTimeoutMs: number;
  /** @deprecated Use `requestTimeoutMs`. */
  readonly hopMs: number;
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
  /** @throws the content and upstream errors of `core/errors`. `videoFailure` makes them. */
  fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ProviderContext,
  ): Promise<VideoTranscript | undefined>;
}
