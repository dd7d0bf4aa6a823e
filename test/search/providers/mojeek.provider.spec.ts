import { mojeek } from '../../../lib/search/providers/mojeek.provider.js';
import { mojeekService } from '../../support/fake-search/mojeek.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider, failureOf } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'mojeek',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(mojeekService(apiKey));
    return {
      upstream,
      provider: (options) => mojeek({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => mojeek({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('mojeek'),
});

describe('mojeek', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(mojeekService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, freshness, region, safe search and a single domain', async () => {
    const provider = mojeek({ apiKey, baseUrl: upstream.url, region: 'de', safeSearch: true });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 2,
      language: 'de',
      freshness: 'month',
      includeDomains: ['cells.example.org'],
    });
    expect(Object.fromEntries(upstream.lastRequest.params)).toEqual({
      api_key: apiKey,
      q: 'organelles',
      fmt: 'json',
      t: '2',
      site: 'cells.example.org',
      since: 'month',
      lb: 'DE',
      lbb: '100',
      rb: 'DE',
      rbb: '10',
      safe: '1',
    });
    expect(hits).toHaveLength(2);
  });

  it('names a week by its date and leaves several domains to the service', async () => {
    const provider = mojeek({ apiKey, baseUrl: upstream.url });
    await ask(provider, {
      text: 'organelles',
      freshness: 'week',
      includeDomains: ['cells.example.org', 'biology.example'],
    });
    expect(upstream.lastRequest.params.get('since')).toMatch(/^\d{8}$/);
    expect(upstream.lastRequest.params.has('site')).toBe(false);
  });

  it('keeps the key out of what a host’s own fetch throws', async () => {
    const fetch = (url: string): Promise<Response> => Promise.reject(new Error('cannot fetch ' + url));
    const error = await failureOf(ask(mojeek({ apiKey, fetch, retries: 0 }), { text: 'organelles' }));
    expect(error.kind).toBe('unavailable');
    expect(String(error.cause)).toContain('cannot fetch');
    expect(decodeURIComponent(String(error.cause))).not.toContain(apiKey);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => mojeek({ apiKey: ' ' })).toThrow(/mojeek\.apiKey.*MOJEEK_API_KEY/);
  });
});
