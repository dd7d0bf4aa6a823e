import { InvalidOptionError } from '../../../lib/core/errors/index.js';
import * as providers from '../../../lib/search/providers/index.js';

const apiKey = 'key';
const url = 'http://127.0.0.1:9';

describe('an option of a provider that is no such thing', () => {
  const cases: [string, string, () => unknown][] = [
    ['exa.category', 'text', () => providers.exa({ apiKey, category: 5 as never })],
    ['exa.userLocation', 'text', () => providers.exa({ apiKey, userLocation: ' ' })],
    ['exa.highlightCharacters', '100', () => providers.exa({ apiKey, highlightCharacters: 99 })],
    ['exa.highlightCharacters', '100', () => providers.exa({ apiKey, highlightCharacters: null as never })],
    ['tavily.country', 'text', () => providers.tavily({ apiKey, country: {} as never })],
    ['perplexity.country', 'text', () => providers.perplexity({ apiKey, country: '' })],
    ['perplexity.maxTokensPerPage', '10000', () => providers.perplexity({ apiKey, maxTokensPerPage: 1.5 })],
    ['brave.country', 'text', () => providers.brave({ apiKey, country: 1 as never })],
    ['brave.extraSnippets', 'true', () => providers.brave({ apiKey, extraSnippets: 'no' as never })],
    ['braveLlmContext.maxTokens', '1024', () => providers.braveLlmContext({ apiKey, maxTokens: 5 })],
    ['serper.location', 'text', () => providers.serper({ apiKey, location: [] as never })],
    ['jina.pages', 'true', () => providers.jina({ apiKey, pages: 1 as never })],
    ['kagi.region', 'text', () => providers.kagi({ apiKey, region: 7 as never })],
    ['you.livecrawl', 'true', () => providers.you({ livecrawl: 'yes' as never })],
    ['marginalia.safeSearch', 'true', () => providers.marginalia({ apiKey, safeSearch: 0 as never })],
    ['mojeek.region', 'text', () => providers.mojeek({ apiKey, region: '' })],
    ['firecrawl.pages', 'true', () => providers.firecrawl({ apiKey, pages: 'x' as never })],
    ['searxng.engines', 'array of texts', () => providers.searxng({ url, engines: 'google' as never })],
    ['searxng.headers', 'object of texts', () => providers.searxng({ url, headers: { a: 1 } as never })],
    ['searxng.maxPages', '5', () => providers.searxng({ url, maxPages: 6 })],
    ['searxng.siteOperators', 'true', () => providers.searxng({ url, siteOperators: 0 as never })],
  ];

  it.each(cases)('%s is named with what is accepted (%s)', (option, accepted, make) => {
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(option);
    expect(make).toThrow(accepted);
  });
});
