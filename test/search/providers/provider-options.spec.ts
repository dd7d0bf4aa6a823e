import { InvalidOptionError } from '../../../lib/core/errors.js';
import * as providers from '../../../lib/index.js';

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
