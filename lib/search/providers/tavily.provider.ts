import type { SearchProvider } from '../search-provider.js';
import { listIn, numberIn, objectIn, textIn } from './json-fields.js';
import { cleanText } from '../plain-text.js';
import { key, oneOf, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider } from './provider-request.js';
import { domainList } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface TavilyOptions extends KeyedProviderOptions {
  /** `advanced` costs two credits and returns the matching passages of each page; default `basic`. */
  searchDepth?: 'basic' | 'advanced' | 'fast' | 'ultra-fast';
  /** Default `general`. */
  topic?: 'general' | 'news' | 'finance';
  /** Country by English name, e.g. `germany`; boosts its pages (`general` only). */
  country?: string;
}

/**
 * Tavily.
 *
 * Wire format: `POST /search` with a bearer key (docs.tavily.com, types of `@tavily/core` 0.7.13). `score` is 0..1 in every
 * documented example; a value outside is dropped. 432 is the plan's limit and 433 the pay-as-you-go limit: neither passes
 * by waiting. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function tavily(options: TavilyOptions): SearchProvider {
  const {
    apiKey,
    searchDepth = 'basic',
    topic,
    country,
    http,
  } = providerOptions('tavily', options, 'https://api.tavily.com', {
    apiKey: key('TAVILY_API_KEY'),
    searchDepth: oneOf('basic', 'advanced', 'fast', 'ultra-fast'),
    topic: oneOf('general', 'news', 'finance'),
    country: text,
  });
  return httpProvider(
    {
      name: 'tavily',
      label: 'Tavily',
      secret: apiKey,
      request: (query) => ({
        path: '/search',
        headers: { authorization: `Bearer ${apiKey}` },
        json: {
          query: query.text,
          search_depth: searchDepth,
          topic,
          country,
          max_results: Math.min(query.count, 20),
          time_range: query.freshness,
          include_domains: domainList(query.includeDomains, 300),
          exclude_domains: domainList(query.excludeDomains, 150),
        },
      }),
      failure: ({ status }) =>
        status === 432 || status === 433
          ? {
              kind: 'quota',
              advice:
                'has reached the usage limit of this key’s plan: raise the plan or the pay-as-you-go limit.',
            }
          : undefined,
      read: (json, query) => {
        const results = listIn(objectIn(json).results);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const content = textIn(item.content);
            // In depth `advanced` the content is the best chunks of the page with this mark between them.
            const chunks = content.split('[...]').map(cleanText);
            return {
              url: item.url,
              title: item.title,
              snippet: searchDepth === 'advanced' ? chunks[0] : cleanText(content),
              passages: searchDepth === 'advanced' ? chunks : undefined,
              score: numberIn(item.score),
              publishedAt: item.published_date,
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}
