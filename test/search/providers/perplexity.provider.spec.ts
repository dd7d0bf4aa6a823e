import { perplexity } from '../../../lib/search/providers/perplexity.provider.js';
import { perplexityService } from '../../support/fake-search/perplexity.fake.js';
import { FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { fixturesOf } from '../../support/fake-search/fixtures.js';
import { ask, describeSearchProvider } from './search-provider.contract.js';

const apiKey = 'key-5f3a/9c+1=';

describeSearchProvider({
  name: 'perplexity',
  answered: 'organelles of the cell',
  unanswered: 'zyzzyva',
  secret: apiKey,
  start: async () => {
    const upstream = await FakeUpstream.start(perplexityService(apiKey));
    return {
      upstream,
      provider: (options) => perplexity({ apiKey, baseUrl: upstream.url, ...options }),
      at: (baseUrl) => perplexity({ apiKey, baseUrl, retries: 0 }),
    };
  },
  fixtures: fixturesOf('perplexity'),
});

describe('perplexity', () => {
  let upstream: FakeUpstream;
  beforeAll(async () => (upstream = await FakeUpstream.start(perplexityService(apiKey))));
  afterAll(() => upstream.close());
  beforeEach(() => upstream.reset());

  it('passes language, freshness and denied domains with a minus', async () => {
    const provider = perplexity({
      apiKey,
      baseUrl: upstream.url,
      country: 'DE',
      searchType: 'fast',
      maxTokensPerPage: 512,
    });
    await ask(provider, {
      text: 'organelles',
      count: 40,
      language: 'de',
      freshness: 'month',
      excludeDomains: ['biology.example'],
    });
    expect(upstream.lastRequest.json).toEqual({
      query: 'organelles',
      search_type: 'fast',
      max_results: 20,
      max_tokens_per_page: 512,
      country: 'DE',
      search_domain_filter: ['-biology.example'],
      search_recency_filter: 'month',
      search_language_filter: ['de'],
    });
  });

  it('sends the allowed domains alone where both kinds are set, for the service mixes them not', async () => {
    const provider = perplexity({ apiKey, baseUrl: upstream.url });
    const { hits } = await ask(provider, {
      text: 'organelles',
      includeDomains: ['cells.example.org'],
      excludeDomains: ['biology.example'],
    });
    expect(upstream.lastRequest.json.search_domain_filter).toEqual(['cells.example.org']);
    expect(hits).toHaveLength(2);
  });

  it('says at construction that the key is missing and where it is kept', () => {
    expect(() => perplexity({ apiKey: ' ' })).toThrow(/perplexity\.apiKey.*PERPLEXITY_API_KEY/);
  });
});
