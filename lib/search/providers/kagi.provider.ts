import { boolean, nullable, object, optional } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type DateRange, type Freshness } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, words, type KeyedProviderOptions } from './http-provider.js';
import { hit, list } from './search-hits.js';

/** Options of {@link kagi}. */
export interface KagiOptions extends KeyedProviderOptions {
  /** Region as two letters, e.g. `US`, or `no_region`. Default: Kagi's. */
  region?: string;
  /** Default: Kagi's (true). */
  safeSearch?: boolean;
}

/**
 * Kagi, version 1 of its API.
 *
 * Wire format: `POST /api/v1/search` with a bearer key (Kagi's OpenAPI clients of 2026-05-26; SearXNG's `engines/kagi.py`). An
 * error body is `{meta, data: [], error: [{code, url, message}]}`. A 429 is a rate limit or a used-up allowance; the words of
 * the error decide, because the codes are not published.
 *
 * @throws InvalidOptionError
 */
export function kagi(options: KagiOptions): SearchProvider {
  return httpProvider(options, {
    name: 'kagi',
    label: 'Kagi',
    root: 'https://kagi.com',
    key: { variable: 'KAGI_API_KEY' },
    fields: { region: words, safeSearch: optional(boolean()) },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { region, safeSearch }) => {
      const { includeDomains: sites_included, excludeDomains: sites_excluded } = query;
      const { from: after, to: before } = query.freshness ? daysOf(query.freshness) : {};
      return {
        path: '/api/v1/search',
        json: {
          query: query.text,
          workflow: 'search',
          limit: query.count,
          safe_search: safeSearch,
          filters: region || after || before ? { region, after, before } : undefined,
          lens: sites_included || sites_excluded ? { sites_included, sites_excluded } : undefined,
        },
      };
    },
    failures: [
      { says: /usage.?limit|exhausted|credit|balance|billing/i, kind: 'quota' },
      {
        status: 403,
        kind: 'auth',
        advice: 'does not allow this server’s address for the key. Add it to the key’s allow list.',
      },
      { status: 200, says: /"error":\s*\[\s*\{/, kind: 'unavailable' },
    ],
    response: object({
      // `search` is absent when nothing was found.
      data: object({ search: nullable(list(hit({ snippet: 'snippet', publishedAt: ['time'] }))) }),
    }),
    results: ({ data }) => data.search ?? [],
  });
}

/** Kagi takes the ends as "after" and "before". A period has a day to spare at its beginning. */
function daysOf(freshness: Freshness): DateRange {
  return isPeriod(freshness) ? rangeOf(freshness) : widened(freshness);
}
