import { numberAt, stringAt } from '../../core/json.js';
import { object, oneOf, optional, withDefault } from '../../core/schema.js';
import { isPeriod } from '../freshness.js';
import { cleanText } from '../plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './http-provider.js';
import { domainList } from './narrowing.js';
import { optionalKey, providerOptions, words, type ProviderOptions } from './provider-options.js';
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

const RESPONSE = object({
  results: list(object({ url: text, title: text, content: text, score: share, published_date: text })),
});

const HOUR_SECONDS = 3600;

/**
 * Tavily, with a key or, as `tavily()`, without one.
 *
 * Wire format: `POST /search` with a bearer key, or with `X-Tavily-Access-Mode: keyless` (docs.tavily.com, also
 * documentation/keyless; `@tavily/core` 0.7.13). The content is the best chunks of the page with `[...]` between them, except in
 * depth `ultra-fast`, and in depth `basic` where it may be a plain extract. 432 is the limit of the plan, 433 the pay-as-you-go limit. A refusal without a key is
 * `{error: {code, message, retry_after_seconds}}`. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function tavily(options: TavilyOptions = {}): SearchProvider {
  const { apiKey, searchDepth, topic, country, http } = providerOptions(
    'tavily',
    options,
    'https://api.tavily.com',
    {
      apiKey: optionalKey('tavily', options, 'Tavily', 'TAVILY_API_KEY'),
      searchDepth: withDefault(oneOf('basic', 'advanced', 'fast', 'ultra-fast'), 'basic' as const),
      topic: optional(oneOf('general', 'news', 'finance')),
      country: words,
    },
  );
  const headers: Record<string, string> =
    apiKey === undefined ? { 'x-tavily-access-mode': 'keyless' } : { authorization: `Bearer ${apiKey}` };
  const alwaysInChunks = searchDepth === 'advanced' || searchDepth === 'fast';
  return httpProvider(
    {
      name: 'tavily',
      label: 'Tavily',
      secret: apiKey,
      request: ({ text: query, count, freshness, includeDomains, excludeDomains }) => ({
        path: '/search',
        headers,
        json: {
          query,
          search_depth: searchDepth,
          topic,
          country: topic === undefined || topic === 'general' ? country : undefined,
          max_results: Math.min(count, 20),
          ...(freshness === undefined
            ? {}
            : isPeriod(freshness)
              ? { time_range: freshness }
              : { start_date: freshness.from, end_date: freshness.to }),
          include_domains: domainList(includeDomains, 300),
          exclude_domains: domainList(excludeDomains, 150),
        },
      }),
      failure: (answer) => (apiKey === undefined ? keylessRefusal(answer) : usageLimit(answer)),
      response: RESPONSE,
      results: ({ results }) =>
        results.map((result) => {
          const parts = result.content.split('[...]').map(cleanText);
          const chunks = alwaysInChunks || parts.length > 1 ? parts : undefined;
          return {
            url: result.url,
            title: result.title,
            snippet: chunks ? chunks[0] : cleanText(result.content),
            passages: chunks,
            score: result.score,
            publishedAt: result.published_date,
          };
        }),
    },
    http,
    {
      narrows: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
      ...(apiKey === undefined
        ? {
            askOnce: true,
            notice:
              'Tavily answers a limited number of searches without a key. Set `apiKey` (TAVILY_API_KEY) for more.',
          }
        : {}),
    },
  );
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
  const limit = stringAt(answer.json, 'error', 'code');
  if (limit === undefined && ![401, 403, 429, 432].includes(answer.status)) return undefined;
  const wait = retryAfter(answer) ?? numberAt(answer.json, 'error', 'retry_after_seconds');
  if (wait !== undefined && wait <= HOUR_SECONDS)
    return {
      kind: 'rate_limited',
      retryAfterSeconds: wait,
      advice: 'gets too many searches without a key. Send fewer or set `apiKey` (TAVILY_API_KEY).',
    };
  return {
    kind: limit === undefined && answer.status !== 429 ? 'auth' : 'quota',
    advice: 'answers no more searches of this server without a key. Set `apiKey` (TAVILY_API_KEY).',
  };
}
