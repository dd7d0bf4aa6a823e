import type { SearchProvider } from '../search-provider.js';
import { listIn, objectIn, textIn, type JsonObject } from './json-fields.js';
import { cleanText } from '../plain-text.js';
import { key, oneOf, providerOptions, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList, freshSince } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface LinkupOptions extends KeyedProviderOptions {
  /** Default `standard`; `deep` takes several seconds: raise `timeoutMs` and the search deadline with it. */
  depth?: 'fast' | 'standard' | 'deep';
}

/**
 * Linkup. Its contents are long extracts and count as passages.
 *
 * Wire format: `POST /v1/search` with a bearer key (Linkup's documentation, error codes of `linkup-sdk` 3.2.7). "Nothing found" is
 * HTTP 400 with `SEARCH_QUERY_NO_RESULT`; an empty account (`INSUFFICIENT_FUNDS_CREDITS`) and a budget
 * (`EXCEED_BUDGET_LIMIT`) are 429 and do not pass by waiting. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function linkup(options: LinkupOptions): SearchProvider {
  const {
    apiKey,
    depth = 'standard',
    http,
  } = providerOptions('linkup', options, 'https://api.linkup.so', {
    apiKey: key('LINKUP_API_KEY'),
    depth: oneOf('fast', 'standard', 'deep'),
  });
  return httpProvider(
    {
      name: 'linkup',
      label: 'Linkup',
      secret: apiKey,
      request: (query) => ({
        path: '/v1/search',
        headers: { authorization: `Bearer ${apiKey}` },
        json: {
          q: query.text,
          depth,
          outputType: 'searchResults',
          includeImages: false,
          maxResults: query.count,
          fromDate: query.freshness && freshSince(query.freshness).toISOString().slice(0, 10),
          includeDomains: domainList(query.includeDomains, 100),
          excludeDomains: domainList(query.excludeDomains, 100),
        },
      }),
      saysNothingFound: (answer) =>
        answer.status === 400 && errorIn(answer).code === 'SEARCH_QUERY_NO_RESULT',
      failure,
      read: (json, query) => {
        const results = listIn(objectIn(json).results)?.filter((item) => objectIn(item).type !== 'image');
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const content = cleanText(textIn(item.content));
            return { url: item.url, title: item.name, snippet: content.slice(0, 300), passages: [content] };
          });
        return hits && { hits };
      },
    },
    http,
  );
}

function errorIn(answer: ProviderAnswer): JsonObject {
  return objectIn(objectIn(answer.json).error);
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status !== 429) return undefined;
  const code = textIn(errorIn(answer).code);
  if (code === 'INSUFFICIENT_FUNDS_CREDITS') return { kind: 'quota' };
  return code === 'EXCEED_BUDGET_LIMIT'
    ? { kind: 'quota', advice: 'has reached the budget set for this key: raise it in Linkup’s settings.' }
    : undefined;
}
