import {
  ToolsModule,
  type Content,
  type Summarizer,
  type Summary,
  type SummaryRequest,
} from '../../lib/index.js';
import { OneContentSource } from '../support/fixtures.js';
import { closeHosts, startHost } from '../support/host.js';

/** Tells the length that it was asked for. */
class LengthSummarizer implements Summarizer {
  readonly engine = 'length';
  readonly translates = true;

  summarize(_content: Content, { length, outputLanguage }: SummaryRequest): Promise<Summary> {
    return Promise.resolve({
      method: 'simple',
      text: `A ${length} summary.`,
      language: outputLanguage,
      keyPoints: [],
      sections: [],
      engine: this.engine,
      warnings: [],
    });
  }
}

describe('the length of a summary', () => {
  afterAll(closeHosts);

  it('is that of the request, else that of the host, and each is cached by itself', async () => {
    const { http } = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['a-key'],
        contentSources: [new OneContentSource()],
        summarizer: new LengthSummarizer(),
        summarize: { length: 'long' },
      }),
    ]);
    const told: [string, boolean][] = [];
    for (const length of [undefined, 'short', 'medium', 'long', 'short']) {
      const { body } = await http
        .post('/v1/tools/summarize_content')
        .set('X-API-Key', 'a-key')
        .send({ content_id: 'coral', length })
        .expect(200);
      told.push([body.data.summary, body.data.cached]);
    }
    expect(told).toEqual([
      ['A long summary.', false],
      ['A short summary.', false],
      ['A medium summary.', false],
      ['A long summary.', true],
      ['A short summary.', true],
    ]);
  });
});
