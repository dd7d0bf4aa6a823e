import { boolean, object, optional } from '../../core/schema.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import {
  httpProvider,
  retryAfter,
  words,
  type KeyedProviderOptions,
  type ProviderAnswer,
  type ProviderFailure,
} from './http-provider.js';
import { domainList } from './query-filters.js';
import { hit, list, text } from './search-hits.js';

/** Options of {@link marginalia}. */
export interface MarginaliaOptions extends KeyedProviderOptions {
  /** Name of a filter that is set up for the key. Default: none. */
  filter?: string;
  /** True: leaves out extreme results (Marginalia calls this experimental). Default false. */
  safeSearch?: boolean;
}

/** One of the limits counts by the minute. */
const MINUTE_SECONDS = 60;

/**
 * Marginalia, an index of the small web. The key `public` works for trying and is often over its limit. Results are
 * CC BY-NC-SA unless the key is a commercial one; each result carries the licence that the service names.
 *
 * Wire format: `GET /search` with `API-Key` (about.marginalia-search.com/article/api; `ApiV2.java` of its source, 2026-07-24).
 * Refusals are plain text. A 429 is the limit of a minute ("QPM Limit Exceeded") or of a day ("Daily Limit Exceeded"). A failed
 * query is the text "Query Execution Failed", which can come with a 200.
 *
 * @throws InvalidOptionError
 */
export function marginalia(options: MarginaliaOptions): SearchProvider {
  return httpProvider(options, {
    name: 'marginalia',
    label: 'Marginalia',
    root: 'https://api2.marginalia-search.com',
    key: { variable: 'MARGINALIA_API_KEY', header: 'api-key' },
    fields: { filter: words, safeSearch: optional(boolean()) },
    filters: [],
    request: (query, { filter, safeSearch }) => {
      const include = domainList(query.includeDomains);
      return {
        path: '/search',
        params: {
          query: include?.length === 1 ? `${query.text} site:${include[0]}` : query.text,
          count: query.count,
          filter,
          nsfw: safeSearch ? 1 : undefined,
        },
      };
    },
    failure,
    response: object({
      license: text,
      results: list(hit({ snippet: 'description' })),
    }),
    results: ({ license, results }) =>
      results.map((found) => ({
        ...found,
        ...(license ? { license: spdx(license), attribution: 'Marginalia Search' } : {}),
      })),
  });
}

/** `CC-BY-NC-SA 4.0`, as the service writes it, is `CC-BY-NC-SA-4.0` in SPDX. */
function spdx(license: string): string {
  return oneLine(license).replace(/ /g, '-');
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status === 429 && answer.body.startsWith('Daily Limit'))
    return {
      kind: 'quota',
      advice: 'has used up the daily limit of this key. Get a key of your own or a larger one.',
    };
  if (answer.status === 429)
    return { kind: 'rate_limited', retryAfterSeconds: retryAfter(answer) ?? MINUTE_SECONDS };
  return answer.status === 200 && answer.body.startsWith('Query Execution Failed')
    ? { kind: 'unavailable' }
    : undefined;
}
