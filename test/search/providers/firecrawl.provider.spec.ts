import { firecrawl } from '../../../lib/search/providers/firecrawl.provider.js';
import { firecrawlAnswers as answers, firecrawlService } from '../../support/fake-search/firecrawl.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
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
  refusals: {
    'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
    'no credit': { answer: answers['no credit (402)'], kind: 'quota', says: /credit/ },
    'a refused body': { answer: answers['a refused body (400)'], kind: 'bad_request', says: /Bad Request/ },
    'its own time limit': { answer: answers['its own time limit (408)'], kind: 'timeout', says: /in time/ },
    'too many requests, told in words': {
      answer: answers['too many requests, told in words (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 25,
      says: /too many/,
    },
    'too many requests, told in a header': {
      answer: answers['too many requests, told in a header (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 25,
      says: /too many/,
    },
    'a failure behind a 200': {
      answer: answers['a failure behind a 200'],
      kind: 'unavailable',
      says: /its side/,
    },
  },
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
      timeout: 4000,
    });
  });

  it('hands on scraped pages as passages when told to', async () => {
    const [first] = (await ask(firecrawl({ apiKey, baseUrl: upstream.url, pages: true }), { text: 'Golgi' }))
      .hits;
    expect(first?.passages).toEqual([
      'Golgi apparatus The Golgi apparatus is an organelle that packs proteins.',
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
