import { firecrawl } from '../../../lib/search/providers/firecrawl.provider.js';
import { firecrawlService } from '../../support/fake-search/firecrawl.fake.js';
import { FakeUpstream, redirectedTo } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'firecrawl',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(firecrawlService(apiKey));
    return {
      upstream,
      provider: (options) => firecrawl({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => firecrawl({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('firecrawl'),
});

describe('without a key', () => {
  describeSearchProvider({
    name: 'firecrawl',
    answered: 'organelles of the cell',
    unanswered: 'zyzzyva',
    start: async () => {
      const upstream = await FakeUpstream.start(firecrawlService(undefined));
      return {
        upstream,
        provider: (options) => firecrawl({ fetch: redirectedTo(upstream.url), ...options }),
        at: (url) => firecrawl({ fetch: redirectedTo(url), retries: 0 }),
      };
    },
    fixtures: fixturesOf('firecrawl-keyless'),
  });
});

describe('firecrawl', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(firecrawlService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes freshness, country and one kind of domains', async () => {
    const provider = firecrawl({ apiKey, baseUrl: upstream.url, country: 'DE', timeoutMs: 4000 });
    await ask(provider, {
      text: 'organelles',
      count: 2,
      freshness: 'week',
      includeDomains: ['cells.example.org'],
      excludeDomains: ['biology.example'],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      limit: 2,
      sources: ['web'],
      country: 'DE',
      tbs: 'qdr:w',
      includeDomains: ['cells.example.org'],
      timeout: 3500,
    });
  });

  it('passes a range of days', async () => {
    await ask(firecrawl({ apiKey, baseUrl: upstream.url }), {
      text: 'organelles',
      freshness: { from: '2026-01-02', to: '2026-02-03' },
    });
    expect(upstream.lastRequest.json.tbs).toBe('cdr:1,cd_min:01/02/2026,cd_max:02/03/2026');
  });

  it('says that it is limited without a key, but not for an instance of one’s own', () => {
    expect(firecrawl()).toMatchObject({
      notice: expect.stringContaining('FIRECRAWL_API_KEY'),
    });
    expect(firecrawl({ baseUrl: 'http://127.0.0.1:9' }).notice).toBeUndefined();
  });

  it('hands on scraped pages as passages when told to', async () => {
    const [first] = (await ask(firecrawl({ apiKey, baseUrl: upstream.url, pages: true }), { text: 'Golgi' }))
      .hits;
    expect(first?.passages).toEqual([
      '# Golgi apparatus\n\nThe Golgi apparatus is an organelle that packs proteins.',
    ]);
  });

  it('needs no key for an instance of one’s own', async () => {
    const own = await FakeUpstream.start(firecrawlService(undefined));
    expect((await ask(firecrawl({ baseUrl: own.url }), { text: 'organelles' })).hits.length).toBeGreaterThan(
      0,
    );
    expect(own.lastRequest.headers.authorization).toBeUndefined();
    await own.close();
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => firecrawl({ apiKey: ' ' })).toThrow(/firecrawl\.apiKey.*FIRECRAWL_API_KEY/);
  });
});
