import type { SearchProvider } from '../search-provider.js';
import { isObject, listIn, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import { key, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider, reasonOf } from './provider-request.js';
import { withSiteOperators } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface SerperOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `us`; default: Serper's (`us`). */
  country?: string;
  /** Place as Google names it, e.g. `Lisbon, Portugal`; default: none. */
  location?: string;
}

/**
 * Serper (Google's results).
 *
 * Wire format: `POST /search` with `X-API-KEY`. Serper publishes no reference of its errors; those known come from public
 * reports: 403 `{"message":"Unauthorized.","statusCode":403}` (crewAI issue 633) and 400
 * `{"message":"Not enough credits","statusCode":400}` (adapters and their tests in public code). No call to the live
 * service was made.
 *
 * @throws InvalidOptionError
 */
export function serper(options: SerperOptions): SearchProvider {
  const { apiKey, country, location, http } = providerOptions(
    'serper',
    options,
    'https://google.serper.dev',
    { apiKey: key('SERPER_API_KEY'), country: text, location: text },
  );
  return httpProvider(
    {
      name: 'serper',
      label: 'Serper',
      secret: apiKey,
      request: (query) => ({
        path: '/search',
        headers: { 'x-api-key': apiKey },
        json: {
          q: withSiteOperators(query),
          // Ten come without asking; more than ten cost a second credit.
          num: query.count > 10 ? query.count : undefined,
          gl: country?.toLowerCase(),
          hl: query.language,
          location,
          tbs: query.freshness && `qdr:${query.freshness.charAt(0)}`,
        },
      }),
      failure: (answer) =>
        answer.status === 400 && /credit/i.test(reasonOf(answer.json)) ? { kind: 'quota' } : undefined,
      read: (json, query) => {
        const body = objectIn(json);
        if (body.organic === undefined && isObject(body.searchParameters)) return { hits: [] };
        const results = listIn(body.organic);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => ({
            url: item.link,
            title: item.title,
            snippet: oneLine(textIn(item.snippet)),
            publishedAt: item.date,
          }));
        return hits && { hits };
      },
    },
    http,
  );
}
