import { integer, object, optional, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import { cleanText } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, words, type KeyedProviderOptions } from './http-provider.js';
import { domainList } from './narrowing.js';
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
  return httpProvider(options, {
    name: 'exa',
    label: 'Exa',
    root: 'https://api.exa.ai',
    key: { variable: 'EXA_API_KEY', header: 'x-api-key' },
    fields: {
      type: withDefault(words, 'auto'),
      category: words,
      userLocation: countryCode,
      highlightCharacters: optional(integer(100, 10_000)),
    },
    narrows: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { type, category, userLocation, highlightCharacters }) => {
      const { from, to } = query.freshness ? rangeOf(query.freshness) : {};
      return {
        path: '/search',
        json: {
          query: query.text,
          type,
          numResults: query.count,
          category,
          userLocation,
          includeDomains: domainList(query.includeDomains),
          excludeDomains: domainList(query.excludeDomains),
          startPublishedDate: from && `${from}T00:00:00.000Z`,
          endPublishedDate: to && `${to}T23:59:59.999Z`,
          contents: {
            highlights: highlightCharacters === undefined ? true : { maxCharacters: highlightCharacters },
          },
        },
      };
    },
    response: object({
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
    }),
    results: ({ results }) =>
      results.map(({ url, title, highlights, text: page, summary, score, publishedDate }) => ({
        url,
        title,
        passages: highlights.some((highlight) => highlight.trim() !== '') ? highlights : [page || summary],
        score,
        publishedAt: publishedDate,
      })),
    texts: { passage: cleanText },
  });
}
