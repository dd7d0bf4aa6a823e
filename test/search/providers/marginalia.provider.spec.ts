import { marginalia } from '../../../lib/search/providers/marginalia.provider.js';
import { marginaliaService } from '../../support/fake-search/marginalia.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'marginalia',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(marginaliaService(apiKey));
    return {
      upstream,
      provider: (options) => marginalia({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => marginalia({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('marginalia'),
});

describe('marginalia', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(marginaliaService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes its options and a single domain', async () => {
    const provider = marginalia({ apiKey, baseUrl: upstream.url, filter: 'blogs', safeSearch: true });
    await ask(provider, { text: 'organelles', count: 2, includeDomains: ['cells.example.org'] });
    expect(Object.fromEntries(upstream.lastRequest.params)).toEqual({
      query: 'organelles site:cells.example.org',
      count: '2',
      filter: 'blogs',
      nsfw: '1',
    });
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => marginalia({ apiKey: ' ' })).toThrow(/marginalia\.apiKey.*MARGINALIA_API_KEY/);
  });
});
