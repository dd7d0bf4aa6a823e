import { boolean, object, withDefault } from '../../core/schema.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { withSiteOperators } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link jina}. */
export interface JinaOptions extends KeyedProviderOptions {
  /** Country as two letters, e.g. `US`. Default: none. */
  country?: string;
  /**
   * True: Jina reads the pages and returns them whole as passages. This takes seconds (raise `timeoutMs`) and costs the tokens of
   * the pages. Default false: titles and descriptions. Every search costs at least 10,000 tokens for each ten results.
   */
  pages?: boolean;
}

/**
 * Jina's `s.jina.ai`.
 *
 * Wire format: `POST /` with a bearer key and `Accept: application/json` (source of jina-ai/reader: `src/api/searcher.ts` of
 * 2026-05-01, also for the minimum charge; `src/services/errors.ts`). Errors are `{data: null, code, name, status, message,
 * readableMessage}`. "Nothing found" is a 422 whose message begins with "No search results available". An empty account is a
 * 402.
 *
 * @throws InvalidOptionError
 */
export function jina(options: JinaOptions): SearchProvider {
  return httpProvider(options, {
    name: 'jina',
    label: 'Jina',
    root: 'https://s.jina.ai',
    key: { variable: 'JINA_API_KEY' },
    fields: { country: countryCode, pages: withDefault(boolean(), false) },
    filters: ['language', 'includeDomains', 'excludeDomains'],
    request: (query, { country, pages }) => ({
      path: '/',
      headers: { 'x-retain-images': 'none', ...(pages ? {} : { 'x-respond-with': 'no-content' }) },
      json: {
        q: withSiteOperators(query),
        num: Math.min(query.count, 20),
        gl: country?.toLowerCase(),
        hl: query.language,
      },
    }),
    failures: [
      { status: 422, says: /"message":\s*"No search results available/, kind: 'nothing_found' },
      // An outage behind a 200.
      { status: 200, says: /"data":\s*null/, kind: 'unavailable' },
    ],
    response: object({
      // Without `pages` there is no content.
      data: hitList(
        hit({ snippet: 'description', passages: ['content'], publishedAt: ['publishedTime', 'date'] }),
      ),
    }),
    results: ({ data }) => data,
  });
}
