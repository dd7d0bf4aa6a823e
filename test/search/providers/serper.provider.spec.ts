import { serper } from '../../../lib/search/providers/serper.provider.js';
import { serperService } from '../../support/fake-search/serper.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf, documented } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'serper',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(serperService(apiKey));
    return {
      upstream,
      provider: (options) => serper({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => serper({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('serper'),
});

describe('serper', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(serperService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, freshness and domains, and asks for a number only beyond ten', async () => {
    const provider = serper({ apiKey, baseUrl: upstream.url, country: 'DE', location: 'Berlin' });
    await ask(provider, {
      text: 'organelles',
      count: 10,
      language: 'de',
      freshness: 'year',
      excludeDomains: ['news.example'],
    });
    expect(upstream.lastRequest.json).toEqual({
      q: 'organelles -site:news.example',
      gl: 'de',
      hl: 'de',
      location: 'Berlin',
      tbs: 'qdr:y',
    });
    await ask(provider, { text: 'organelles', count: 11 });
    expect(upstream.lastRequest.json.num).toBe(11);
  });

  it('reads a date and leaves an age out', async () => {
    const { hits } = await ask(serper({ apiKey, baseUrl: upstream.url }), { text: 'organelles' });
    expect(hits.slice(0, 3).map((hit) => hit.publishedAt)).toEqual(['2024-03-05', undefined, undefined]);
  });

  it('takes a missing list next to the echoed parameters as no results', async () => {
    upstream.script(documented('serper', 'empty'));
    expect(await ask(serper({ apiKey, baseUrl: upstream.url }), { text: 'organelles' })).toEqual({
      hits: [],
    });
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => serper({ apiKey: ' ' })).toThrow(/serper\.apiKey.*SERPER_API_KEY/);
  });
});
