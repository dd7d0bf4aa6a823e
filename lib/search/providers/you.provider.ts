import { InvalidOptionError } from '../../core/errors.js';
import { integer, nullable, object, oneOf, optional } from '../../core/schema.js';
import { isPeriod } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import {
  contactAddress,
  countryCode,
  httpProvider,
  userAgent,
  type ProviderOptions,
} from './http-provider.js';
import { dateSpan, oneDomainList } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

/** Options of {@link you}. */
export interface YouOptions extends ProviderOptions {
  /** Without a key, You.com answers 100 searches a day for each address. Leave it out; `undefined` is refused. */
  apiKey?: string;
  /** An e-mail address or a web page of yours. Sent in the `User-Agent`, so that You.com can tell who asks. Default: none. */
  contact?: string;
  /** Country as two letters, e.g. `US`. Default: none. */
  country?: string;
  /** Default: You.com's (`moderate`). */
  safeSearch?: 'off' | 'moderate' | 'strict';
  /**
   * What You.com takes from each page in addition, as passages: `highlights`, the parts that match, or `full_page`, for $1 more a
   * thousand pages. Needs a key. Default: snippets only.
   */
  extraction?: 'highlights' | 'full_page';
  /** Tokens of all `highlights` of an answer together, 1024 to 8192. Default: You.com's (8192). */
  highlightTokens?: number;
  /**
   * Where `full_page` comes from: `cache` costs nothing and has not every page, `fetch` loads each page now, `blend` loads what the
   * cache does not have. Default: You.com's (`blend`).
   */
  extractionSource?: 'blend' | 'cache' | 'fetch';
}

const RESULT = hit({
  snippet: 'description',
  passages: ['snippets', 'contents.highlights', 'contents.markdown'],
  publishedAt: ['page_age'],
});

/**
 * You.com, with a key (`ydc-index.io`) or, as `you()`, without one.
 *
 * Wire format: with a key, `POST /v1/search` and `X-API-Key` (you.com/docs, for `extraction` also
 * changelog 2026-08-11, 09-02 and 10-09); without,
 * `GET https://api.you.com/v1/agents/search` (You.com's own skill `youdotcom-cli`). The two domain lists exclude each other (422).
 * `X-RateLimit-Reset` is a Unix time. The keyless endpoint compresses its answers wrongly (LiteLLM's adapter), so that none is
 * asked for; its 429 and the body are known from reports only.
 *
 * @throws InvalidOptionError
 */
export function you(options: YouOptions = {}): SearchProvider {
  const { apiKey, extraction } = options ?? {};
  const isKeyless = apiKey === undefined;
  const check = (option: keyof YouOptions, isMet: boolean, needed: string): void => {
    const value = options?.[option];
    if (value !== undefined && !isMet)
      throw new InvalidOptionError(`you.${option}`, `absent without ${needed}`, value);
  };
  check('extraction', !isKeyless, '`apiKey`: it needs a key');
  check('highlightTokens', extraction === 'highlights', "`extraction: 'highlights'`");
  check('extractionSource', extraction === 'full_page', "`extraction: 'full_page'`");
  return httpProvider(options, {
    name: 'you',
    label: 'You.com',
    root: isKeyless ? 'https://api.you.com' : 'https://ydc-index.io',
    key: {
      variable: 'YDC_API_KEY',
      isOptional: true,
      keyless: '100 searches a day for this server’s address',
      header: 'x-api-key',
    },
    fields: {
      contact: contactAddress,
      country: countryCode,
      safeSearch: optional(oneOf('off', 'moderate', 'strict')),
      extraction: optional(oneOf('highlights', 'full_page')),
      highlightTokens: optional(integer(1024, 8192)),
      extractionSource: optional(oneOf('blend', 'cache', 'fetch')),
    },
    filters: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: ({ text: query, count, freshness, language, ...domains }, { contact, country, ...rest }) => {
      const { include, exclude } = oneDomainList(domains);
      const fields = {
        query,
        count,
        freshness: freshness && (isPeriod(freshness) ? freshness : dateSpan(freshness)),
        // BCP 47 in capitals. You.com knows Portuguese only by country.
        language: language === 'pt' ? 'PT-BR' : language?.toUpperCase(),
        country: country?.toUpperCase(),
        safesearch: rest.safeSearch,
        include_domains: include,
        exclude_domains: exclude,
      };
      const agent = { 'user-agent': userAgent(contact) };
      return isKeyless
        ? {
            path: '/v1/agents/search',
            headers: { ...agent, 'accept-encoding': 'identity' },
            params: fields,
          }
        : {
            path: '/v1/search',
            headers: agent,
            json: { ...fields, extraction: extractionOf(rest) },
          };
    },
    response: object({
      // Both lists are absent when they are empty.
      results: object({ web: nullable(hitList(RESULT)), news: nullable(hitList(RESULT)) }),
    }),
    results: ({ results }) => [...(results.web ?? []), ...(results.news ?? [])],
  });
}

function extractionOf({ extraction, highlightTokens, extractionSource }: YouOptions): object | undefined {
  return (
    extraction && {
      extraction_mode: extraction,
      highlights: highlightTokens && { total_max_tokens: highlightTokens },
      full_page: extraction === 'full_page' ? { extraction_formats: ['markdown'] } : undefined,
      extraction_source: extractionSource,
    }
  );
}
