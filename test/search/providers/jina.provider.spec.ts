import { jina } from '../../../lib/search/providers/jina.provider.js';
import { jinaAnswers as answers, jinaService } from '../../support/fake-search/jina.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'jina',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(jinaService(apiKey));
    return {
      upstream,
      provider: (options) => jina({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => jina({ apiKey, baseUrl, retries: 0 }),
    };
  },
  refusals: {
    'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
    'no balance': { answer: answers['no balance (402)'], kind: 'quota', says: /credit/ },
    'a refused parameter': {
      answer: answers['a refused parameter (400)'],
      kind: 'bad_request',
      says: /Validation failed for num/,
    },
    'too many requests': {
      answer: answers['too many requests (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 23,
      says: /too many/,
    },
    'another failed assertion': {
      answer: answers['another failed assertion (422)'],
      kind: 'bad_request',
      says: /No content available/,
    },
    'an error inside a 200': {
      answer: answers['an error inside a 200'],
      kind: 'unavailable',
      says: /its side/,
    },
  },
});

describe('jina', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(jinaService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language and domains, and asks for no pages unless told to', async () => {
    const { hits } = await ask(jina({ apiKey, baseUrl: upstream.url, country: 'DE' }), {
      text: 'organelles',
      count: 50,
      language: 'de',
      includeDomains: ['cells.example.org'],
    });
    expect(upstream.lastRequest.json).toEqual({
      q: 'organelles site:cells.example.org',
      num: 20,
      gl: 'de',
      hl: 'de',
    });
    expect(upstream.lastRequest.headers['x-respond-with']).toBe('no-content');
    expect(hits[0]).toEqual({
      url: 'https://cells.example.org/golgi',
      title: 'Golgi apparatus',
      snippet: 'The Golgi apparatus is an organelle that packs proteins.',
      publishedAt: '2024-03-05',
    });
  });

  it('hands on whole pages as passages when told to', async () => {
    const [first] = (await ask(jina({ apiKey, baseUrl: upstream.url, pages: true }), { text: 'Golgi' })).hits;
    expect(upstream.lastRequest.headers['x-respond-with']).toBeUndefined();
    expect(first?.passages).toEqual([
      'Golgi apparatus The Golgi apparatus is an organelle that packs proteins. home',
    ]);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => jina({ apiKey: ' ' })).toThrow(/jina\.apiKey.*JINA_API_KEY/);
  });
});
