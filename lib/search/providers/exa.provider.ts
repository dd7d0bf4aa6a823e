import type { SearchProvider } from '../search-provider.js';
import { listIn, numberIn, objectIn, textIn, textsIn } from './json-fields.js';
import { cleanText } from '../plain-text.js';
import {
  key,
  oneOf,
  providerOptions,
  text,
  type KeyedProviderOptions,
  wholeNumber,
} from './provider-options.js';
import { httpProvider } from './provider-request.js';
import { domainList, freshSince } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface ExaOptions extends KeyedProviderOptions {
  /** Default `auto`. */
  type?: 'auto' | 'fast' | 'instant' | 'neural' | 'keyword' | 'deep';
  /** Kind of pages, e.g. `news` or `research paper`; default: all. */
  category?: string;
  /** Two letters, where the asker is; default: not said. */
  userLocation?: string;
  /** Characters of highlights a page, 100 to 10,000; default: Exa's. */
  highlightCharacters?: number;
}

/**
 * Exa, with the highlights of each page as passages.
 *
 * Wire format: `POST /search` with `x-api-key` (exa.ai/docs, types and error handling of `exa-js` 2.23.0). Two shapes of error
 * body are in use, `{error, tag}` and `{error: {code, …}}`; what they mean their statuses say as well (402 for credit and
 * budgets). No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function exa(options: ExaOptions): SearchProvider {
  const {
    apiKey,
    type = 'auto',
    category,
    userLocation,
    highlightCharacters: maxCharacters,
    http,
  } = providerOptions('exa', options, 'https://api.exa.ai', {
    apiKey: key('EXA_API_KEY'),
    type: oneOf('auto', 'fast', 'instant', 'neural', 'keyword', 'deep'),
    category: text,
    userLocation: text,
    highlightCharacters: wholeNumber(100, 10_000),
  });
  return httpProvider(
    {
      name: 'exa',
      label: 'Exa',
      secret: apiKey,
      request: (query) => ({
        path: '/search',
        headers: { 'x-api-key': apiKey },
        json: {
          query: query.text,
          type,
          numResults: query.count,
          category,
          userLocation,
          includeDomains: domainList(query.includeDomains),
          excludeDomains: domainList(query.excludeDomains),
          startPublishedDate: query.freshness && freshSince(query.freshness).toISOString(),
          contents: {
            highlights: maxCharacters === undefined ? true : { maxCharacters },
          },
        },
      }),
      read: (json, query) => {
        const results = listIn(objectIn(json).results);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const passages = textsIn(item.highlights).map(cleanText);
            const page = cleanText(textIn(item.text) || textIn(item.summary));
            return {
              url: item.url,
              title: item.title,
              snippet: (passages[0] ?? page).slice(0, 300),
              passages: passages.length > 0 ? passages : [page],
              score: numberIn(item.score),
              publishedAt: item.publishedDate,
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}
