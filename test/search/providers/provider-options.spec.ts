import * as providers from '../../../lib/index.js';
import { InvalidOptionError } from '../../../lib/core/errors.js';
import { documented } from '../../support/fake-search/fixtures.js';
import { FakeUpstream, redirectedTo } from '../../support/fake-search/fake-upstream.js';
import { ask } from './search-provider.contract.js';

const apiKey = 'key';
const url = 'http://127.0.0.1:9';

describe('a wrong option of a provider', () => {
  const cases: [string, string, () => unknown][] = [
    ['exa.category', 'non-empty string', () => providers.exa({ apiKey, category: 5 as never })],
    ['exa.userLocation', 'two letters', () => providers.exa({ apiKey, userLocation: ' ' })],
    ['exa.highlightCharacters', '100', () => providers.exa({ apiKey, highlightCharacters: 99 })],
    ['exa.highlightCharacters', '100', () => providers.exa({ apiKey, highlightCharacters: null as never })],
    ['tavily.country', 'non-empty string', () => providers.tavily({ apiKey, country: {} as never })],
    ['perplexity.country', 'two letters', () => providers.perplexity({ apiKey, country: '' })],
    ['perplexity.maxTokensPerPage', '10000', () => providers.perplexity({ apiKey, maxTokensPerPage: 1.5 })],
    ['perplexity.searchType', 'fast', () => providers.perplexity({ apiKey, searchType: 'x' as never })],
    ['parallel.mode', 'turbo', () => providers.parallel({ apiKey, mode: 'quick' as never })],
    ['parallel.apiKey', 'PARALLEL_API_KEY', () => providers.parallel({ apiKey: '' })],
    ['brave.country', 'two letters', () => providers.brave({ apiKey, country: 1 as never })],
    ['brave.extraSnippets', 'true', () => providers.brave({ apiKey, extraSnippets: 'no' as never })],
    ['braveLlmContext.maxTokens', '1024', () => providers.braveLlmContext({ apiKey, maxTokens: 5 })],
    ['serper.location', 'non-empty string', () => providers.serper({ apiKey, location: [] as never })],
    ['jina.pages', 'true', () => providers.jina({ apiKey, pages: 1 as never })],
    ['kagi.region', 'non-empty string', () => providers.kagi({ apiKey, region: 7 as never })],
    ['you.extraction', 'highlights', () => providers.you({ apiKey, extraction: 'yes' as never })],
    ['you.extraction', 'needs a key', () => providers.you({ extraction: 'highlights' })],
    ['you.apiKey', 'left out', () => providers.you({ apiKey: undefined })],
    ['tavily.apiKey', 'left out', () => providers.tavily({ apiKey: undefined })],
    ['firecrawl.apiKey', 'left out', () => providers.firecrawl({ apiKey: undefined })],
    ['brave.apiKey', 'BRAVE_API_KEY', () => providers.brave({ apiKey: undefined as never })],
    ['brave.baseUrl', 'http', () => providers.brave({ apiKey, baseUrl: 'ftp://x' })],
    ['wikipedia.contact', 'e-mail', () => providers.wikipedia({ contact: 'a (b)' })],
    ['marginalia.safeSearch', 'true', () => providers.marginalia({ apiKey, safeSearch: 0 as never })],
    ['mojeek.region', 'two letters', () => providers.mojeek({ apiKey, region: '' })],
    ['firecrawl.pages', 'true', () => providers.firecrawl({ apiKey, pages: 'x' as never })],
    ['searxng.engines', 'an array', () => providers.searxng({ url, engines: 'google' as never })],
    ['searxng.headers.a', 'a string', () => providers.searxng({ url, headers: { a: 1 } as never })],
    ['searxng.siteOperators', 'true', () => providers.searxng({ url, siteOperators: 0 as never })],
  ];

  it.each(cases)('%s is named with the accepted values (%s)', (option, accepted, make) => {
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(option);
    expect(make).toThrow(accepted);
  });
});

