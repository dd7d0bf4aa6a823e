import { integer, object, oneOf, optional } from '../../core/schema.js';
import { isPeriod, widened } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { monthFirst, oneDomainList } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link perplexity}. */
export interface PerplexityOptions extends KeyedProviderOptions {
  /** Country as two letters, e.g. `US`. Default: none. */
  country?: string;
  /** `fast` is quicker and costs a fifth, for simple questions; `people` finds people. Default: Perplexity's (`web`). */
  searchType?: 'web' | 'fast' | 'people';
  /** Tokens taken from each page, 1 to 10,000. Default: Perplexity's. */
  maxTokensPerPage?: number;
}

/** Limit of `search_domain_filter` (Perplexity's documentation, 2026). */
const MAX_DOMAINS = 20;

/**
 * Perplexity's search API (results, not the answers of Sonar). The extracts are long and count as passages.
 *
 * Wire format: `POST /search` with a bearer key (types of `@perplexity-ai/perplexity_ai` 0.38.5, which have `people`; docs.perplexity.ai, docs/search/fast-search,
 * which has `fast`). Domains are
 * allowed or denied (`-example.com`), not both. Error bodies are `{error: {message, type, code}}`. That an empty account is a
 * 401 of the type `insufficient_quota` is not verified.
 *
 * @throws InvalidOptionError
 */
export function perplexity(options: PerplexityOptions): SearchProvider {
  return httpProvider(options, {
    name: 'perplexity',
    label: 'Perplexity',
    root: 'https://api.perplexity.ai',
    key: { variable: 'PERPLEXITY_API_KEY' },
    fields: {
      country: countryCode,
      searchType: optional(oneOf('web', 'fast', 'people')),
      maxTokensPerPage: optional(integer(1, 10_000)),
    },
    filters: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { country, searchType, maxTokensPerPage }) => {
      const { include, exclude } = oneDomainList(query, MAX_DOMAINS);
      const { freshness } = query;
      const range = freshness && !isPeriod(freshness) ? widened(freshness) : {};
      return {
        path: '/search',
        json: {
          query: query.text,
          search_type: searchType,
          max_results: Math.min(query.count, 20),
          max_tokens_per_page: maxTokensPerPage,
          country: country?.toUpperCase(),
          search_domain_filter: include ?? exclude?.map((domain) => `-${domain}`),
          search_recency_filter: isPeriod(freshness) ? freshness : undefined,
          search_after_date_filter: range.from && monthFirst(range.from),
          search_before_date_filter: range.to && monthFirst(range.to),
          search_language_filter: query.language && [query.language],
        },
      };
    },
    failures: [{ says: /"insufficient_quota"/, kind: 'quota' }],
    response: object({
      results: hitList(hit({ passages: ['snippet'], publishedAt: ['date', 'last_updated'] })),
    }),
    results: ({ results }) => results,
  });
}
