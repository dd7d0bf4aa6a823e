import type { SearchProvider } from '../search-provider.js';
import { listIn, numberIn, objectIn, textIn } from './json-fields.js';
import { markdownText } from './markdown-text.js';
import { oneLine } from '../plain-text.js';
import { flag, key, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import {
  failureOfStatus,
  httpProvider,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
} from './provider-request.js';
import { withSiteOperators } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface JinaOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `US`; default: none. */
  country?: string;
  /**
   * True: Jina reads the pages and returns them whole as passages, which takes seconds (raise `timeoutMs`) and is billed
   * by the token; default false, titles and descriptions alone.
   */
  pages?: boolean;
}

/**
 * Jina's `s.jina.ai`.
 *
 * Wire format: `POST /` with a bearer key, `Accept: application/json` (source of jina-ai/reader, `src/api/searcher.ts` and
 * `src/services/errors.ts`). Errors are `{data: null, code, name, status, message, readableMessage}`; "nothing found" is a
 * 422 of status 42206 whose message begins "No search results available", an empty account a 402. The `retryAfter` of a
 * 429 body is read where it comes; its shape could not be checked. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function jina(options: JinaOptions): SearchProvider {
  const {
    apiKey,
    country,
    pages = false,
    http,
  } = providerOptions('jina', options, 'https://s.jina.ai', {
    apiKey: key('JINA_API_KEY'),
    country: text,
    pages: flag,
  });
  return httpProvider(
    {
      name: 'jina',
      label: 'Jina',
      secret: apiKey,
      request: (query) => ({
        path: '/',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'x-retain-images': 'none',
          ...(pages ? {} : { 'x-respond-with': 'no-content' }),
        },
        json: {
          q: withSiteOperators(query),
          num: Math.min(query.count, 20),
          gl: country?.toLowerCase(),
          hl: query.language,
        },
      }),
      saysNothingFound: ({ status, json }) =>
        status === 422 && /^No search results available/.test(textIn(objectIn(json).message)),
      failure,
      read: (json, query) => {
        const results = listIn(objectIn(json).data);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const content = markdownText(textIn(item.content));
            return {
              url: item.url,
              title: item.title,
              snippet: oneLine(textIn(item.description)) || content.slice(0, 300),
              passages: pages ? [content] : undefined,
              publishedAt: item.publishedTime ?? item.date,
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const body = objectIn(answer.json);
  if (answer.status === 429)
    return { kind: 'rate_limited', retryAfterSeconds: retryAfter(answer) ?? numberIn(body.retryAfter) };
  // The envelope repeats the status; where the two differ the envelope is the one that knows.
  const code = numberIn(body.code);
  return answer.status === 200 && code !== undefined && code !== 200
    ? failureOfStatus({ ...answer, status: code })
    : undefined;
}
