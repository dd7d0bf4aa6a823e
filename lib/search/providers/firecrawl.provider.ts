import { boolean, nullable, object, oneOf, withDefault } from '../../core/schema.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, type ProviderOptions } from './http-provider.js';
import { googleTimeFilter, oneDomainList } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link firecrawl}. */
export interface FirecrawlOptions extends ProviderOptions {
  /**
   * Without a key, Firecrawl answers for 1,000 credits a month (about 500 searches). An instance of your own (`baseUrl`) may need
   * none. Leave it out; `undefined` is refused.
   */
  apiKey?: string;
  /** Country as two letters, e.g. `US`. Default: Firecrawl's (`US`). */
  country?: string;
  /** True: Firecrawl reads each page and returns it whole as a passage, for one credit a page. Raise `timeoutMs`. Default false. */
  pages?: boolean;
}

/** A description of a website is one line and shorter. Highlights are longer or have several lines. Set by hand. */
const LONGEST_DESCRIPTION = 300;
/** The service gives up this long before we do, so that it can still answer, ms; set by hand. */
const HEAD_START_MS = 500;

/**
 * Firecrawl, version 2 of its API, with a key or, as `firecrawl()`, without one.
 *
 * Wire format: `POST /v2/search` with a bearer key (docs.firecrawl.dev, features/search and features/search-highlights;
 * `controllers/v2/search.ts` of its source; firecrawl-mcp 3.22). Highlights are on by default and arrive as Markdown in
 * `description`. Every failure carries `success: false`, also behind a 200. A 429 gives the wait in words ("retry after 25s"), in
 * `retry_after_seconds` or in `Retry-After`. Included and excluded domains exclude each other. Without a key, a used-up
 * allowance is a 429 with `reason: "credits"` or `"requests"`.
 *
 * @throws InvalidOptionError
 */
export function firecrawl(options: FirecrawlOptions = {}): SearchProvider {
  return httpProvider(options, {
    name: 'firecrawl',
    label: 'Firecrawl',
    root: 'https://api.firecrawl.dev',
    key: {
      variable: 'FIRECRAWL_API_KEY',
      isOptional: true,
      keyless: options?.baseUrl === undefined ? 'about 500 searches a month (1,000 credits)' : undefined,
    },
    fields: { country: countryCode, pages: withDefault(boolean(), false) },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { country, pages, timeoutMs }) => {
      const { include, exclude } = oneDomainList(query);
      return {
        path: '/v2/search',
        json: {
          query: query.text,
          limit: query.count,
          sources: ['web'],
          country: country?.toUpperCase(),
          tbs: query.freshness && googleTimeFilter(query.freshness),
          includeDomains: include,
          excludeDomains: exclude,
          timeout: Math.max(1, timeoutMs - HEAD_START_MS),
          scrapeOptions: pages ? { formats: ['markdown'], onlyMainContent: true } : undefined,
        },
      };
    },
    failures: [
      { status: 429, says: /"reason":\s*"(?:credits|requests)"/, kind: 'quota' },
      { status: 200, says: /"success":\s*false/, kind: 'unavailable' },
    ],
    response: object({
      success: oneOf(true),
      // `web` is absent when nothing was found.
      data: object({ web: nullable(hitList(hit({ snippet: 'description', passages: ['markdown'] }))) }),
    }),
    results: ({ data }) =>
      (data.web ?? []).map(({ snippet = '', passages = [], ...found }) =>
        snippet.length > LONGEST_DESCRIPTION || snippet.trim().includes('\n')
          ? { ...found, passages: [snippet, ...passages] }
          : { ...found, snippet, passages },
      ),
  });
}
