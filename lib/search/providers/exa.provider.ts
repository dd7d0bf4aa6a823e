import { integer, object, optional, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import { cleanText } from '../plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider } from './http-provider.js';
import { cutAtWord, domainList } from './narrowing.js';
import {
  apiKey as key,
  countryCode,
  providerOptions,
  words,
  type KeyedProviderOptions,
} from './provider-options.js';
import { list, share, text, texts } from './search-hits.js';

/** Options of {@link exa}. */
export interface ExaOptions extends KeyedProviderOptions {
  /**
   * Search mode, passed on as it is. Exa recommends `auto`, `lite` (cheap and quick) and `deep` (slow: raise `timeoutMs` and the
   * search deadline); others are `fast`, `instant`, `deep-lite`, `deep-reasoning`. Default `auto`.
   */
  type?: string;
  /** Kind of pages, passed on as it is, e.g. `news`, `publication`, `company`. Exa ignores an unknown one. Default: all. */
  category?: string;
  /** Country of the user as two letters. Default: none. */
  userLocation?: string;
  /** Characters of highlights of each page, 100 to 10,000. Default: Exa's. */
  highlightCharacters?: number;
}

const RESPONSE = object({
  results: list(
    object({
      url: text,
      title: text,
      highlights: texts,
      text,
      summary: text,
      score: share,
      publishedDate: text,
    }),
  ),
});

/**
 * Exa, with the highlights of each page as passages.
 *
 * Wire format: `POST /search` with `x-api-key` (exa.ai/docs; types of `exa-js` 2.23.0, exa-py 2.26.0). Error bodies are
 * `{error, tag}` or `{error: {code, …}}`; the status says the same (402 for credit and budgets). No call to the live service
 * was made.
 *
 * @throws InvalidOptionError
 */
export function exa(options: ExaOptions): SearchProvider {
  const { apiKey, type, category, userLocation, highlightCharacters, http } = providerOptions(
    'exa',
    options,
    'https://api.exa.ai',
    {
      apiKey: key('Exa', 'EXA_API_KEY'),
      type: withDefault(words, 'auto'),
      category: words,
      userLocation: countryCode,
      highlightCharacters: optional(integer(100, 10_000)),
    },
  );
  return httpProvider(
    {
      name: 'exa',
      label: 'Exa',
      secret: apiKey,
      request: ({ text: query, count, freshness, includeDomains, excludeDomains }) => {
        const { from, to } = freshness ? rangeOf(freshness) : {};
        return {
          path: '/search',
          headers: { 'x-api-key': apiKey },
          json: {
            query,
            type,
            numResults: count,
            category,
            userLocation,
            includeDomains: domainList(includeDomains),
            excludeDomains: domainList(excludeDomains),
            startPublishedDate: from && `${from}T00:00:00.000Z`,
            endPublishedDate: to && `${to}T23:59:59.999Z`,
            contents: {
              highlights: highlightCharacters === undefined ? true : { maxCharacters: highlightCharacters },
            },
          },
        };
      },
      response: RESPONSE,
      results: ({ results }) =>
        results.map((result) => {
          const highlights = result.highlights.map(cleanText).filter((passage) => passage !== '');
          const page = cleanText(result.text || result.summary);
          return {
            url: result.url,
            title: result.title,
            snippet: cutAtWord(highlights[0] ?? page, 300),
            passages: highlights.length > 0 ? highlights : [page],
            score: result.score,
            publishedAt: result.publishedDate,
          };
        }),
    },
    http,
    { narrows: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'] },
  );
}
