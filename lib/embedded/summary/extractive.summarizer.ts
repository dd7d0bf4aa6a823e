import type { Content } from '../../content/content-source.js';
import type { ToolContext } from '../../core/context.js';
import { HttpFrameSource, type FrameSource } from '../../summarize/multi-modal/storyboard.js';
import type { Summarizer, Summary, SummaryRequest } from '../../summarize/summarizer.js';

/**
 * The embedded summarizer: the transcript's own most telling sentences, cleaned by deletion only. Needs no key, no
 * network and no model, and gives the same result every time.
 */
export class ExtractiveSummarizer implements Summarizer {
  readonly engine = 'extractive';
  readonly translates = false;

  /** @param frames where `multi_modal` gets the frames of a storyboard from */
  constructor(private readonly frames: FrameSource = new HttpFrameSource()) {}

  /**
   * `multi_modal` takes the picture for what it can be without a model: changes of scene make the sections of content without
   * chapters, and with them each section's share of the summary.
   *
   * @throws TranscriptUnavailableError when nothing is said in the content; for `multi_modal` a ToolsError 422
   *   `content_unavailable` where there is no storyboard, MethodUnavailableError without `sharp`, and upstream errors
   */
  async summarize(content: Content, request: SummaryRequest, context: ToolContext): Promise<Summary> {
    // Loaded with the first summary, not with the host: its word lists are a good part of this library.
    const { summarizeContent } = await import('./extractive-summary.js');
    return summarizeContent(content, request, context, this.frames);
  }
}
