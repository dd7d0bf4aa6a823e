import fc from 'fast-check';
import { fitted } from '../../lib/agents/agent-results.js';
import type { Model } from '../../lib/core/openapi.js';
import { PageDataDto } from '../../lib/tools/dto/read-page.dto.js';
import { SearchDataDto } from '../../lib/tools/dto/search-web.dto.js';
import { SummaryDataDto } from '../../lib/tools/dto/summarize-content.dto.js';
import { harmlessResult, wireOf } from '../../lib/tools/result-fields.js';
import { faultsOfMarkdown, hostileTexts } from '../support/rendered.js';

const RUNS = Number(process.env.CLEANER_RUNS ?? 30);
/** Most tokens of a result. */
const SIZES = [200, 1000, 100_000];
const SOURCE = 'https://source.example/page_(1)';

/** The data of an answer, from the result of its service. */
const dataOf = (model: Model, result: object): Record<string, unknown> => ({
  ...wireOf(model, harmlessResult(model, result)),
});

/** What a stranger wrote, with a word to find it again. */
const stranger = hostileTexts.map((text) => `STRANGER ${text} STRANGER`);

describe('the text of a result for an agent', () => {
  const isWeb = (url: string): boolean => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url);

  function expectQuoted(text: string): void {
    expect(text).toContain('STRANGER');
    for (const line of text.split('\n')) if (!/^ *>/.test(line)) expect(line).not.toContain('STRANGER');
    expect(faultsOfMarkdown(text, isWeb)).toEqual([]);
  }

  it('quotes titles, passages and credits of results', () => {
    fc.assert(
      fc.property(stranger, stranger, stranger, stranger, (title, content, attribution, message) => {
        const data = dataOf(SearchDataDto, {
          query: 'coral',
          totalResults: 1,
          results: [
            { title, content, attribution, license: 'CC0', sourceUrl: SOURCE, score: 1, provider: 'p' },
          ],
          warnings: [{ code: 'a', message }],
        });
        for (const size of SIZES) expectQuoted(fitted(SearchDataDto, data, size).text);
      }),
      { numRuns: RUNS },
    );
  });

  it('quotes answers, whoever wrote them, and their citations', () => {
    fc.assert(
      fc.property(
        stranger,
        stranger,
        stranger,
        fc.constantFrom('extractive', 'a-model'),
        (answer, title, quote, engine) => {
          const citations = [{ index: 1, url: SOURCE, title, quote, attribution: title }];
          const llm = { answer, outcome: 'answered', answerableProbability: 0.9, citations, engine };
          const data = dataOf(SearchDataDto, { query: 'coral', totalResults: 1, llm });
          expectQuoted(fitted(SearchDataDto, data, 100_000).text);
        },
      ),
      {
        numRuns: RUNS,
        examples: [['STRANGER', 'STRANGER', 'STRANGER \n> ``` STRANGER', 'extractive']],
      },
    );
  });

  it('quotes summaries with titles, channels, key points and sections', () => {
    fc.assert(
      fc.property(stranger, stranger, stranger, (title, channel, summary) => {
        const data = dataOf(SummaryDataDto, {
          method: 'simple',
          summary,
          content: { id: 'a', url: SOURCE, title, channel, language: 'en', captions: 'manual' },
          outputLanguage: { requested: 'en', used: 'en', honoured: true },
          keyPoints: [{ text: summary, startMs: 61_000, url: `${SOURCE}?t=61` }],
          sections: [{ title, startMs: 0, endMs: 9000, summary: channel }],
          warnings: [{ code: 'a', message: title }],
        });
        for (const size of SIZES) expectQuoted(fitted(SummaryDataDto, data, size).text);
      }),
      { numRuns: RUNS },
    );
  });

  const ADVICE = 'Lower max_tokens.';

  it.each([
    [{ content: 'Words. '.repeat(3000), truncated: true, next_cursor: 'a.b' }, 1200],
    [{ passages: Array(30).fill({ content: 'Words. '.repeat(60), headings: [] }), truncated: false }, 900],
  ])('marks a page that was cut to fit, and gives no cursor behind the cut', (page, maxTokens) => {
    const { text, structured } = fitted(PageDataDto, { final_url: SOURCE, ...page }, maxTokens, ADVICE);
    expect(structured).toMatchObject({ truncated: true, notice: expect.stringContaining(ADVICE) });
    expect(structured).not.toHaveProperty('next_cursor');
    expect(text).toContain(structured.notice);
    expect(text.length).toBeLessThan(4 * maxTokens);
    expect(fitted(PageDataDto, page, 100_000).structured).toEqual(page);
  });

  it('keeps the numbers of an answer when its texts get shorter', () => {
    const words = 'Corals are animals. '.repeat(200);
    const citations = [1, 2, 3].map((index) => ({ index, source_url: SOURCE, quote: words }));
    const llm = { answer: 'Animals. [1][2][3]', outcome: 'answered', answerable_probability: 0.9, citations };
    const output = { summary: words };
    const data = { query: 'coral', total_results: 3, llm: { ...llm, output, usage: { model_calls: 1 } } };
    const { structured } = fitted(SearchDataDto, data, 1700);
    expect(structured.llm).toMatchObject({ answer: llm.answer, output, citations: [{}, {}, {}] });
    expect(structured.llm).not.toHaveProperty('usage');
  });
});
