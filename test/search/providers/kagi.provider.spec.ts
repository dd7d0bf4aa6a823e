import { kagi } from '../../../lib/search/providers/kagi.provider.js';
import { kagiService } from '../../support/fake-search/kagi.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'kagi',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(kagiService(apiKey));
    return {
      upstream,
      provider: (options) => kagi({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => kagi({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('kagi'),
});

describe('kagi', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(kagiService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it.each([401, 404, 405])(
    'asks by GET where a POST is refused with %i, and keeps the form that answers',
    async (status) => {
      const result = { url: 'https://cells.example/golgi', title: 'Golgi', snippet: 'A golgi.' };
      const old = {
        meta: {},
        data: [
          { t: 0, ...result },
          { t: 1, list: ['more'] },
        ],
      };
      const fake = await FakeUpstream.start(({ method, headers, params }) => {
        if (method !== 'GET') return { status, body: '' };
        if (headers.authorization !== `Bot ${apiKey}`) return { status: 401, body: '' };
        expect(params.get('q')).toBe('golgi site:cells.example');
        return { body: old };
      });
      const provider = kagi({ apiKey, baseUrl: fake.url });
      for (let i = 0; i < 2; i++)
        expect((await ask(provider, { text: 'golgi', includeDomains: ['cells.example'] })).hits).toEqual([
          result,
        ]);
      expect(fake.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
      await fake.close();
    },
  );

  it('passes freshness as a date, domains as a lens, region and safe search', async () => {
    const provider = kagi({ apiKey, baseUrl: upstream.url, region: 'DE', safeSearch: false });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 2,
      freshness: 'month',
      includeDomains: ['cells.example.org'],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      workflow: 'search',
      limit: 2,
      safe_search: false,
      filters: { region: 'DE', after: new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 10) },
      lens: { sites_included: ['cells.example.org'] },
    });
    expect(hits).toEqual([
      {
        url: 'https://cells.example.org/golgi',
        title: 'Golgi apparatus',
        snippet: 'The Golgi apparatus is an organelle that packs proteins.',
        publishedAt: '2022-07-01T00:00:00.000Z',
      },
      {
        url: 'https://cells.example.org/lysosome',
        title: 'Lysosome',
        snippet: 'Lysosomes are organelles that digest waste.',
      },
    ]);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => kagi({ apiKey: ' ' })).toThrow(/kagi\.apiKey.*KAGI_API_KEY/);
  });
});
