import { stringAt } from '../../core/json.js';
import { boolean, number, object, oneOf, optional, orElse, refine } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type Freshness } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import {
  countryCode,
  httpProvider,
  type KeyedProviderOptions,
  type ProviderAnswer,
  type ProviderFailure,
} from './http-provider.js';
import { domainList } from './query-filters.js';
import { hit, list } from './search-hits.js';

/** Options of {@link mojeek}. */
export interface MojeekOptions extends KeyedProviderOptions {
  /** Region whose pages are preferred, as two letters. Default: none. */
  region?: string;
  /** Default: Mojeek's. */
  safeSearch?: boolean;
}

/**
 * Mojeek, an index of its own.
 *
 * Wire format: `GET /search?fmt=json` with the key as the parameter `api_key` (mojeek.com/support/api/search). Every failure is a
 * 200 with a `response.status` other than `OK`. Only "ERROR: Daily Limit Reached" is documented; words decide about other texts.
 * `site` takes one domain.
 *
 * @throws InvalidOptionError
 */
export function mojeek(options: MojeekOptions): SearchProvider {
  return httpProvider(options, {
    name: 'mojeek',
    label: 'Mojeek',
    root: 'https://www.mojeek.com',
    key: { variable: 'MOJEEK_API_KEY', param: 'api_key' },
    fields: { region: countryCode, safeSearch: optional(boolean()) },
    filters: ['language', 'freshness', 'dateRange'],
    request: (query, { region, safeSearch }) => {
      const include = domainList(query.includeDomains);
      return {
        path: '/search',
        params: {
          q: query.text,
          fmt: 'json',
          t: query.count,
          site: include?.length === 1 ? include[0] : undefined,
          ...(query.freshness ? timeParams(query.freshness) : {}),
          lb: query.language?.toUpperCase(),
          lbb: query.language && 100,
          rb: region?.toUpperCase(),
          rbb: region && 10,
          safe: safeSearch === undefined ? undefined : Number(safeSearch),
        },
      };
    },
    failure,
    response: object({
      response: refine(
        object({
          status: oneOf('OK'),
          head: orElse(object({ results: orElse(number(), undefined) }), { results: undefined }),
          results: optional(list(hit({ snippet: 'desc' }))),
        }),
        'an answer of Mojeek',
        ({ head, results }) => results !== undefined || head.results === 0,
      ),
    }),
    results: ({ response }) => response.results ?? [],
  });
}

/** Mojeek knows a day, a month and a year by name. A week or a range is given as dates, `YYYYMMDD`; the day of `before` is not included. */
function timeParams(freshness: Freshness): { since?: string; before?: string } {
  if (isPeriod(freshness) && freshness !== 'week') return { since: freshness };
  const { from, to } = rangeOf(freshness);
  return { since: from?.replaceAll('-', ''), before: widened({ to }).to?.replaceAll('-', '') };
}

function failure({ status, json }: ProviderAnswer): ProviderFailure | undefined {
  const said = stringAt(json, 'response', 'status') ?? '';
  if (status !== 200 || said === '' || said === 'OK') return undefined;
  if (/limit/i.test(said))
    return {
      kind: 'quota',
      advice: 'has used up the daily limit of this key. It is renewed the next day; a larger plan raises it.',
    };
  if (/key|auth|denied|ip address|account/i.test(said)) return { kind: 'auth' };
  return /quer|param|missing|invalid/i.test(said) ? { kind: 'bad_request' } : { kind: 'unavailable' };
}
