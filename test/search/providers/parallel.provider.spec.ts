import { parallel } from '../../../lib/search/providers/parallel.provider.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { parallelService } from '../../support/fake-search/parallel.fake.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'parallel',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(parallelService(apiKey));
    return {
      upstream,
      provider: (options) => parallel({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => parallel({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('parallel'),
});

describe('parallel', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(parallelService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes mode, country, domains and the first day', async () => {
    const provider = parallel({ apiKey, baseUrl: upstream.url, mode: 'basic', country: 'DE' });
    expect(provider.filters).not.toContain('dateRange');
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 2,
      freshness: { from: '2026-01-02', to: '2026-02-03' },
      excludeDomains: ['biology.example'],
    });
    expect(upstream.lastRequest.json).toEqual({
      search_queries: ['organelles'],
      objective: 'organelles',
      mode: 'basic',
      advanced_settings: {
        max_results: 2,
        location: 'de',
        source_policy: { exclude_domains: ['biology.example'], after_date: '2026-01-02' },
      },
    });
    expect(hits[0]?.passages).toEqual([
      '## Golgi apparatus\n\n**The Golgi apparatus is an organelle that packs proteins.**',
    ]);
  });

  it('sends a long question whole as the objective, and in queries of at most 200 characters', async () => {
    const text = 'which organelles of a cell pack proteins '.repeat(9).trim();
    await ask(parallel({ apiKey, baseUrl: upstream.url }), { text });
    const { objective, search_queries } = upstream.lastRequest.json as {
      objective: string;
      search_queries: string[];
    };
    expect(objective).toBe(text);
    expect(search_queries.join(' ')).toBe(text);
    expect(search_queries.length).toBeLessThanOrEqual(5);
    expect(Math.max(...search_queries.map(({ length }) => length))).toBeLessThanOrEqual(200);
  });

  it('sends no excluded domains next to included ones', async () => {
    const provider = parallel({ apiKey, baseUrl: upstream.url });
    await ask(provider, {
      text: 'organelles',
      includeDomains: ['biology.example'],
      excludeDomains: ['news.example'],
    });
    expect(upstream.lastRequest.json).toMatchObject({
      mode: 'fast',
      advanced_settings: { source_policy: { include_domains: ['biology.example'] } },
    });
  });
});
