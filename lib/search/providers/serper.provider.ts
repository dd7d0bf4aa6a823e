import { anything, nullable, object, optional, refine } from '../../core/schema.js';
import { oneLine } from '../plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, reasonOf } from './http-provider.js';
import { googleTimeFilter, withSiteOperators } from './narrowing.js';
import {
  apiKey as key,
  countryCode,
  providerOptions,
  words,
  type KeyedProviderOptions,
} from './provider-options.js';
import { list, text } from './search-hits.js';

/** Options of {@link serper}. */
export interface SerperOptions extends KeyedProviderOptions {
  /** Country as two letters, e.g. `us`. Default: Serper's (`us`). */
  country?: string;
  /** Place as Google names it, e.g. `Lisbon, Portugal`. Default: none. */
  location?: string;
}

/** `organic` is absent when nothing was found; the echo of the parameters is then there. */
const RESPONSE = refine(
  object({
    organic: nullable(list(object({ link: text, title: text, snippet: text, date: text }))),
    searchParameters: optional(anything()),
  }),
  'an answer of Serper',
  ({ organic, searchParameters }) =>
    organic !== undefined || (typeof searchParameters === 'object' && searchParameters !== null),
);

/**
 * Serper (Google's results).
 *
 * Wire format: `POST /search` with `X-API-KEY`. Serper publishes no reference of its errors. Known from public reports: 403
 * `{"message":"Unauthorized.","statusCode":403}` (crewAI issue 633) and 400 `{"message":"Not enough credits","statusCode":400}`
 * (adapters in public code). No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function serper(options: SerperOptions): SearchProvider {
  const { apiKey, country, location, http } = providerOptions(
    'serper',
    options,
    'https://google.serper.dev',
    {
      apiKey: key('Serper', 'SERPER_API_KEY'),
      country: countryCode,
      location: words,
    },
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
          // Ten come by default. More than ten cost a second credit.
          num: query.count > 10 ? query.count : undefined,
          gl: country?.toLowerCase(),
          hl: query.language,
          location,
          tbs: query.freshness && googleTimeFilter(query.freshness),
        },
      }),
      failure: (answer) =>
        answer.status === 400 && /credit/i.test(reasonOf(answer.json)) ? { kind: 'quota' } : undefined,
      response: RESPONSE,
      results: ({ organic }) =>
        (organic ?? []).map((result) => ({
          url: result.link,
          title: result.title,
          snippet: oneLine(result.snippet),
          publishedAt: result.date,
        })),
    },
    http,
    { narrows: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'] },
  );
}
