import { anything, isRecord, nullable, object, optional, refine } from '../../core/schema.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, optionalText, type KeyedProviderOptions } from './http-provider.js';
import { googleTimeFilter, withSiteOperators } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link serper}. */
export interface SerperOptions extends KeyedProviderOptions {
  /** Country as two letters, e.g. `us`. Default: Serper's (`us`). */
  country?: string;
  /** Place as Google names it, e.g. `Lisbon, Portugal`. Default: none. */
  location?: string;
}

/**
 * Serper (Google's results).
 *
 * Wire format: `POST /search` with `X-API-KEY`. Serper publishes no reference of its errors. Known from public reports: 403
 * `{"message":"Unauthorized.","statusCode":403}` (crewAI issue 633) and 400 `{"message":"Not enough credits","statusCode":400}`
 * (adapters in public code).
 *
 * @throws InvalidOptionError
 */
export function serper(options: SerperOptions): SearchProvider {
  return httpProvider(options, {
    name: 'serper',
    label: 'Serper',
    root: 'https://google.serper.dev',
    key: { variable: 'SERPER_API_KEY', header: 'x-api-key' },
    fields: { country: countryCode, location: optionalText },
    filters: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { country, location }) => ({
      path: '/search',
      json: {
        q: withSiteOperators(query),
        // Ten come by default. More than ten cost a second credit.
        num: query.count > 10 ? query.count : undefined,
        gl: country?.toLowerCase(),
        hl: query.language,
        location,
        tbs: query.freshness && googleTimeFilter(query.freshness),
      },
    }),
    failures: [{ status: 400, says: /credit/i, kind: 'quota' }],
    // `organic` is absent when nothing was found; the echo of the parameters is then there.
    response: refine(
      object({
        organic: nullable(hitList(hit({ url: 'link', snippet: 'snippet', publishedAt: ['date'] }))),
        searchParameters: optional(anything()),
      }),
      'an answer of Serper',
      ({ organic, searchParameters }) => organic !== undefined || isRecord(searchParameters),
    ),
    results: ({ organic }) => organic ?? [],
  });
}
