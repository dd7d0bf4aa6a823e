import { searxng, ToolsModule } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const url = process.env.SEARX_URL ?? '';
if (url === '') throw new Error('This spec needs a running searx: npm run check -- searx');

describe.each(ADAPTERS)('search_web over a running searx, on %s', (_name, adapter) => {
  let host: RunningHost;

  beforeAll(async () => {
    const providers = [searxng({ url, retries: 0 })];
    host = await startHost([ToolsModule.forRoot({ apiKeys: ['k'], search: { providers } })], adapter());
  });
  afterAll(closeHosts);

  const search = (body: object) => host.http.post('/v1/tools/search_web').set('X-API-Key', 'k').send(body);

  it('answers with results of searx, best first', async () => {
    const { body } = await search({ query: 'cell', top_n: 3 }).expect(200);
    expect(body.data.provider).toBe('searxng');
    expect(body.data.results).toHaveLength(3);
    const scores = body.data.results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
    for (const { content, source_url } of body.data.results) {
      expect(content).not.toMatch(/<\/?\w|&amp;/);
      expect(source_url).toMatch(/^https:\/\/\w+\.example\//);
    }
  });

  it('quotes its source in an answer', async () => {
    const { body } = await search({ query: 'What do mitochondria make?', llm_answer: true }).expect(200);
    expect(body.data.llm.answer).toMatch(/ATP.*\[1\]/);
    expect(body.data.llm.citations[0].source_url).toBe('https://biology.example/mitochondria');
  });

  it('answers 503, not an empty list, when every engine of searx failed', async () => {
    const { body } = await search({ query: 'outage AND "' }).expect(503);
    expect(body.code).toBe('upstream_unavailable');
  });
});
