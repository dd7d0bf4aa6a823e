import { tavily } from '../../../lib/search/providers/tavily.provider.js';
import { tavilyAnswers as answers, tavilyService } from '../../support/fake-search/tavily.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'tavily',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(tavilyService(apiKey));
    return {
      upstream,
      provider: (options) => tavily({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => tavily({ apiKey, baseUrl, retries: 0 }),
    };
  },
  refusals: {
    'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
    'a refused parameter': {
      answer: answers['a refused parameter (400)'],
      kind: 'bad_request',
      says: /Invalid topic/,
    },
    'too many requests': {
      answer: answers['too many requests (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 60,
      says: /too many/,
    },
    'the plan’s limit': { answer: answers['the plan’s limit (432)'], kind: 'quota', says: /plan/ },
    'the pay-as-you-go limit': {
      answer: answers['the pay-as-you-go limit (433)'],
      kind: 'quota',
      says: /pay-as-you-go/,
    },
    'an error of its own': {
      answer: answers['an error of its own (500)'],
      kind: 'unavailable',
      says: /its side/,
    },
  },
});

describe('tavily', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(tavilyService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes freshness and domains without empty strings, and keeps the score', async () => {
    const provider = tavily({ apiKey, baseUrl: upstream.url, topic: 'news', country: 'germany' });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 30,
      freshness: 'day',
      includeDomains: ['', 'cells.example.org'],
      excludeDomains: ['', ' '],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      search_depth: 'basic',
      topic: 'news',
      country: 'germany',
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

  it('reads the chunks of an advanced search as passages', async () => {
    const provider = tavily({ apiKey, baseUrl: upstream.url, searchDepth: 'advanced' });
    const [first] = (await ask(provider, { text: 'Golgi' })).hits;
    expect(first?.passages).toEqual([
      'The Golgi apparatus is an organelle that packs proteins.',
      'Golgi apparatus again.',
    ]);
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
