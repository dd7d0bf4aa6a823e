import type { Content } from '../../lib/content/content-source.js';
import type { Summarizer, Summary } from '../../lib/summarize/summarizer.js';

/** A summarizer that costs tokens, as one with a model does. */
export class TokenSummarizer implements Summarizer {
  readonly engine = 'fake-model';
  readonly translates = true;

  summarize({ segments }: Content): Promise<Summary> {
    return Promise.resolve({
      method: 'simple',
      text: segments[0]!.text,
      language: 'en',
      keyPoints: [],
      sections: [],
      engine: this.engine,
      usage: { modelCalls: 1, inputTokens: 900, outputTokens: 100, cost: 0.0019 },
      warnings: [],
    });
  }
}
