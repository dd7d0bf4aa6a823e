import type { Content } from '../../content/content-source.js';
import type { ToolContext } from '../../core/context.js';
import type { Summarizer, Summary, SummaryRequest } from '../../summarize/summarizer.js';

/**
 * The embedded summarizer: the transcript's own most telling sentences, cleaned by deletion only. Needs no key, no
 * network and no model, and gives the same result every time.
 */
export class ExtractiveSummarizer implements Summarizer {
  readonly engine = 'extractive';
  readonly translates = false;

  /**
   * `multi_modal` reads the words only, and says so in a warning.
   *
   * @throws TranscriptUnavailableError when nothing is said in the content
   */
  async summarize(content: Content, request: SummaryRequest, context: ToolContext): Promise<Summary> {
    // Loaded with the first summary, not with the host: its word lists are a good part of this library.
    const { summarizeContent } = await import('./extractive-summary.js');
    return summarizeContent(content, request, context);
  }
}
