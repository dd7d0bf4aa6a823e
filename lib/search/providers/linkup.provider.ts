import { stringAt } from '../../core/json.js';
import { object, oneOf, withDefault } from '../../core/schema.js';
import { rangeOf } from '../freshness.js';
import { cleanText } from '../plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import { httpProvider, type ProviderAnswer, type ProviderFailure } from './http-provider.js';
import { cutAtWord, domainList } from './narrowing.js';
import { apiKey as key, providerOptions, type KeyedProviderOptions } from './provider-options.js';
import { list, text } from './search-hits.js';

/** Options of {@link linkup}. */
export interface LinkupOptions extends KeyedProviderOptions {
  /** From quick to thorough. `deep` takes several seconds: raise `timeoutMs` and the search deadline. Default `standard`. */
  depth?: 'flash' | 'fast' | 'standard' | 'deep';
}

const RESPONSE = object({
  results: list(object({ type: text, url: text, name: text, content: text, date: text })),
});

/**
 * Linkup. Its contents are long extracts and count as passages.
 *
 * Wire format: `POST /v1/search` with a bearer key (docs.linkup.so, also for `flash`; error codes of `linkup-sdk` 3.2.7).
 * "Nothing found" is a 400 with `SEARCH_QUERY_NO_RESULT`. An empty account (`INSUFFICIENT_FUNDS_CREDITS`) and a spent budget
 * (`EXCEED_BUDGET_LIMIT`) are 429. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function linkup(options: LinkupOptions): SearchProvider {
  const { apiKey, depth, http } = providerOptions('linkup', options, 'https://api.linkup.so', {
    apiKey: key('Linkup', 'LINKUP_API_KEY'),
    depth: withDefault(oneOf('flash', 'fast', 'standard', 'deep'), 'standard' as const),
  });
  return httpProvider(
    {
      name: 'linkup',
      label: 'Linkup',
      secret: apiKey,
      request: ({ text: q, count, freshness, includeDomains, excludeDomains }) => {
        const { from, to } = freshness ? rangeOf(freshness) : {};
        return {
          path: '/v1/search',
          headers: { authorization: `Bearer ${apiKey}` },
          json: {
            q,
            depth,
            outputType: 'searchResults',
            includeImages: false,
            maxResults: count,
            fromDate: from,
            toDate: to,
            includeDomains: domainList(includeDomains, 100),
            excludeDomains: domainList(excludeDomains, 100),
          },
        };
      },
      foundNothing: (answer) => answer.status === 400 && codeOf(answer) === 'SEARCH_QUERY_NO_RESULT',
      failure,
      response: RESPONSE,
      results: ({ results }) =>
        results
          .filter(({ type }) => type !== 'image')
          .map((result) => {
            const content = cleanText(result.content);
            return {
              url: result.url,
              title: result.name,
              snippet: cutAtWord(content, 300),
              passages: [content],
              publishedAt: result.date,
            };
          }),
    },
    http,
    { narrows: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'] },
  );
}

function codeOf({ json }: ProviderAnswer): string | undefined {
  return stringAt(json, 'error', 'code');
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status !== 429) return undefined;
  const code = codeOf(answer);
  if (code === 'INSUFFICIENT_FUNDS_CREDITS') return { kind: 'quota' };
  return code === 'EXCEED_BUDGET_LIMIT'
    ? { kind: 'quota', advice: 'has reached the budget set for this key. Raise it in Linkup’s settings.' }
    : undefined;
}
