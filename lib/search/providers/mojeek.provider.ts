import type { SearchProvider, SearchQuery } from '../search-provider.js';
import { isObject, listIn, numberIn, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import { flag, key, providerOptions, text, type KeyedProviderOptions } from './provider-options.js';
import { httpProvider, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList, freshSince } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface MojeekOptions extends KeyedProviderOptions {
  /** Two letters; pages of this region are preferred; default: none. */
  region?: string;
  /** Default: Mojeek's. */
  safeSearch?: boolean;
}

/**
 * Mojeek, an index of its own.
 *
 * Wire format: `GET /search?fmt=json` with the key as the parameter `api_key` (mojeek.com/support/api/search). Every failure
 * comes as HTTP 200 with `response.status` other than `OK`; only "ERROR: Daily Limit Reached" is documented, other texts
 * are told apart by their words. `site` takes one domain; several are left to the service. No call to the live service
 * was made.
 *
 * @throws InvalidOptionError
 */
export function mojeek(options: MojeekOptions): SearchProvider {
  const { apiKey, region, safeSearch, http } = providerOptions('mojeek', options, 'https://www.mojeek.com', {
    apiKey: key('MOJEEK_API_KEY'),
    region: text,
    safeSearch: flag,
  });
  return httpProvider(
    {
      name: 'mojeek',
      label: 'Mojeek',
      secret: apiKey,
      request: (query) => {
        const include = domainList(query.includeDomains);
        return {
          path: '/search',
          params: {
            api_key: apiKey,
            q: query.text,
            fmt: 'json',
            t: query.count,
            site: include?.length === 1 ? include[0] : undefined,
            since: query.freshness && since(query.freshness),
            lb: query.language?.toUpperCase(),
            lbb: query.language && 100,
            rb: region?.toUpperCase(),
            rbb: region && 10,
            safe: safeSearch === undefined ? undefined : Number(safeSearch),
          },
        };
      },
      failure,
      read: (json, query) => {
        const { status, head, results } = objectIn(objectIn(json).response);
        if (status !== 'OK') return undefined;
        const total = numberIn(objectIn(head).results);
        const items = listIn(results) ?? (total === 0 ? [] : undefined);
        const hits =
          items &&
          hitsOf(items, query.count, (item) => ({
            url: item.url,
            title: item.title,
            snippet: oneLine(textIn(item.desc)),
          }));
        return hits && { hits, ...(total === undefined ? {} : { totalResults: total }) };
      },
    },
    http,
  );
}

/** Mojeek names a day, a month and a year; a week is a date. */
function since(freshness: NonNullable<SearchQuery['freshness']>): string {
  return freshness === 'week' ? freshSince('week').toISOString().slice(0, 10).replaceAll('-', '') : freshness;
}

function failure({ status, json }: ProviderAnswer): ProviderFailure | undefined {
  const response = objectIn(json).response;
  const words = isObject(response) ? textIn(response.status) : '';
  if (status !== 200 || words === '' || words === 'OK') return undefined;
  if (/limit/i.test(words))
    return {
      kind: 'quota',
      advice: 'has used up the daily limit of this key: it is renewed the next day, or raise the plan.',
    };
  if (/key|auth|denied|ip address|account/i.test(words)) return { kind: 'auth' };
  return /quer|param|missing|invalid/i.test(words) ? { kind: 'bad_request' } : { kind: 'unavailable' };
}
