import { you } from '../../../lib/search/providers/you.provider.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { youLimitedUntil, youService } from '../../support/fake-search/you.fake.js';
import { ask, describeSearchProvider, failureOf } from './search-provider.contract.js';

const apiKey = 'ydc-5f3a/9c+1=';

describe.each([
  ['with a key', 'you', apiKey],
  ['without a key', 'you-keyless', undefined],
])('%s', (_, fixtures, key) => {
  const keyOf = key === undefined ? {} : { apiKey: key };
  describeSearchProvider({
    name: 'you',
    answered: 'organelles of the cell',
    unanswered: 'zyzzyva',
    secret: key,
    start: async () => {
      const upstream = await FakeUpstream.start(youService(key));
      return {
        upstream,
        provider: (options) => you({ ...keyOf, baseUrl: upstream.url, ...options }),
        at: (baseUrl) => you({ ...keyOf, baseUrl, retries: 0 }),
      };
    },
    fixtures: fixturesOf(fixtures),
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
      extraction: 'full_page',
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
      extraction: { extraction_mode: 'full_page', full_page: { extraction_formats: ['markdown'] } },
    });
    expect(hits[0]).toEqual({
      url: 'https://biology.example/organelles',
      title: 'Organelles & their functions',
      snippet: 'Organelles & their functions: a page',
      passages: [
        'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
        'Organelles & their functions &amp; more',
        '# Organelles & their functions\n\nCommon organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
      ],
      publishedAt: '2024-03-05',
    });
  });

  it('asks without a key by GET, with one list of domains and a date range', async () => {
    const keyless = await FakeUpstream.start(youService(undefined));
    const provider = you({ baseUrl: keyless.url, contact: 'ops@example.org' });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 3,
      freshness: { from: '2026-01-02', to: '2026-02-03' },
      includeDomains: ['biology.example', 'cells.example.org'],
      excludeDomains: ['news.example'],
    });
    expect(hits).toHaveLength(3);
    expect(Object.fromEntries(keyless.lastRequest.params)).toEqual({
      query: 'organelles',
      count: '3',
      freshness: '2026-01-02to2026-02-03',
      include_domains: 'biology.example,cells.example.org',
    });
    expect(keyless.lastRequest.headers['x-api-key']).toBeUndefined();
    expect(keyless.lastRequest.headers['user-agent']).toContain('(ops@example.org)');
    await keyless.close();
  });

  it('reads highlights as passages', async () => {
    const provider = you({ apiKey, baseUrl: upstream.url, extraction: 'highlights' });
    const { hits } = await ask(provider, { text: 'Golgi' });
    expect(upstream.lastRequest.json.extraction).toEqual({ extraction_mode: 'highlights' });
    expect(hits[0]?.passages).toEqual(['**The Golgi apparatus is an organelle that packs proteins.**']);
  });

  it('passes the budget of highlights and the source of full pages, each with its mode only', async () => {
    await ask(you({ apiKey, baseUrl: upstream.url, extraction: 'highlights', highlightTokens: 1024 }), {
      text: 'Golgi',
    });
    expect(upstream.lastRequest.json.extraction).toEqual({
      extraction_mode: 'highlights',
      highlights: { total_max_tokens: 1024 },
    });
    await ask(you({ apiKey, baseUrl: upstream.url, extraction: 'full_page', extractionSource: 'cache' }), {
      text: 'Golgi',
    });
    expect(upstream.lastRequest.json.extraction).toEqual({
      extraction_mode: 'full_page',
      full_page: { extraction_formats: ['markdown'] },
      extraction_source: 'cache',
    });
    expect(() => you({ apiKey, highlightTokens: 1024 })).toThrow(/you\.highlightTokens.*extraction/);
    expect(() => you({ apiKey, extraction: 'highlights', highlightTokens: 100 })).toThrow(/1,?024/);
    expect(() => you({ apiKey, extraction: 'highlights', extractionSource: 'cache' })).toThrow(
      /you\.extractionSource.*full_page/,
    );
  });

  it('says that it is limited without a key, and asks once only', () => {
    expect(you()).toMatchObject({ notice: expect.stringContaining('100 searches a day') });
    expect(you({ apiKey }).notice).toBeUndefined();
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