const RANGE = { from: '2026-01-02', to: '2026-02-03' };

/** What each provider sends for a range of days: parameters of the address, or fields of the body. */
const SENT: Record<string, [create: (fetch: providers.Fetch) => providers.SearchProvider, sent: object]> = {
  brave: [(fetch) => providers.brave({ apiKey, fetch }), { freshness: '2026-01-02to2026-02-03' }],
  'brave-llm-context': [
    (fetch) => providers.braveLlmContext({ apiKey, fetch }),
    { freshness: '2026-01-02to2026-02-03' },
  ],
  tavily: [
    (fetch) => providers.tavily({ apiKey, fetch }),
    { start_date: '2026-01-02', end_date: '2026-02-03' },
  ],
  exa: [
    (fetch) => providers.exa({ apiKey, fetch }),
    { startPublishedDate: '2026-01-02T00:00:00.000Z', endPublishedDate: '2026-02-03T23:59:59.999Z' },
  ],
  serper: [
    (fetch) => providers.serper({ apiKey, fetch }),
    { tbs: 'cdr:1,cd_min:01/02/2026,cd_max:02/03/2026' },
  ],
  firecrawl: [
    (fetch) => providers.firecrawl({ apiKey, fetch }),
    { tbs: 'cdr:1,cd_min:01/02/2026,cd_max:02/03/2026' },
  ],
  // Both ends are a day further out: these services may take them as exclusive.
  perplexity: [
    (fetch) => providers.perplexity({ apiKey, fetch }),
    { search_after_date_filter: '01/01/2026', search_before_date_filter: '02/04/2026' },
  ],
  kagi: [
    (fetch) => providers.kagi({ apiKey, fetch }),
    { filters: { after: '2026-01-01', before: '2026-02-04' } },
  ],
  you: [(fetch) => providers.you({ apiKey, fetch }), { freshness: '2026-01-02to2026-02-03' }],
  linkup: [(fetch) => providers.linkup({ apiKey, fetch }), { fromDate: '2026-01-02', toDate: '2026-02-03' }],
  // The day of `before` is not included.
  mojeek: [(fetch) => providers.mojeek({ apiKey, fetch }), { since: '20260102', before: '20260204' }],
};

/** These know periods only, or no time at all. */
const WITHOUT: Record<string, (fetch: providers.Fetch) => providers.SearchProvider> = {
  searxng: (fetch) => providers.searxng({ url: 'http://127.0.0.1:8888', fetch }),
  jina: (fetch) => providers.jina({ apiKey, fetch }),
  wikipedia: (fetch) => providers.wikipedia({ fetch }),
  marginalia: (fetch) => providers.marginalia({ apiKey, fetch }),
};

describe('a range of days', () => {
  let upstream: FakeUpstream;
  let fixture: string;
  beforeAll(async () => (upstream = await FakeUpstream.start(() => documented(fixture, 'success'))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it.each(Object.entries(SENT))('goes to %s, which says that it takes one', async (name, [create, sent]) => {
    fixture = name;
    const provider = create(redirectedTo(upstream.url));
    expect(provider.filters).toEqual(expect.arrayContaining(['freshness', 'dateRange']));
    await ask(provider, { text: 'x', freshness: RANGE });
    const { json, params } = upstream.lastRequest;
    expect({ ...Object.fromEntries(params), ...json }).toMatchObject(sent);
  });

  it.each(Object.entries(WITHOUT))('does not go to %s, which says so', async (name, create) => {
    fixture = name;
    const provider = create(redirectedTo(upstream.url));
    expect(provider.filters).not.toContain('dateRange');
    expect((await ask(provider, { text: 'x', freshness: RANGE })).hits.length).toBeGreaterThan(0);
    expect(JSON.stringify([...upstream.lastRequest.params, upstream.lastRequest.json])).not.toContain('2026');
  });
});
