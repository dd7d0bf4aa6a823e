import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { documents, memoryTranscripts, ToolsModule } from '../../lib/index.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, startHost } from '../support/host.js';

const FARES = [
  {
    url: 'https://ferry.example/people',
    title: 'Ferry fares for passengers',
    text: 'Ferry fares. An adult return on the ferry is £26. A child return is £13. Infants sail free of charge.',
  },
  {
    url: 'https://ferry.example/cars',
    title: 'Ferry fares for vehicles',
    text: 'Ferry fares. A car of up to 5 m is £70 return, without passengers. A motorcycle is £31 return.',
  },
];
const VIDEO = 'ferryFares1';
const SPOKEN = [
  'Welcome on board, let us talk about the fares of the ferry.',
  'An adult return is £26 and a child return is £13.',
  'A car of up to five metres is £70, without passengers.',
  'Book a week ahead, for the summer sailings fill up early.',
];
const QUESTION = 'What do two adults, one child and a car pay for a ferry return?';
const CALCULATION = { expression: '2 * 26 + 13 + 70', result: '£135' };

interface Body {
  data: {
    llm: {
      answer: string;
      outcome: string;
      citations: { quote: string }[];
      unsupported?: { text: string; reason: string }[];
      usage: { model_calls: number };
    };
    warnings?: { code: string }[];
  };
}

describe('a number that a model worked out', () => {
  let llm: FakeLlm;

  beforeEach(async () => {
    llm = await startFakeLlm();
  });
  afterEach(async () => {
    await closeHosts();
    await llm.close();
  });

  const post = async (tool: string, body: object, reply: object): Promise<Body['data']> => {
    llm.settings.answer = () => JSON.stringify(reply);
    const segments = SPOKEN.map((text, i) => ({ startMs: 8000 * i, endMs: 8000 * (i + 1), text }));
    const { http } = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['key'],
        model: createOpenAICompatible({ name: 'fake', baseURL: llm.url, includeUsage: true })('fake-model'),
        youtube: {
          transcripts: [memoryTranscripts({ [VIDEO]: { title: 'Ferry fares', language: 'en', segments } })],
        },
        search: { providers: [documents(FARES)] },
        askVideo: true,
        cache: false,
        logRequests: false,
      }),
    ]);
    const answer = await http.post(`/v1/tools/${tool}`).set('X-API-Key', 'key').send(body).expect(200);
    return (answer.body as Body).data;
  };
  const said = (answer: string, calculations: readonly object[]): object => ({
    answerable: true,
    answer,
    quotes: [],
    calculations,
  });

  const TOOLS: [string, object][] = [
    ['search_web', { query: QUESTION, llm_answer: true }],
    ['ask_video', { content_id: VIDEO, question: QUESTION }],
  ];
  describe.each(TOOLS)('in %s', (tool, body) => {
    it('is shown unmarked with its calculation, and each number that it took is quoted', async () => {
      const reply = said('Together they pay £135 for the ferry return. [1][2]', [CALCULATION]);
      const { llm: answer, warnings } = await post(tool, body, reply);
      expect(answer).toMatchObject({ outcome: 'answered' });
      expect(answer.answer).not.toContain('[?]');
      expect(answer.unsupported).toBeUndefined();
      expect(warnings ?? []).toEqual([]);
      const quoted = answer.citations.map(({ quote }) => quote).join('\n');
      for (const fare of ['£26', '£13', '£70']) expect(quoted).toContain(fare);
    });

    it.each<[string, string, object[]]>([
      ['there is no calculation', '£135', []],
      ['the calculation has another result', '£145', [{ ...CALCULATION, result: '£145' }]],
      ['the text states another number', '£145', [CALCULATION]],
      ['a number of it stands nowhere', '£153', [{ expression: '2 * 35 + 13 + 70', result: '£153' }]],
    ])('is marked where %s', async (_why, total, calculations) => {
      const reply = said(
        `An adult return on the ferry is £26. [1] Together they pay ${total}. [1][2]`,
        calculations,
      );
      const { llm: answer, warnings } = await post(tool, body, reply);
      expect(answer).toMatchObject({
        outcome: 'answered',
        unsupported: [{ text: `Together they pay ${total}.`, reason: 'value' }],
      });
      expect(answer.answer).toMatch(/£26\. \[1\] Together they pay £1\d\d\. \[\?\]$/);
      expect(warnings).toMatchObject([{ code: 'unsupported_statements' }]);
    });

    it('costs a repair, no outcome and no citation, where its calculation cannot be proven', async () => {
      const reply = said('Together they pay £145 for the ferry return. [1][2]', [
        { ...CALCULATION, result: '£145' },
      ]);
      const { llm: answer } = await post(tool, body, reply);
      expect(answer).toMatchObject({ outcome: 'answered', usage: { model_calls: 2 } });
      expect(answer.answer).toMatch(/^Together they pay £145 for the ferry return\. (?:\[\d\]){1,2}\[\?\]$/);
      expect(answer.citations.length).toBeGreaterThan(0);
    });
  });
});
