import { object, oneOf, optional, withDefault } from '../../core/schema.js';
import { isPeriod } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, optionalText, type ProviderOptions } from './http-provider.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link tavily}. */
export interface TavilyOptions extends ProviderOptions {
  /** Without a key, Tavily answers a limited number of searches of this server's address. Leave it out; `undefined` is refused. */
  apiKey?: string;
  /** `advanced` costs two credits and returns longer passages; `ultra-fast` returns one summary of each page. Default `basic`. */
  searchDepth?: 'basic' | 'advanced' | 'fast' | 'ultra-fast';
  /** Default `general`. */
  topic?: 'general' | 'news' | 'finance';
  /** English name of a country whose pages are preferred, e.g. `germany`. Used with the topic `general` only. */
  country?: string;
}

/**
 * Tavily, with a key or, as `tavily()`, without one.
 *
 * Wire format: `POST /search` with a bearer key, or with `X-Tavily-Access-Mode: keyless` (docs.tavily.com, also
 * documentation/keyless; `@tavily/core` 0.7.13). The content is the best chunks of the page with `[...]` between them, except in
 * depth `ultra-fast`, and in depth `basic` where it may be a plain extract. 432 is the limit of the plan, 433 the pay-as-you-go limit. A refusal without a key is
 * `{error: {code, message, retry_after_seconds}}`.
 *
 * @throws InvalidOptionError
 */
export function tavily(options: TavilyOptions = {}): SearchProvider {
  const isKeyless = options?.apiKey === undefined;
  const isInChunks = ['advanced', 'fast'].includes(options?.searchDepth ?? '');
  return httpProvider(options, {
    name: 'tavily',
    label: 'Tavily',
    root: 'https://api.tavily.com',
    key: { variable: 'TAVILY_API_KEY', isOptional: true, keyless: 'a limited number of searches' },
    fields: {
      searchDepth: withDefault(oneOf('basic', 'advanced', 'fast', 'ultra-fast'), 'basic'),
      topic: optional(oneOf('general', 'news', 'finance')),
      country: optionalText,
    },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: ({ text: query, count, freshness, ...domains }, { searchDepth, topic, country }) => ({
      path: '/search',
      headers: isKeyless ? { 'x-tavily-access-mode': 'keyless' } : undefined,
      json: {
        query,
        search_depth: searchDepth,
        topic,
        country: topic === undefined || topic === 'general' ? country : undefined,
        max_results: Math.min(count, 20),
        ...(isPeriod(freshness)
          ? { time_range: freshness }
          : { start_date: freshness?.from, end_date: freshness?.to }),
        include_domains: domains.includeDomains?.slice(0, 300),
        exclude_domains: domains.excludeDomains?.slice(0, 150),
      },
    }),
    response: object({
      results: hitList(hit({ snippet: 'content', score: 'score', publishedAt: ['published_date'] })),
    }),
    results: ({ results }) =>
      results.map(({ snippet = '', ...found }) => {
        const parts = snippet.split('[...]');
        return isInChunks || parts.length > 1 ? { ...found, passages: parts } : { ...found, snippet };
      }),
  });
}
