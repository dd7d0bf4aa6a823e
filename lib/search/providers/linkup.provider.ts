import { stringAt } from '../../core/json.js';
import { object, oneOf, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import { cleanText } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import {
  httpProvider,
  type KeyedProviderOptions,
  type ProviderAnswer,
  type ProviderFailure,
} from './http-provider.js';
import { domainList } from './query-filters.js';
import { list, text } from './search-hits.js';

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
          includeDomains: domainList(query.includeDomains, 100),
          excludeDomains: domainList(query.excludeDomains, 100),
        },
      };
    },
    foundNothing: (answer) => answer.status === 400 && codeOf(answer) === 'SEARCH_QUERY_NO_RESULT',
    failure,
    response: object({
      results: list(object({ type: text, url: text, name: text, content: text, date: text })),
    }),
    results: ({ results }) =>
      results
        .filter(({ type }) => type !== 'image')
        .map(({ url, name, content, date }) => ({
          url,
          title: name,
          passages: [content],
          publishedAt: date,
        })),
    texts: { passage: cleanText },
  });
}

function codeOf({ json }: ProviderAnswer): string | undefined {
  return stringAt(json, 'error', 'code');
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status !== 429) return undefined;
  const code = codeOf(answer);
  if (code === 'INSUFFICIENT_FUNDS_CREDITS') return { kind: 'quota' };
  return code === 'EXCEED_BUDGET_LIMIT'
    ? { kind: 'quota', advice: 'has reached the budget set for this key. Raise it in Linkup’s settings.' }
    : undefined;
}
