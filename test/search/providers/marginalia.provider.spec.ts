import { marginalia } from '../../../lib/search/providers/marginalia.provider.js';
import {
  marginaliaAnswers as answers,
  marginaliaService,
} from '../../support/fake-search/marginalia.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
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
  refusals: {
    'no key': { answer: answers['no key (400)'], kind: 'bad_request', says: /refuses the request/ },
    'a wrong key': { answer: answers['a wrong key (401)'], kind: 'auth', says: /API key/ },
    'the limit a minute': {
      answer: answers['the limit a minute (429)'],
      kind: 'rate_limited',
      retryAfterSeconds: 60,
      says: /too many/,
    },
    'the limit a day, although a 429': {
      answer: answers['the limit a day (429)'],
      kind: 'quota',
      says: /daily limit/,
    },
    'a query that failed': {
      answer: answers['a query that failed (500)'],
      kind: 'unavailable',
      says: /its side/,
    },
    'a query that failed behind a 200': {
      answer: answers['a query that failed behind a 200'],
      kind: 'unavailable',
      says: /its side/,
    },
  },
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
