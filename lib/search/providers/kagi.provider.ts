import { arrayAt, stringAt } from '../../core/json.js';
import { boolean, nullable, object, optional } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type DateRange, type Freshness } from '../freshness.js';
import { oneLine } from '../plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './http-provider.js';
import { domainList } from './narrowing.js';
import { apiKey as key, providerOptions, words, type KeyedProviderOptions } from './provider-options.js';
import { list, text } from './search-hits.js';

/** Options of {@link kagi}. */
export interface KagiOptions extends KeyedProviderOptions {
  /** Region as two letters, e.g. `US`, or `no_region`. Default: Kagi's. */
  region?: string;
  /** Default: Kagi's (true). */
  safeSearch?: boolean;
}

const RESPONSE = object({
  // `search` is absent when nothing was found.
  data: object({ search: nullable(list(object({ url: text, title: text, snippet: text, time: text }))) }),
});

/**
 * Kagi, version 1 of its API.
 *
 * Wire format: `POST /api/v1/search` with a bearer key (Kagi's OpenAPI clients of 2026-05-26; SearXNG's `engines/kagi.py`). An
 * error body is `{meta, data: [], error: [{code, url, message}]}`. A 429 is a rate limit or a used-up allowance; the words of
 * the error decide, because the codes are not published. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function kagi(options: KagiOptions): SearchProvider {
  const { apiKey, region, safeSearch, http } = providerOptions('kagi', options, 'https://kagi.com', {
    apiKey: key('Kagi', 'KAGI_API_KEY'),
    region: words,
    safeSearch: optional(boolean()),
  });
  return httpProvider(
    {
      name: 'kagi',
      label: 'Kagi',
      secret: apiKey,
      request: ({ text: query, count, freshness, includeDomains, excludeDomains }) => {
        const sites_included = domainList(includeDomains);
        const sites_excluded = domainList(excludeDomains);
        const { from: after, to: before } = freshness ? daysOf(freshness) : {};
        return {
          path: '/api/v1/search',
          headers: { authorization: `Bearer ${apiKey}` },
          json: {
            query,
            workflow: 'search',
            limit: count,
            safe_search: safeSearch,
            filters: region || after || before ? { region, after, before } : undefined,
            lens: sites_included || sites_excluded ? { sites_included, sites_excluded } : undefined,
          },
        };
      },
      failure,
      response: RESPONSE,
      results: ({ data }) =>
        (data.search ?? []).map((result) => ({
          url: result.url,
          title: result.title,
          snippet: oneLine(result.snippet),
          publishedAt: result.time,
        })),
    },
    http,
    { narrows: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'] },
  );
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
  if (answer.status === 429) return { kind: 'rate_limited', retryAfterSeconds: retryAfter(answer) };
  if (answer.status !== 200 || errors.length === 0) return undefined;
  return { kind: /auth|token|key/i.test(said) ? 'auth' : 'unavailable' };
}
