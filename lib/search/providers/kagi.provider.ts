import type { SearchProvider } from '../search-provider.js';
import { isObject, listIn, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import { flag, key, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList, freshSince } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface KagiOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `US`, or `no_region`; default: Kagi's. */
  region?: string;
  /** Default: Kagi's (true). */
  safeSearch?: boolean;
}

/**
 * Kagi, version 1 of its API.
 *
 * Wire format: `POST /api/v1/search` with a bearer key (Kagi's OpenAPI clients, SearXNG's `engines/kagi.py`). `data.search` is
 * absent when nothing was found. An error body is `{meta, data: [], error: [{code, url, message}]}`; 429 stands both for
 * a rate limit and for a used-up allowance, told apart by the words of the error because the codes are not published.
 * No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function kagi(options: KagiOptions): SearchProvider {
  const { apiKey, region, safeSearch, http } = providerOptions('kagi', options, 'https://kagi.com', {
    apiKey: key('KAGI_API_KEY'),
    region: text,
    safeSearch: flag,
  });
  return httpProvider(
    {
      name: 'kagi',
      label: 'Kagi',
      secret: apiKey,
      request: (query) => {
        const sites_included = domainList(query.includeDomains);
        const sites_excluded = domainList(query.excludeDomains);
        return {
          path: '/api/v1/search',
          headers: { authorization: `Bearer ${apiKey}` },
          json: {
            query: query.text,
            workflow: 'search',
            limit: query.count,
            safe_search: safeSearch,
            filters:
              region || query.freshness
                ? {
                    region,
                    after: query.freshness && freshSince(query.freshness).toISOString().slice(0, 10),
                  }
                : undefined,
            lens: sites_included || sites_excluded ? { sites_included, sites_excluded } : undefined,
          },
        };
      },
      failure,
      read: (json, query) => {
        const data = objectIn(json).data;
        if (!isObject(data)) return undefined;
        if (data.search === undefined || data.search === null) return { hits: [] };
        const results = listIn(data.search);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => ({
            url: item.url,
            title: item.title,
            snippet: oneLine(textIn(item.snippet)),
            publishedAt: item.time,
          }));
        return hits && { hits };
      },
    },
    http,
  );
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const errors = (listIn(objectIn(answer.json).error) ?? []).map(objectIn);
  const words = errors.map((error) => `${textIn(error.code)} ${textIn(error.message)}`).join(' ');
  if (answer.status === 402 || /usage.?limit|exhausted|credit|balance|billing/i.test(words))
    return { kind: 'quota' };
  if (answer.status === 403)
    return {
      kind: 'auth',
      advice: 'does not allow this server’s address for the key: add it to the key’s allow list.',
    };
  if (answer.status === 429) return { kind: 'rate_limited', retryAfterSeconds: retryAfter(answer) };
  if (answer.status !== 200 || errors.length === 0) return undefined;
  return { kind: /auth|token|key/i.test(words) ? 'auth' : 'unavailable' };
}
