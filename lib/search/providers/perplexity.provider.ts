import type { SearchProvider } from '../search-provider.js';
import { listIn, objectIn, textIn } from './json-fields.js';
import { markdownText } from './markdown-text.js';
import { key, providerOptions, text, type KeyedProviderOptions, wholeNumber } from './provider-options.js';
import { httpProvider } from './provider-request.js';
import { domainList } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface PerplexityOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `US`; default: none. */
  country?: string;
  /** Tokens taken from each page, 1 to 10,000; default: Perplexity's. */
  maxTokensPerPage?: number;
}

const MAX_DOMAINS = 20;

/**
 * Perplexity's search API (results, not Sonar's answers). The extracts are long and count as passages.
 *
 * Wire format: `POST /search` with a bearer key (types of `@perplexity-ai/perplexity_ai` 0.38.5, Perplexity's documentation).
 * Domains are either allowed or denied (`-example.com`), not both: with both, the allowed ones are sent. Error bodies follow
 * OpenAI's form `{error: {message, type, code}}`; that an empty account is a 401 of the type `insufficient_quota` could
 * not be checked against a published reference. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function perplexity(options: PerplexityOptions): SearchProvider {
  const { apiKey, country, maxTokensPerPage, http } = providerOptions(
    'perplexity',
    options,
    'https://api.perplexity.ai',
    { apiKey: key('PERPLEXITY_API_KEY'), country: text, maxTokensPerPage: wholeNumber(1, 10_000) },
  );
  return httpProvider(
    {
      name: 'perplexity',
      label: 'Perplexity',
      secret: apiKey,
      request: (query) => ({
        path: '/search',
        headers: { authorization: `Bearer ${apiKey}` },
        json: {
          query: query.text,
          max_results: Math.min(query.count, 20),
          max_tokens_per_page: maxTokensPerPage,
          country,
          search_domain_filter:
            domainList(query.includeDomains, MAX_DOMAINS) ??
            domainList(query.excludeDomains, MAX_DOMAINS)?.map((domain) => `-${domain}`),
          search_recency_filter: query.freshness,
          search_language_filter: query.language && [query.language],
        },
      }),
      failure: ({ json }) =>
        objectIn(objectIn(json).error).type === 'insufficient_quota' ? { kind: 'quota' } : undefined,
      read: (json, query) => {
        const results = listIn(objectIn(json).results);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const extract = markdownText(textIn(item.snippet));
            return {
              url: item.url,
              title: item.title,
              snippet: extract.slice(0, 300),
              passages: [extract],
              publishedAt: item.date ?? item.last_updated,
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}
