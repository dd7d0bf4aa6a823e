import { brave, braveLlmContext } from '../../../lib/search/providers/brave.provider.js';
import { braveService } from '../../support/fake-search/brave.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf, documented } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider, failureOf } from './search-provider.contract.js';

const apiKey = 'BSA-5f3a/9c+1=';

for (const [name, create] of [
  ['brave', brave],
  ['brave-llm-context', braveLlmContext],
] as const)
  describeSearchProvider({
    name,
    answered: 'organelles of the cell',
    unanswered: 'zyzzyva',
    secret: apiKey,
    start: async () => {
      const upstream = await FakeUpstream.start(braveService(apiKey));
      return {
        upstream,
        provider: (options) => create({ apiKey, baseUrl: upstream.url, ...options }),
        at: (baseUrl) => create({ apiKey, baseUrl, retries: 0 }),
      };
    },
    fixtures: fixturesOf(name),
  });

describe('brave', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(braveService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, freshness, domains and its own options', async () => {
    const provider = brave({
      apiKey,
      baseUrl: upstream.url,
      country: 'DE',
      safeSearch: 'strict',
      extraSnippets: true,
    });
    const { hits } = await ask(provider, {
      text: 'organelles',
      count: 50,
      language: 'pt',
      freshness: 'month',
      includeDomains: ['biology.example'],
    });
    expect(Object.fromEntries(upstream.lastRequest.params)).toEqual({
      q: 'organelles site:biology.example',
      search_lang: 'pt-br',
      freshness: 'pm',
      country: 'DE',
      count: '20',
      safesearch: 'strict',
      text_decorations: 'false',
      result_filter: 'web',
      extra_snippets: 'true',
    });
    expect(hits.map((hit) => new URL(hit.url).host)).toEqual(['biology.example', 'biology.example']);
    expect(hits[0]?.passages).toHaveLength(2);
    expect(hits[0]?.publishedAt).toBe('2024-03-05');
  });

  it('keeps a long query within 400 characters and 50 words, leaving operators out before words', async () => {
    const provider = brave({ apiKey, baseUrl: upstream.url });
    await ask(provider, {
      text: `organelles ${'of the cell '.repeat(32)}`.trim().slice(0, 400),
      includeDomains: ['biology.example'],
    });
    expect(upstream.lastRequest.params.get('q')?.split(' ')).toHaveLength(50);
    await ask(provider, { text: `organelles ${'x'.repeat(385)}`, includeDomains: ['biology.example'] });
    expect(upstream.lastRequest.params.get('q')).toHaveLength(396);
  });

  it('waits out the limit a second and tries again', async () => {
    upstream.script({
      ...documented('brave', 'rate limit'),
      headers: { 'x-ratelimit-remaining': '0, 1985', 'x-ratelimit-reset': '0, 1419704' },
    });
    expect(
      (await ask(brave({ apiKey, baseUrl: upstream.url }), { text: 'organelles' })).hits.length,
    ).toBeGreaterThan(0);
    expect(upstream.requests).toHaveLength(2);
  });

  it('tells a wrong key from a wrong request although both are 422', async () => {
    const error = await failureOf(
      ask(brave({ apiKey: 'other', baseUrl: upstream.url }), { text: 'organelles' }),
    );
    expect(error.kind).toBe('auth');
  });

  it('hands on the passages of the LLM context and bounds them', async () => {
    const provider = braveLlmContext({ apiKey, baseUrl: upstream.url, maxTokens: 2048, threshold: 'strict' });
    const [first] = (await ask(provider, { text: 'organelles', count: 3 })).hits;
    expect(first?.passages).toHaveLength(2);
    expect(first?.publishedAt).toBe('2024-03-05');
    expect(Object.fromEntries(upstream.lastRequest.params)).toMatchObject({
      count: '3',
      maximum_number_of_urls: '3',
      maximum_number_of_tokens: '2048',
      context_threshold_mode: 'strict',
    });
  });

  it('says at construction which option is missing and where it is kept, without showing a key', () => {
    expect(() => brave({ apiKey: '' })).toThrow(/brave\.apiKey.*BRAVE_API_KEY/);
    expect(() => brave(undefined as never)).toThrow(/brave\.apiKey/);
    expect(() => braveLlmContext({ apiKey, maxTokens: 1 })).toThrow(/maxTokens.*1024 to 32768/);
    expect(() => brave({ apiKey: 'BSA-ü-secret' })).toThrow(/visible ASCII/);
    expect(() => brave({ apiKey: 'BSA-ü-secret' })).not.toThrow(/secret/);
    expect(() => brave({ apiKey, timeoutMs: 0 })).toThrow(/brave\.timeoutMs/);
    expect(() => brave({ apiKey, retries: 3 })).toThrow(/brave\.retries/);
    expect(() => brave({ apiKey, fetch: 'x' as never })).toThrow(/brave\.fetch/);
  });
});
