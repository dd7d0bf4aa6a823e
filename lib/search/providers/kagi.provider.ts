import { arrayAt, stringAt } from '../../core/json.js';
import { boolean, nullable, object, optional } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type DateRange, type Freshness } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import {
  httpProvider,
  words,
  type KeyedProviderOptions,
  type ProviderAnswer,
  type ProviderFailure,
} from './http-provider.js';
import { domainList } from './query-filters.js';
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
      const sites_included = domainList(query.includeDomains);
      const sites_excluded = domainList(query.excludeDomains);
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
    failure,
    response: object({
      // `search` is absent when nothing was found.
      data: object({ search: nullable(list(hit({ snippet: 'snippet', publishedAt: 'time' }))) }),
    }),
    results: ({ data }) => data.search ?? [],
  });
}

/** Kagi takes the ends as "after" and "before". A period has a day to spare at its beginning. */
function daysOf(freshness: Freshness): DateRange {
  return isPeriod(freshness) ? rangeOf(freshness) : widened(freshness);
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const errors = arrayAt(answer.json, 'error');
  const said = errors.map((e) => `${stringAt(e, 'code') ?? ''} ${stringAt(e, 'message') ?? ''}`).join(' ');
  if (answer.status === 402 || /usage.?limit|exhausted|credit|balance|billing/i.test(said))
    return { kind: 'quota' };
  if (answer.status === 403)
    return {
      kind: 'auth',
      advice: 'does not allow this server’s address for the key. Add it to the key’s allow list.',
    };
  if (answer.status === 429) return { kind: 'rate_limited' };
  if (answer.status !== 200 || errors.length === 0) return undefined;
  return { kind: /auth|token|key/i.test(said) ? 'auth' : 'unavailable' };
}
