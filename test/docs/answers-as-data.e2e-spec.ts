import { readFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { documents, memoryTranscripts, ToolsModule } from '../../lib/index.js';
import { DEMO_ARTICLES } from '../../sample-app/content/articles/index.js';
import { DEMO_TALKS } from '../../sample-app/content/talks/index.js';
import { answerTo } from '../support/fake-llm/answers.mjs';
import { startFakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, startHost } from '../support/host.js';
import { blocksOf } from './markdown-blocks.js';

interface Documented {
  answer?: string;
  citations?: { quote: string }[];
  output: unknown;
  grounding?: { field: string; citations?: number[]; quote?: string }[];
  output_grounding?: { field: string; quote: string }[];
}

/** Requests of the page with the response that follows each. */
const blocks = blocksOf(process.cwd(), 'docs/answers-as-data.md');
const examples = blocks.flatMap(({ language, text }, i): [string, object, Record<string, unknown>][] => {
  if (language !== 'bash') return [];
  const tool = /\/v1\/tools\/(\w+)/.exec(text)![1]!;
  const body = JSON.parse(text.slice(text.indexOf("-d '") + 4, text.lastIndexOf("'"))) as object;
  const shown = JSON.parse(blocks[i + 1]!.text) as Record<string, unknown>;
  return [[tool, body, shown]];
});

/** What a model writes whose values and quotations end up as the documented response. */
function replyFor(shown: Documented): string {
  const { answer = 'It is said. [1]', citations = [], output, grounding, output_grounding } = shown;
  const quoteOf = (pointer: string): string => {
    const own = (grounding ?? output_grounding ?? []).find(({ field }) => field === pointer);
    if (!own) return '';
    return own.quote ?? citations[(own as { citations: number[] }).citations[0]! - 1]!.quote;
  };
  const shadow = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => shadow(one, `${pointer}/${i}`));
    if (typeof value !== 'object' || value === null) return { value, source: 1, quote: quoteOf(pointer) };
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, shadow(one, `${pointer}/${name}`)]),
    );
  };
  const [quote = grounding?.[0]?.quote] = citations.map((one) => one.quote);
  const quotes = quote ? [{ n: 1, quote }] : [];
  return JSON.stringify({ answerable: true, answer, quotes, data: shadow(output, '') });
}

describe('the examples of answers as data', () => {
  afterEach(closeHosts);

  it('are of the web, of whole videos and of a question', () => {
    expect(examples.map(([tool]) => tool)).toEqual([
      'search_web',
      'summarize_content',
      'summarize_content',
      'ask_video',
    ]);
    expect(readFileSync('docs/answers-as-data.md', 'utf8')).toContain('class Meetings');
  });

  it.each(examples)('give what the page shows: %s %j', async (tool, body, shown) => {
    const llm = await startFakeLlm();
    const reply = replyFor((shown.llm ?? shown) as Documented);
    llm.settings.answer = (prompt, settings) =>
      prompt.includes('JSON Schema of data') ? reply : answerTo(prompt, settings);
    const provider = createOpenAICompatible({ name: 'fake', baseURL: llm.url });
    const host = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['key'],
        model: provider('fake-model'),
        search: { providers: [documents(DEMO_ARTICLES)], answerDeadlineMs: 60_000 },
        youtube: { transcripts: [memoryTranscripts(DEMO_TALKS)] },
        askVideo: { deadlineMs: 60_000 },
      }),
    ]);
    const response = await host.http.post(`/v1/tools/${tool}`).set('X-API-Key', 'key').send(body);
    await llm.close();
    expect(response.body).toMatchObject({ data: shown });
  });
});
