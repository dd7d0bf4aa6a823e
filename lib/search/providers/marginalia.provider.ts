import { boolean, object, optional } from '../../core/schema.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, optionalText, type KeyedProviderOptions } from './http-provider.js';
import { hit, hitList, hitText } from './search-hits.js';

/** Options of {@link marginalia}. */
export interface MarginaliaOptions extends KeyedProviderOptions {
  /** Name of a filter that is set up for the key. Default: none. */
  filter?: string;
  /** True: leaves out extreme results (Marginalia calls this experimental). Default false. */
  safeSearch?: boolean;
}

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
    fields: { filter: optionalText, safeSearch: optional(boolean()) },
    filters: [],
    request: ({ text: asked, count, includeDomains }, { filter, safeSearch }) => {
      return {
        path: '/search',
        params: {
          query: includeDomains?.length === 1 ? `${asked} site:${includeDomains[0]}` : asked,
          count,
          filter,
          nsfw: safeSearch ? 1 : undefined,
        },
      };
    },
    failures: [
      {
        status: 429,
        says: /^Daily Limit/,
        kind: 'quota',
        advice: 'has used up the daily limit of this key. Get a key of your own or a larger one.',
      },
      { status: 200, says: /^Query Execution Failed/, kind: 'unavailable' },
    ],
    response: object({
      license: hitText,
      results: hitList(hit({ snippet: 'description' })),
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
