import { documents } from '../../lib/search/providers/documents.provider.js';
import { startFakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { clientOf } from '../support/fake-llm/fake-model.js';
import { eventually } from '../support/eventually.js';
import { answering, hit, PAGES, serviceWith, StubProvider } from './search.fixtures.js';

const LONG =
  'Hi there, I was wondering if you could please tell me who discovered cells with a microscope in 1665? Thanks!';
const KEYWORDS = 'discovered cells microscope 1665';

describe('a long conversational query', () => {
  it('is searched by its keywords too, and what they find is fused with the rest', async () => {
    const provider = new StubProvider('one', async ({ text }) => [hit(text === KEYWORDS ? 2 : 1)]);
    const { results, provider: name, warnings } = await serviceWith([provider]).search({ query: LONG });
    expect(provider.queries.map((q) => q.text).sort()).toEqual([LONG, KEYWORDS].sort());
    expect(results!.map((r) => r.sourceUrl).sort()).toEqual([hit(1).url, hit(2).url]);
    expect({ name, warnings }).toEqual({ name: 'one', warnings: [] });
  });

  it.each([
    ['a short query', 'Who discovered cells?', {}],
    ['a host that wants none', LONG, { rewrite: false }],
  ])('costs no second call: %s', async (_, query, options) => {
    const provider = answering('one', [hit(1)]);
    await serviceWith([provider], options).search({ query });
    expect(provider.queries).toHaveLength(1);
  });

  it('is searched as it is only where a provider asks for that, because its limit is low', async () => {
    const limited = Object.assign(answering('limited', [hit(1)]), { askOnce: true });
    const other = answering('other', [hit(2)]);
    const { results } = await serviceWith([limited, other], { combine: 'all' }).search({ query: LONG });
    expect(limited.queries.map((q) => q.text)).toEqual([LONG]);
    expect(other.queries.map((q) => q.text).sort()).toEqual([LONG, KEYWORDS].sort());
    expect(results).toHaveLength(2);
  });

  it('waits for nothing when the second search hangs, and cancels it', async () => {
    let aborted = false;
    const provider = new StubProvider('one', ({ text }, { signal }) =>
      text === LONG
        ? Promise.resolve([hit(1)])
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(signal.reason as Error);
            });
          }),
    );
    const service = serviceWith([provider], { deadlineMs: 60_000 });
    const { results } = await service.search({ query: LONG });
    expect(results).toHaveLength(1);
    await eventually(
      () => aborted,
      () => 'not cancelled',
    );
  });

  it('is not harmed when the second search fails', async () => {
    const provider = new StubProvider('one', ({ text }) =>
      text === LONG ? Promise.resolve([hit(1)]) : Promise.reject(new Error('broken')),
    );
    const { results, warnings } = await serviceWith([provider]).search({ query: LONG });
    expect({ found: results!.length, warnings }).toEqual({ found: 1, warnings: [] });
  });

  describe('with a model', () => {
    it('is put into other words by one small call, for answers only, whose tokens are told', async () => {
      const fake = await startFakeLlm({ answer: () => '"Robert Hooke cells"' });
      try {
        let release = (): void => undefined;
        const asked = new Promise<void>((resolve) => (release = resolve));
        const inner = documents(PAGES);
        const queries: string[] = [];
        const provider = {
          name: 'documents',
          search: async (...[query, context]: Parameters<typeof inner.search>) => {
            queries.push(query.text);
            if (query.text === 'Robert Hooke cells') release();
            // The original is slower than the model here.
            else if (query.text === LONG) await asked;
            return inner.search(query, context);
          },
        };
        const service = serviceWith([provider], { answerDeadlineMs: 60_000 }, { rewriter: clientOf(fake) });
        const { llm } = await service.search({ query: LONG, llmAnswer: true });
        expect(queries).toContain('Robert Hooke cells');
        expect(fake.calls).toHaveLength(1);
        expect(fake.calls[0]!.system).not.toContain('Hooke');
        expect(llm!.usage).toMatchObject({ modelCalls: 1 });
        await serviceWith([documents(PAGES)], {}, { rewriter: clientOf(fake) }).search({
          query: LONG,
        });
        expect(fake.calls).toHaveLength(1);
      } finally {
        await fake.close();
      }
    });

    it('waits for no model that hangs', async () => {
      const fake = await startFakeLlm({ fault: () => 'hang' });
      try {
        const rewriter = clientOf(fake);
        const { llm } = await serviceWith(
          [documents(PAGES)],
          { answerDeadlineMs: 60_000 },
          { rewriter },
        ).search({ query: LONG, llmAnswer: true });
        expect(llm!.answer).toContain('Robert Hooke');
      } finally {
        await fake.close();
      }
    });
  });
});
