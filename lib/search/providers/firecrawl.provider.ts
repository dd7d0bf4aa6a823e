import type { SearchProvider } from '../search-provider.js';
import { isObject, listIn, numberIn, objectIn, textIn } from './json-fields.js';
import { markdownText } from './markdown-text.js';
import { oneLine } from '../plain-text.js';
import { flag, key, optionalKey, providerOptions, text, type ProviderOptions } from './provider-options.js';
import {
  httpProvider,
  reasonOf,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
} from './provider-request.js';
import { domainList } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface FirecrawlOptions extends ProviderOptions {
  /** Needed unless `baseUrl` names an instance of your own that asks for none. */
  apiKey?: string;
  /** Two letters, e.g. `US`; default: Firecrawl's (`US`). */
  country?: string;
  /** True: each page is scraped and returned whole as a passage, at a credit a page (raise `timeoutMs`); default false. */
  pages?: boolean;
}

/**
 * Firecrawl, version 2 of its API.
 *
 * Wire format: `POST /v2/search` with a bearer key (Firecrawl's documentation and `controllers/v2/search.ts` of its source). Every
 * failure carries `success: false`, also behind a 200. A 429 tells the wait in words ("retry after 25s") and, since autumn
 * 2026, in `Retry-After`. Domains are either included or excluded: with both, the included ones are sent. No call to the
 * live service was made.
 *
 * @throws InvalidOptionError
 */
export function firecrawl(options: FirecrawlOptions): SearchProvider {
  const { apiKey, country, pages, http } = providerOptions(
    'firecrawl',
    options,
    'https://api.firecrawl.dev',
    {
      apiKey: (options?.baseUrl === undefined ? key : optionalKey)('FIRECRAWL_API_KEY'),
      country: text,
      pages: flag,
    },
  );
  return httpProvider(
    {
      name: 'firecrawl',
      label: 'Firecrawl',
      secret: apiKey,
      request: (query) => {
        const includeDomains = domainList(query.includeDomains);
        return {
          path: '/v2/search',
          headers: apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` },
          json: {
            query: query.text,
            limit: query.count,
            sources: ['web'],
            country,
            tbs: query.freshness && `qdr:${query.freshness.charAt(0)}`,
            includeDomains,
            excludeDomains: includeDomains ? undefined : domainList(query.excludeDomains),
            timeout: http.timeoutMs,
            scrapeOptions: pages ? { formats: ['markdown'], onlyMainContent: true } : undefined,
          },
        };
      },
      failure,
      read: (json, query) => {
        const { success, data } = objectIn(json);
        if (success !== true || !isObject(data)) return undefined;
        if (data.web === undefined) return { hits: [] };
        const results = listIn(data.web);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const page = markdownText(textIn(item.markdown));
            return {
              url: item.url,
              title: item.title,
              snippet: oneLine(textIn(item.description)) || page.slice(0, 300),
              passages: [page],
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const body = objectIn(answer.json);
  if (answer.status === 429) {
    const seconds = /retry after (\d{1,6})s/.exec(reasonOf(body))?.[1];
    return {
      kind: 'rate_limited',
      retryAfterSeconds:
        retryAfter(answer) ?? numberIn(body.retry_after_seconds) ?? (seconds ? Number(seconds) : undefined),
    };
  }
  if (answer.status !== 200 || body.success !== false) return undefined;
  return { kind: /credit/i.test(reasonOf(body)) ? 'quota' : 'unavailable' };
}
