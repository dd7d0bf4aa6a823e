import type { SearchProvider } from '../search-provider.js';
import { isObject, listIn, objectIn, textIn, textsIn } from './json-fields.js';
import { markdownText } from './markdown-text.js';
import { oneLine } from '../plain-text.js';
import { flag, oneOf, optionalKey, providerOptions, text, type ProviderOptions } from './provider-options.js';
import { httpProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface YouOptions extends ProviderOptions {
  /** Without a key You.com's keyless endpoint is asked: about 100 searches a day for each address. */
  apiKey?: string;
  /** Two letters, e.g. `US`; default: none. */
  country?: string;
  /** Default: You.com's (`moderate`). */
  safeSearch?: 'off' | 'moderate' | 'strict';
  /** True: the pages are read by You.com and returned as passages, which takes longer and costs more; default false. */
  livecrawl?: boolean;
}

const HOUR_SECONDS = 3600;

/**
 * You.com, with a key (`ydc-index.io`) or, as `you()`, without one.
 *
 * Wire format: `POST /v1/search` with `X-API-Key`, keyless `POST https://api.you.com/v1/agents/search` with the same body
 * (You.com's documentation, `@youdotcom-oss/sdk` 0.10.21, LiteLLM's adapter). `X-RateLimit-Reset` is a Unix time. The keyless
 * endpoint compresses its answers wrongly (noted in LiteLLM's adapter), so it is asked for none. That its 429 is a day's
 * allowance and its body are known from reports, not from a reference. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function you(options: YouOptions = {}): SearchProvider {
  const root = options.apiKey === undefined ? 'https://api.you.com' : 'https://ydc-index.io';
  const { apiKey, country, safeSearch, livecrawl, http } = providerOptions('you', options, root, {
    apiKey: optionalKey('YDC_API_KEY'),
    country: text,
    safeSearch: oneOf('off', 'moderate', 'strict'),
    livecrawl: flag,
  });
  const headers: Record<string, string> = apiKey
    ? { 'x-api-key': apiKey }
    : { 'accept-encoding': 'identity' };
  return httpProvider(
    {
      name: 'you',
      label: 'You.com',
      secret: apiKey,
      request: (query) => ({
        path: apiKey ? '/v1/search' : '/v1/agents/search',
        headers,
        json: {
          query: query.text,
          count: query.count,
          freshness: query.freshness,
          // BCP 47 in capitals; Portuguese is known only by country.
          language: query.language === 'pt' ? 'PT-BR' : query.language?.toUpperCase(),
          country,
          safesearch: safeSearch,
          include_domains: domainList(query.includeDomains),
          exclude_domains: domainList(query.excludeDomains),
          ...(livecrawl ? { livecrawl: 'web', livecrawl_formats: 'markdown' } : {}),
        },
      }),
      failure: (answer) =>
        answer.status === 429 ? rateLimit(answer, apiKey !== undefined) : keylessRefusal(answer, apiKey),
      read: (json, query) => {
        const results = objectIn(json).results;
        if (!isObject(results)) return undefined;
        const items = [...(listIn(results.web) ?? []), ...(listIn(results.news) ?? [])];
        const hits = hitsOf(items, query.count, (item) => ({
          url: item.url,
          title: item.title,
          snippet: oneLine(textIn(item.description)),
          passages: [
            ...textsIn(item.snippets).map(oneLine),
            markdownText(textIn(objectIn(item.contents).markdown)),
          ],
          publishedAt: item.page_age,
        }));
        return hits && { hits };
      },
    },
    http,
  );
}

function rateLimit(answer: ProviderAnswer, keyed: boolean): ProviderFailure {
  const reset = Number(answer.headers.get('x-ratelimit-reset') ?? NaN);
  const untilReset =
    Number.isFinite(reset) && reset > 0 ? Math.max(0, Math.ceil(reset - Date.now() / 1000)) : undefined;
  const wait = retryAfter(answer) ?? untilReset;
  if (keyed) return { kind: 'rate_limited', retryAfterSeconds: wait };
  return wait !== undefined && wait <= HOUR_SECONDS
    ? {
        kind: 'rate_limited',
        retryAfterSeconds: wait,
        advice: 'gets too many keyless requests from this address; ask less often or set `apiKey`.',
      }
    : {
        kind: 'quota',
        advice:
          'has used up the keyless allowance of this address (about 100 searches a day): set `apiKey` (YDC_API_KEY).',
      };
}

function keylessRefusal({ status }: ProviderAnswer, apiKey: string | undefined): ProviderFailure | undefined {
  if (apiKey || (status !== 401 && status !== 403)) return undefined;
  return {
    kind: 'auth',
    advice: 'no longer answers this address without a key: set `apiKey` (YDC_API_KEY).',
  };
}
