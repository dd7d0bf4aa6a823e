import { linkup } from '../../../lib/search/providers/linkup.provider.js';
import { linkupService } from '../../support/fake-search/linkup.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'linkup',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(linkupService(apiKey));
    return {
      upstream,
      provider: (options) => linkup({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => linkup({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('linkup'),
});

describe('linkup', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(linkupService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes freshness as a date, domains and the depth, and reads contents as passages', async () => {
    const provider = linkup({ apiKey, baseUrl: upstream.url, depth: 'fast' });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 2,
      freshness: 'day',
      includeDomains: ['cells.example.org'],
    });
    expect(upstream.lastRequest.json).toEqual({
      q: 'organelles',
      depth: 'fast',
      outputType: 'searchResults',
      includeImages: false,
      maxResults: 2,
      fromDate: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
      includeDomains: ['cells.example.org'],
    });
    expect(hits[0]?.passages).toEqual(['The Golgi apparatus is an organelle that packs proteins.']);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => linkup({ apiKey: ' ' })).toThrow(/linkup\.apiKey.*LINKUP_API_KEY/);
  });
});
