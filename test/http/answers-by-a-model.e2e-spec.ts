import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { documents, modelVerifier, ToolsModule } from '../../lib/index.js';
import type { SearchModuleOptions } from '../../lib/search/search.options.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, startHost } from '../support/host.js';

const PAGE = {
  url: 'https://fryers.example/test',
  title: 'Air fryers tested',
  text: 'We cooked chips in 14 air fryers. They were ready 25 percent sooner than an oven and used half the electricity. Prices run from £45 to £250.',
};
const QUERY = 'Are air fryers faster than an oven?';
const RIGHT = {
  answerable: true,
  answer: 'Yes, they were ready a quarter sooner and used half the power. [1] They start at £45. [1]',
  quotes: [
    { n: 1, quote: 'ready 25 percent sooner than an oven and used half the electricity' },
    { n: 1, quote: 'Prices run from £45' },
  ],
};

interface Body {
  data: {
    llm: {
      answer: string;
      outcome: string;
      answerable_probability: number;
      engine: string;
      unsupported?: { text: string; reason: string }[];
      usage?: { model_calls: number };
    };
    warnings?: { code: string; message: string }[];
  };
}

describe('answers that a model writes', () => {
  let llm: FakeLlm;

  beforeEach(async () => {
    llm = await startFakeLlm();
  });
  afterEach(async () => {
    await closeHosts();
    await llm.close();
  });

  const modelOf = (name = 'fake-model') =>
    createOpenAICompatible({ name: 'fake', baseURL: llm.url, includeUsage: true })(name);
  const ask = async (
    replies: readonly unknown[],
    search: SearchModuleOptions = {},
    accept = 'application/json',
  ) => {
    llm.settings.answer = (_prompt, _settings, { index }) => {
      const reply = replies[index] ?? replies.at(-1);
      return typeof reply === 'string' ? reply : JSON.stringify(reply);
    };
    const host = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['key'],
        search: { providers: [documents([PAGE])], ...search },
        model: modelOf(),
        cache: false,
      }),
    ]);
    return host.http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'key')
      .set('Accept', accept)
      .send({ query: QUERY, llm_answer: true });
  };
  const dataOf = async (...given: Parameters<typeof ask>) => ((await ask(...given)).body as Body).data;

  it('come through in their own words', async () => {
    const { llm: answer, warnings } = await dataOf([RIGHT]);
    expect(answer).toMatchObject({
      answer: 'Yes, they were ready a quarter sooner and used half the power. [1] They start at £45. [2]',
      outcome: 'answered',
      engine: 'fake-model',
    });
    expect(answer.answerable_probability).toBeGreaterThanOrEqual(0.5);
    expect(warnings ?? []).toEqual([]);
  });

  it('mark a false price, and say so', async () => {
    const { llm: answer, warnings } = await dataOf([
      { ...RIGHT, answer: RIGHT.answer.replace('£45', '£15') },
    ]);
    expect(answer).toMatchObject({
      answer: 'Yes, they were ready a quarter sooner and used half the power. [1] They start at £15. [?]',
      outcome: 'answered',
      unsupported: [{ text: 'They start at £15.', reason: 'value' }],
    });
    expect(warnings).toMatchObject([{ code: 'unsupported_statements' }]);
    expect(warnings![0]!.message).toContain('"£15"');
  });

  it('have the price repaired by one more call', async () => {
    const { llm: answer, warnings } = await dataOf([
      { ...RIGHT, answer: RIGHT.answer.replace('£45', '£15') },
      RIGHT,
    ]);
    expect(answer.answer).toContain('They start at £45. [2]');
    expect(answer.usage!.model_calls).toBe(2);
    expect(warnings ?? []).toEqual([]);
  });

  it('are replaced by the extractive answer when the model refuses, with a warning', async () => {
    const refusal = "I'm sorry, but I can't help you with that request today.";
    const { llm: answer, warnings } = await dataOf([refusal, refusal]);
    expect(answer.engine).toBe('extractive');
    expect(warnings).toMatchObject([{ code: 'answer_engine_failed' }]);
  });

  it.each<[string, () => SearchModuleOptions['verify']]>([
    ['the model itself', () => 'model'],
    ['another model', () => modelVerifier(modelOf('cheaper'))],
    ['a verifier of the host', () => ({ name: 'own', verify: async () => ['supported', 'contradicted'] })],
  ])('are looked at a second time by %s', async (_by, verifier) => {
    const { llm: answer } = await dataOf([RIGHT, { verdicts: ['supported', 'contradicted'] }], {
      verify: verifier(),
    });
    expect(answer.answer).toBe(
      'Yes, they were ready a quarter sooner and used half the power. [1] They start at £45. [?]',
    );
    expect(answer.outcome).toBe('answered');
  });

  it('are streamed after the results, while they are written', async () => {
    const { text } = await ask([RIGHT], {}, 'text/event-stream');
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event,
      data,
    }));
    const results = events.findIndex(({ data }) => data!.includes('"results"'));
    const delta = events.findIndex(({ event }) => event === 'delta');
    expect(results).toBeGreaterThanOrEqual(0);
    expect(delta).toBeGreaterThan(results);
    const deltas = events
      .filter(({ event }) => event === 'delta')
      .map(({ data }) => JSON.parse(data!) as { text: string });
    expect(deltas.length).toBeGreaterThan(1);
    const result = JSON.parse(events.at(-1)!.data!) as Body;
    expect(deltas.map((one) => one.text).join('')).toBe(result.data.llm.answer);
    expect(events.map(({ data }) => data).join()).not.toContain('rewrite');
    expect(events.at(-1)!.event).toBe('result');
  });

  it('announce a repair in the stream, and begin anew', async () => {
    const wrong = { ...RIGHT, answer: RIGHT.answer.replace('£45', '£15') };
    const { text } = await ask([wrong, RIGHT], {}, 'text/event-stream');
    const shown: string[] = [''];
    for (const [, event, data] of text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)) {
      const { text: delta = '', stage } = JSON.parse(data!) as { text?: string; stage?: string };
      if (event === 'delta') shown[shown.length - 1] += delta;
      if (stage === 'rewrite') shown.push('');
    }
    expect(shown).toEqual([
      expect.stringMatching(/^Yes, they were ready a quarter sooner and used half the power\. \[1\] They/),
      'Yes, they were ready a quarter sooner and used half the power. [1] They start at £45. [2]',
    ]);
  });
});

describe('the option search.verify', () => {
  afterEach(() => closeHosts());

  const start = (options: Parameters<typeof ToolsModule.forRoot>[0]) =>
    startHost([ToolsModule.forRoot({ apiKeys: ['key'], ...options })]);

  it('needs a model', async () => {
    for (const name of ['verify', 'verifyAnswers'])
      await expect(start({ search: { providers: [], [name]: 'model' } })).rejects.toThrow(/search\.verify/);
    await expect(start({ summarize: { verify: 'model' } })).rejects.toThrow(/summarize\.verify/);
  });

  it('takes "model" or a verifier', async () => {
    const model = createOpenAICompatible({ name: 'fake', baseURL: 'http://127.0.0.1:1/v1' })('m');
    for (const verify of ['modle', {}, { name: 'x' }]) {
      await expect(start({ model, search: { providers: [], verify: verify as never } })).rejects.toThrow(
        /search\.verify/,
      );
    }
  });
});
