import { object, oneOf, withDefault } from '../../core/schema.js';
import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { rangeOf } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { oneDomainList } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link parallel}. */
export interface ParallelOptions extends KeyedProviderOptions {
  /** `turbo` and `fast` cost a fifth of `basic` and `advanced` and answer within a second. `advanced` is slow: raise `timeoutMs`. Default `fast`. */
  mode?: 'turbo' | 'fast' | 'basic' | 'advanced';
  /** Country as two letters, e.g. `US`. Parallel ignores those that it does not know. Default: none. */
  country?: string;
}

const MAX_DOMAINS = 200; // in both lists together (its OpenAPI document, 2026)
/** Longest of the `search_queries`, characters (its OpenAPI document, 2026). The whole question stands in `objective`. */
const MAX_QUERY = 200;

/**
 * Parallel, with the excerpts of each page as passages.
 *
 * Wire format: `POST /v1/search` with `x-api-key` (docs.parallel.ai, search; types of `parallel-web` 1.3.3; the limits of `search_queries` in Parallel's
 * OpenAPI document of 2026-07-14: five of 200 characters). Error bodies are
 * `{type: "error", error: {ref_id, message, detail}}`. Excluded domains do not count next to included ones. Results can have a first day, not a
 * last one.
 *
 * @throws InvalidOptionError
 */
export function parallel(options: ParallelOptions): SearchProvider {
  return httpProvider(options, {
    name: 'parallel',
    label: 'Parallel',
    root: 'https://api.parallel.ai',
    key: { variable: 'PARALLEL_API_KEY', header: 'x-api-key' },
    fields: { mode: withDefault(oneOf('turbo', 'fast', 'basic', 'advanced'), 'fast'), country: countryCode },
    filters: ['freshness', 'includeDomains', 'excludeDomains'],
    request: (query, { mode, country }) => {
      const { include: include_domains, exclude: exclude_domains } = oneDomainList(query, MAX_DOMAINS);
      const after_date = query.freshness && rangeOf(query.freshness).from;
      return {
        path: '/v1/search',
        json: {
          search_queries: cutAtBlanks(query.text, MAX_QUERY),
          objective: query.text,
          mode,
          advanced_settings: {
            max_results: query.count,
            location: country?.toLowerCase(),
            source_policy:
              include_domains || exclude_domains || after_date
                ? { include_domains, exclude_domains, after_date }
                : undefined,
          },
        },
      };
    },
    response: object({ results: hitList(hit({ passages: ['excerpts'], publishedAt: ['publish_date'] })) }),
    results: ({ results }) => results,
  });
}
