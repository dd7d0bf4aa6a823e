import { numberAt, stringAt } from '../../core/json.js';
import { object, oneOf, optional, withDefault } from '../../core/schema.js';
import { isPeriod } from '../freshness.js';
import { cleanText } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import {
  httpProvider,
  refusalWithoutKey,
  retryAfter,
  words,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderOptions,
} from './http-provider.js';
import { domainList } from './query-filters.js';
import { list, share, text } from './search-hits.js';

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
  const depth = options?.searchDepth;
  const alwaysInChunks = depth === 'advanced' || depth === 'fast';
  return httpProvider(options, {
    name: 'tavily',
    label: 'Tavily',
    root: 'https://api.tavily.com',
    key: { variable: 'TAVILY_API_KEY', isOptional: true },
    fields: {
      searchDepth: withDefault(oneOf('basic', 'advanced', 'fast', 'ultra-fast'), 'basic'),
      topic: optional(oneOf('general', 'news', 'finance')),
      country: words,
    },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    notice: isKeyless
      ? 'Tavily answers a limited number of searches without a key. Set `apiKey` (TAVILY_API_KEY) for more.'
      : undefined,
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
        include_domains: domainList(domains.includeDomains, 300),
        exclude_domains: domainList(domains.excludeDomains, 150),
      },
    }),
    failure: isKeyless ? keylessRefusal : usageLimit,
    response: object({
      results: list(object({ url: text, title: text, content: text, score: share, published_date: text })),
    }),
    results: ({ results }) =>
      results.map(({ url, title, content, score, published_date }) => {
        const parts = content.split('[...]');
        return {
          url,
          title,
          snippet: parts[0],
          passages: alwaysInChunks || parts.length > 1 ? parts : [],
          score,
          publishedAt: published_date,
        };
      }),
    texts: { snippet: cleanText, passage: cleanText },
  });
}

function usageLimit({ status }: ProviderAnswer): ProviderFailure | undefined {
  return status === 432 || status === 433
    ? {
        kind: 'quota',
        advice: 'has reached the usage limit of this key’s plan. Raise the plan or the pay-as-you-go limit.',
      }
    : undefined;
}

function keylessRefusal(answer: ProviderAnswer): ProviderFailure | undefined {
  // A code names a limit, whatever the status.
  const isLimit = stringAt(answer.json, 'error', 'code') !== undefined;
  const waitSeconds = retryAfter(answer) ?? numberAt(answer.json, 'error', 'retry_after_seconds');
  return refusalWithoutKey(isLimit ? { ...answer, status: 429 } : answer, 'TAVILY_API_KEY', { waitSeconds });
}
