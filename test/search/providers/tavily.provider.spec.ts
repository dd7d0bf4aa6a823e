import { tavily } from '../../../lib/search/providers/tavily.provider.js';
import { tavilyService } from '../../support/fake-search/tavily.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describe.each([
  ['with a key', 'tavily', apiKey],
  ['without a key', 'tavily-keyless', undefined],
])('%s', (_, fixtures, key) => {
  const keyOf = key === undefined ? {} : { apiKey: key };
  describeSearchProvider({
    name: 'tavily',
    answered: 'organelles of the cell',
    unanswered: 'zyzzyva',
    secret: key,
    start: async () => {
      const upstream = await FakeUpstream.start(tavilyService(key));
      return {
        upstream,
        provider: (options) => tavily({ ...keyOf, baseUrl: upstream.url, ...options }),
        at: (baseUrl) => tavily({ ...keyOf, baseUrl, retries: 0 }),
      };
    },
    fixtures: fixturesOf(fixtures),
  });
});

describe('tavily', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(tavilyService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes freshness and domains, and keeps the score', async () => {
    const provider = tavily({ apiKey, baseUrl: upstream.url, topic: 'news', country: 'germany' });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 30,
      freshness: 'day',
      includeDomains: ['cells.example.org'],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      search_depth: 'basic',
      topic: 'news',
      max_results: 20,
      time_range: 'day',
      include_domains: ['cells.example.org'],
    });
    expect(hits.map((hit) => [new URL(hit.url).host, hit.score])).toEqual([
      ['cells.example.org', 0.98],
      ['cells.example.org', 0.88],
    ]);
    expect(hits[0]?.publishedAt).toBe('2022-07-01T00:00:00.000Z');
    expect(hits[0]?.passages).toBeUndefined();
  });

  it('passes a range of days, and a country for the general topic', async () => {
    const provider = tavily({ apiKey, baseUrl: upstream.url, country: 'germany' });
    await ask(provider, { text: 'organelles', freshness: { from: '2026-01-02' } });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      search_depth: 'basic',
      country: 'germany',
      max_results: 10,
      start_date: '2026-01-02',
    });
  });

  it('says that it is limited without a key, and asks once only', () => {
    expect(tavily()).toMatchObject({ notice: expect.stringContaining('TAVILY_API_KEY') });
    expect(tavily({ apiKey }).notice).toBeUndefined();
  });

  it.each(['advanced', 'fast'] as const)('reads the chunks of depth %s as passages', async (searchDepth) => {
    const provider = tavily({ apiKey, baseUrl: upstream.url, searchDepth });
    const [first] = (await ask(provider, { text: 'Golgi' })).hits;
    expect(first?.passages).toEqual([
      'The Golgi apparatus is an organelle that packs proteins.',
      'Golgi apparatus again.',
    ]);
  });

  it('reads chunks as passages in depth basic as well, when there are several', async () => {
    upstream.script({
      body: { results: [{ url: 'https://a.example/', title: 'A', content: 'One. [...] Two.', score: 0.5 }] },
    });
    const { hits } = await ask(tavily({ apiKey, baseUrl: upstream.url }), { text: 'organelles' });
    expect(hits[0]?.passages).toEqual(['One.', 'Two.']);
  });

  it('drops a score that is not within 0..1', async () => {
    upstream.script({
      body: { results: [{ url: 'https://a.example/', title: 'A', content: 'x', score: 7 }] },
    });
    const { hits } = await ask(tavily({ apiKey, baseUrl: upstream.url }), { text: 'organelles' });
    expect(hits).toEqual([{ url: 'https://a.example/', title: 'A', snippet: 'x' }]);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => tavily({ apiKey: ' ' })).toThrow(/tavily\.apiKey.*TAVILY_API_KEY/);
  });
});
