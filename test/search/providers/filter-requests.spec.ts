import * as providers from '../../../lib/index.js';
import { documented } from '../../support/fake-search/fixtures.js';
import { FakeUpstream, redirectedTo } from '../../support/fake-search/fake-upstream.js';
import { ask } from './search-provider.contract.js';

const apiKey = 'key';
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
