import type { SearchProvider } from '../search-provider.js';
import { listIn, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import { flag, key, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface MarginaliaOptions extends KeyedProviderOptions {
  /** Name of a filter set up for the key; default: none. */
  filter?: string;
  /** True: leaves out extreme results (experimental, says Marginalia); default false. */
  safeSearch?: boolean;
}

/** The limit that a minute's wait lifts counts by the minute. */
const MINUTE_SECONDS = 60;

/**
 * Marginalia, an index of the small web. The key `public` works for trying and is often over its limit; results are
 * CC BY-NC-SA unless the key is a commercial one.
 *
 * Wire format: `GET /search` with `API-Key` (about.marginalia-search.com/article/api; statuses and texts from `ApiV2.java` of its
 * source): refusals are plain text, 429 is either the limit a minute ("QPM Limit Exceeded") or a day ("Daily Limit
 * Exceeded"), and a failed query is the bare text "Query Execution Failed", which can come as a 200. No call to the live
 * service was made.
 *
 * @throws InvalidOptionError
 */
export function marginalia(options: MarginaliaOptions): SearchProvider {
  const { apiKey, filter, safeSearch, http } = providerOptions(
    'marginalia',
    options,
    'https://api2.marginalia-search.com',
    { apiKey: key('MARGINALIA_API_KEY'), filter: text, safeSearch: flag },
  );
  return httpProvider(
    {
      name: 'marginalia',
      label: 'Marginalia',
      // `public` is a word, not a secret.
      secret: apiKey === 'public' ? undefined : apiKey,
      request: (query) => {
        const include = domainList(query.includeDomains);
        return {
          path: '/search',
          headers: { 'api-key': apiKey },
          params: {
            query: include?.length === 1 ? `${query.text} site:${include[0]}` : query.text,
            count: query.count,
            filter,
            nsfw: safeSearch ? 1 : undefined,
          },
        };
      },
      failure,
      read: (json, query) => {
        const results = listIn(objectIn(json).results);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => ({
            url: item.url,
            title: item.title,
            snippet: oneLine(textIn(item.description)),
          }));
        return hits && { hits };
      },
    },
    http,
  );
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status === 429 && /^Daily Limit/.test(answer.body))
    return {
      kind: 'quota',
      advice: 'has used up the daily limit of this key: get a key of your own or a larger one.',
    };
  if (answer.status === 429)
    return { kind: 'rate_limited', retryAfterSeconds: retryAfter(answer) ?? MINUTE_SECONDS };
  return answer.status === 200 && /^Query Execution Failed/.test(answer.body)
    ? { kind: 'unavailable' }
    : undefined;
}
