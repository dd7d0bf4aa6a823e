import { object, oneOf, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link linkup}. */
export interface LinkupOptions extends KeyedProviderOptions {
  /** From quick to thorough. `deep` takes several seconds: raise `timeoutMs` and the search deadline. Default `standard`. */
  depth?: 'flash' | 'fast' | 'standard' | 'deep';
}

/**
 * Linkup. Its contents are long extracts and count as passages.
 *
 * Wire format: `POST /v1/search` with a bearer key (docs.linkup.so, also for `flash`; error codes of `linkup-sdk` 3.2.7).
 * "Nothing found" is a 400 with `SEARCH_QUERY_NO_RESULT`. An empty account (`INSUFFICIENT_FUNDS_CREDITS`) and a spent budget
 * (`EXCEED_BUDGET_LIMIT`) are 429.
 *
 * @throws InvalidOptionError
 */
export function linkup(options: LinkupOptions): SearchProvider {
  return httpProvider(options, {
    name: 'linkup',
    label: 'Linkup',
    root: 'https://api.linkup.so',
    key: { variable: 'LINKUP_API_KEY' },
    fields: { depth: withDefault(oneOf('flash', 'fast', 'standard', 'deep'), 'standard') },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { depth }) => {
      const { from, to } = query.freshness ? rangeOf(query.freshness) : {};
      return {
        path: '/v1/search',
        json: {
          q: query.text,
          depth,
          outputType: 'searchResults',
          includeImages: false,
          maxResults: query.count,
          fromDate: from,
          toDate: to,
          includeDomains: query.includeDomains?.slice(0, 100),
          excludeDomains: query.excludeDomains?.slice(0, 100),
        },
      };
    },
    failures: [
      { status: 400, says: /"SEARCH_QUERY_NO_RESULT"/, kind: 'nothing_found' },
      { status: 429, says: /"INSUFFICIENT_FUNDS_CREDITS"/, kind: 'quota' },
      {
        status: 429,
        says: /"EXCEED_BUDGET_LIMIT"/,
        kind: 'quota',
        advice: 'has reached the budget set for this key. Raise it in Linkup’s settings.',
      },
    ],
    response: object({
      results: hitList(hit({ title: 'name', passages: ['content'], publishedAt: ['date'] })),
    }),
    // Images have no content.
    results: ({ results }) => results.filter(({ passages }) => passages?.some(Boolean)),
  });
}
