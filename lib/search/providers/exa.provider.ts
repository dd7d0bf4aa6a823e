import { arrayAt, stringAt } from '../../core/json.js';
import { integer, object, optional, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, optionalText, type KeyedProviderOptions } from './http-provider.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link exa}. */
export interface ExaOptions extends KeyedProviderOptions {
  /**
   * Search mode, passed on as it is. Exa recommends `auto`, `lite` (cheap and quick) and `deep` (slow: raise `timeoutMs` and the
   * search deadline); others are `fast`, `instant`, `deep-lite`. Default `auto`.
   */
  type?: string;
  /**
   * Kind of pages, passed on as it is, e.g. `news`, `publication`, `company`. Exa ignores an unknown one. With `company` and `people` it takes no
   * dates and no excluded domains; the service then filters the results. Default: all.
   */
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
 * `{error, tag}` or `{error: {code, …}}`; the status says the same (402 for credit and budgets). That the categories `company` and `people`
 * refuse dates and excluded domains (400), and `people` included ones, stands in reports only. `warnings`, since exa-py 2.26.0, are texts or objects with a
 * `message`: their shape is not documented.
 *
 * @throws InvalidOptionError
 */
export function exa(options: ExaOptions): SearchProvider {
  const isPeople = options?.category === 'people';
  const isEntity = isPeople || options?.category === 'company';
  return httpProvider(options, {
    name: 'exa',
    label: 'Exa',
    root: 'https://api.exa.ai',
    key: { variable: 'EXA_API_KEY', header: 'x-api-key' },
    fields: {
      type: withDefault(optionalText, 'auto'),
      category: optionalText,
      userLocation: countryCode,
      highlightCharacters: optional(integer(100, 10_000)),
    },
    filters: [
      ...(isEntity ? [] : (['freshness', 'dateRange', 'excludeDomains'] as const)),
      ...(isPeople ? [] : (['includeDomains'] as const)),
    ],
    request: (query, { type, category, userLocation, highlightCharacters }) => {
      const { from, to } = query.freshness && !isEntity ? rangeOf(query.freshness) : {};
      return {
        path: '/search',
        json: {
          query: query.text,
          type,
          numResults: query.count,
          category,
          userLocation,
          includeDomains: isPeople ? undefined : query.includeDomains,
          excludeDomains: isEntity ? undefined : query.excludeDomains,
          startPublishedDate: from && `${from}T00:00:00.000Z`,
          endPublishedDate: to && `${to}T23:59:59.999Z`,
          contents: {
            highlights: highlightCharacters === undefined ? true : { maxCharacters: highlightCharacters },
          },
        },
      };
    },
    response: object({
      results: hitList(hit({ passages: ['highlights'], score: 'score', publishedAt: ['publishedDate'] })),
    }),
    results: ({ results }) => results,
    warnings: (json) =>
      arrayAt(json, 'warnings').flatMap(
        (entry) => stringAt(entry, 'message') ?? (typeof entry === 'string' ? entry : []),
      ),
  });
}
