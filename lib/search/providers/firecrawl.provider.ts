import { at, numberAt, stringAt } from '../../core/json.js';
import { boolean, nullable, object, oneOf, withDefault } from '../../core/schema.js';
import type { SearchProvider } from '../search-provider.js';
import {
  countryCode,
  httpProvider,
  reasonOf,
  refusalWithoutKey,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderOptions,
} from './http-provider.js';
import { googleTimeFilter, oneDomainList } from './query-filters.js';
import { list, markdownText, text } from './search-hits.js';

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

/** A description of a website is one line and shorter. Highlights are longer or have several lines. */
const LONGEST_DESCRIPTION = 300;
/** The service gives up this long before we do, so that it can still answer, ms. */
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
  const isKeyless = options?.apiKey === undefined && options?.baseUrl === undefined;
  return httpProvider(options, {
    name: 'firecrawl',
    label: 'Firecrawl',
    root: 'https://api.firecrawl.dev',
    key: { variable: 'FIRECRAWL_API_KEY', isOptional: true },
    fields: { country: countryCode, pages: withDefault(boolean(), false) },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    notice: isKeyless
      ? 'Firecrawl without a key answers about 500 searches a month (1,000 credits). Set `apiKey` (FIRECRAWL_API_KEY) for more.'
      : undefined,
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
    failure: (answer) => failure(answer, isKeyless),
    response: object({
      success: oneOf(true),
      // `web` is absent when nothing was found.
      data: object({
        web: nullable(list(object({ url: text, title: text, description: text, markdown: text }))),
      }),
    }),
    results: ({ data }) =>
      (data.web ?? []).map(({ url, title, description, markdown }) => {
        const about = description.trim();
        return about.length > LONGEST_DESCRIPTION || about.includes('\n')
          ? { url, title, passages: [about, markdown] }
          : { url, title, snippet: about, passages: [markdown] };
      }),
    texts: { snippet: markdownText, passage: markdownText },
  });
}

function failure(answer: ProviderAnswer, keyless: boolean): ProviderFailure | undefined {
  const { status, json } = answer;
  const seconds = /retry after (\d{1,6})s/.exec(reasonOf(json))?.[1];
  const inWords = seconds === undefined ? undefined : Number(seconds);
  const waitSeconds = retryAfter(answer) ?? numberAt(json, 'retry_after_seconds') ?? inWords;
  const isUsedUp = ['credits', 'requests'].includes(stringAt(json, 'reason') ?? '');
  const refusal = keyless
    ? refusalWithoutKey(answer, 'FIRECRAWL_API_KEY', { waitSeconds, isUsedUp })
    : undefined;
  if (refusal) return refusal;
  if (status === 429) return { kind: isUsedUp ? 'quota' : 'rate_limited', retryAfterSeconds: waitSeconds };
  if (status !== 200 || at(json, 'success') !== false) return undefined;
  return { kind: /credit/i.test(reasonOf(json)) ? 'quota' : 'unavailable' };
}
