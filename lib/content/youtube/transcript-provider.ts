import type { ContentRequest, Content } from '../content-source.js';
import type { ToolContext } from '../../core/tool-context.js';

/** What a transcript provider gives: a content without what the source adds itself. */
export type VideoTranscript = Omit<Content, 'id' | 'url' | 'provider'>;

/**
 * A way to get the words of a YouTube video. Providers are tried in the order the host gives them, within one deadline.
 *
 * A provider that cannot serve this video but leaves open whether another can, throws; the chain goes on to the next
 * and remembers the most telling failure. One that does not hold the video at all returns undefined.
 */
export interface TranscriptProvider {
  /** Appears in `details.attempts` and in logs, e.g. `innertube`. */
  readonly name: string;
  /** @throws the content and upstream errors of `core/errors` */
  fetchTranscript(
    videoId: string,
    request: ContentRequest,
    context: ToolContext,
  ): Promise<VideoTranscript | undefined>;
}
