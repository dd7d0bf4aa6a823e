import { documents, ToolsModule } from '../../lib/index.js';
import { memoryCacheStore } from '../../lib/core/cache.js';
import { closeHosts, startHost } from '../support/host.js';

const TEXT = 'The lighthouse of Fastnet was lit in 1904. Its tower is made of granite from Cornwall.';

describe('the threshold of answers', () => {
  afterEach(closeHosts);

  it('decides whether the sources are said to answer, also where another host shares the store', async () => {
    const cache = memoryCacheStore();
    const answers: { answer: string; outcome: string; answerable_probability: number }[] = [];
    for (const answerThreshold of [undefined, 0.999, 0]) {
      const search = {
        providers: [documents([{ url: 'https://example.org/fastnet', title: 'Fastnet', text: TEXT }])],
        ...(answerThreshold === undefined ? {} : { answerThreshold }),
      };
      const host = await startHost([ToolsModule.forRoot({ apiKeys: ['k'], cache, search })]);
      const { body } = await host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', 'k')
        .send({ query: 'When was the lighthouse of Fastnet lit?', llm_answer: true })
        .expect(200);
      answers.push(body.data.llm);
      await closeHosts();
    }
    const [byDefault, strict, open] = answers;
    expect(byDefault!.answerable_probability).toBeGreaterThan(0.5);
    expect(byDefault!.answer).toMatch(/^The lighthouse of Fastnet was lit in 1904\. .*\[1\]$/);
    expect(strict!.answer).toMatch(/^Possibly: The lighthouse/);
    expect(strict!.answerable_probability).toBe(byDefault!.answerable_probability);
    expect(open!.answer).toBe(byDefault!.answer);
    expect(answers.map((a) => a.outcome)).toEqual(['answered', 'related', 'answered']);
  });

  it('is refused at start where it is no probability', async () => {
    const module = ToolsModule.forRoot({ search: { answerThreshold: 50 } });
    await expect(startHost([module])).rejects.toThrow(/`search\.answerThreshold`.*a number from 0 to 1.*50/s);
  });
});
