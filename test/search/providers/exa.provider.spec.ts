import { exa } from '../../../lib/search/providers/exa.provider.js';
import { exaService } from '../../support/fake-search/exa.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'exa',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(exaService(apiKey));
    return {
      upstream,
      provider: (options) => exa({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => exa({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('exa'),
});

describe('exa', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(exaService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes freshness as a date, domains and its own options, and reads highlights as passages', async () => {
    const provider = exa({
      apiKey,
      baseUrl: upstream.url,
      type: 'fast',
      category: 'news',
      userLocation: 'DE',
      highlightCharacters: 900,
    });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 3,
      freshness: 'week',
      excludeDomains: ['biology.example'],
    });
    const { startPublishedDate, ...sent } = upstream.lastRequest.json;
    expect(Date.now() - Date.parse(String(startPublishedDate))).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(sent).toEqual({
      query: 'organelles',
      type: 'fast',
      numResults: 3,
      category: 'news',
      userLocation: 'DE',
      excludeDomains: ['biology.example'],
      contents: { highlights: { maxCharacters: 900 } },
    });
    expect(hits[0]).toEqual({
      url: 'https://cells.example.org/golgi',
      title: 'Golgi apparatus',
      passages: ['The Golgi apparatus is an organelle that packs proteins.', 'And: Golgi apparatus'],
      score: 0.4,
      publishedAt: '2022-07-01T00:00:00.000Z',
    });
    expect(hits[1]?.title).toBe('cells.example.org');
  });

  it.each([
    ['company', ['includeDomains']],
    ['people', []],
  ])(
    'leaves the filters that the category %s refuses to the service, and says so',
    async (category, filters) => {
      const provider = exa({ apiKey, baseUrl: upstream.url, category });
      expect(provider.filters).toEqual(filters);
      const { hits } = await ask(provider, {
        text: 'organelles',
        freshness: 'week',
        includeDomains: ['cells.example.org'],
        excludeDomains: ['biology.example'],
      });
      expect(hits.length).toBeGreaterThan(0);
    },
  );

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => exa({ apiKey: ' ' })).toThrow(/exa\.apiKey.*EXA_API_KEY/);
  });

  it('hands on what Exa says that it ignored', async () => {
    const fake = await FakeUpstream.start(() => ({
      body: {
        results: [{ url: 'https://a.example', title: 'A', highlights: ['a b'] }],
        warnings: ['The category "tweets" was ignored.', { code: 'x', message: 'Dates were ignored.' }, 5],
      },
    }));
    const { hits, warnings } = await ask(exa({ apiKey, baseUrl: fake.url }), { text: 'a' });
    expect(hits).toHaveLength(1);
    expect(warnings).toEqual([
      { code: 'provider_warning', message: 'Exa says: The category "tweets" was ignored.' },
      { code: 'provider_warning', message: 'Exa says: Dates were ignored.' },
    ]);
    await fake.close();
  });
});
