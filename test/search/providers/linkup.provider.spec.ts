import { linkup } from '../../../lib/search/providers/linkup.provider.js';
import { linkupAnswers as answers, linkupService } from '../../support/fake-search/linkup.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
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
  refusals: {
    'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
    'a key without access': { answer: answers['a key without access (403)'], kind: 'auth', says: /API key/ },
    'a refused parameter': {
      answer: answers['a refused parameter (400)'],
      kind: 'bad_request',
      says: /Validation failed/,
    },
    'payment required': { answer: answers['payment required (402)'], kind: 'quota', says: /credit/ },
    'no credit, although a 429': { answer: answers['no credit (429)'], kind: 'quota', says: /credit/ },
    'a spent budget, although a 429': {
      answer: answers['a spent budget (429)'],
      kind: 'quota',
      says: /budget/,
    },
    'too many requests': {
      answer: answers['too many requests (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 3,
      says: /too many/,
    },
  },
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
