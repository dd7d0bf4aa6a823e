import { you } from '../../../lib/search/providers/you.provider.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { youAnswers as answers, youLimitedUntil, youService } from '../../support/fake-search/you.fake.js';
import { ask, describeSearchProvider, failureOf, type Refusal } from './search-provider.contract.js';

const apiKey = 'ydc-5f3a/9c+1=';

const keyed: Record<string, Refusal> = {
  'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
  'a key without the scope': {
    answer: answers['a key without the scope (403)'],
    kind: 'auth',
    says: /API key/,
  },
  'no credit': { answer: answers['no credit (402)'], kind: 'quota', says: /credit/ },
  'a refused parameter': {
    answer: answers['a refused parameter (422)'],
    kind: 'bad_request',
    says: /refuses the request/,
  },
  'too many requests': {
    answer: answers['too many requests (429)'],
    kind: 'rate_limited',
    retryAfterSeconds: 2,
    says: /too many/,
  },
};
const keyless: Record<string, Refusal> = {
  'the day’s allowance': {
    answer: answers['the day’s allowance without a key (429)'],
    kind: 'quota',
    says: /100 searches a day.*YDC_API_KEY/,
  },
  'a moment’s limit': {
    answer: answers['too many requests (429)'],
    kind: 'rate_limited',
    retryAfterSeconds: 2,
    says: /apiKey/,
  },
  'an endpoint that wants a key now': {
    answer: answers['a wrong key (401)'],
    kind: 'auth',
    says: /set `apiKey` \(YDC_API_KEY\)/,
  },
};

for (const [key, refusals] of [
  [apiKey, keyed],
  [undefined, keyless],
] as const)
  describe(key ? 'with a key' : 'without a key', () => {
    describeSearchProvider({
      name: 'you',
      answered: 'organelles of the cell',
      unanswered: 'zyzzyva',
      secret: key,
      start: async () => {
        const upstream = await FakeUpstream.start(youService(key));
        return {
          upstream,
          provider: (options) => you({ apiKey: key, baseUrl: upstream.url, ...options }),
          at: (baseUrl) => you({ apiKey: key, baseUrl, retries: 0 }),
        };
      },
      refusals,
    });
  });

describe('you', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(youService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, freshness, domains and its own options', async () => {
    const provider = you({
      apiKey,
      baseUrl: upstream.url,
      country: 'BR',
      safeSearch: 'off',
      livecrawl: true,
    });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 3,
      language: 'pt',
      freshness: 'year',
      includeDomains: ['biology.example'],
      excludeDomains: ['news.example'],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      count: 3,
      freshness: 'year',
      language: 'PT-BR',
      country: 'BR',
      safesearch: 'off',
      include_domains: ['biology.example'],
      exclude_domains: ['news.example'],
      livecrawl: 'web',
      livecrawl_formats: 'markdown',
    });
    expect(hits[0]).toEqual({
      url: 'https://biology.example/organelles',
      title: 'Organelles & their functions',
      snippet: 'Organelles & their functions: a page',
      passages: [
        'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
        'Organelles & their functions & more',
        'Organelles & their functions Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
      ],
      publishedAt: '2024-03-05',
    });
  });

  it('appends news to the web results', async () => {
    const { hits } = await ask(you({ apiKey, baseUrl: upstream.url }), { text: 'Lysosomes Golgi' });
    expect(hits.map((hit) => hit.title)).toEqual(['Golgi apparatus', 'Lysosome']);
  });

  it('reads a reset given as a Unix time', async () => {
    upstream.script(youLimitedUntil(40));
    const error = await failureOf(
      ask(you({ apiKey, baseUrl: upstream.url, retries: 0 }), { text: 'organelles' }),
    );
    expect(error.kind).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBeGreaterThan(38);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(41);
  });

  it('takes an empty key for a mistake, not for keyless', () => {
    expect(() => you({ apiKey: '' })).toThrow(/you\.apiKey.*YDC_API_KEY/);
  });
});
