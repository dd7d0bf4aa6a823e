import { boolean, number, object, oneOf, optional, orElse, refine } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type Freshness } from '../freshness.js';
import type { SearchProvider } from '../search-provider.js';
import { countryCode, httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { hit, hitList } from './search-hits.js';

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
      const { includeDomains } = query;
      return {
        path: '/search',
        params: {
          q: query.text,
          fmt: 'json',
          t: query.count,
          site: includeDomains?.length === 1 ? includeDomains[0] : undefined,
          ...(query.freshness ? timeParams(query.freshness) : {}),
          lb: query.language?.toUpperCase(),
          lbb: query.language && 100,
          rb: region?.toUpperCase(),
          rbb: region && 10,
          safe: safeSearch === undefined ? undefined : Number(safeSearch),
        },
      };
    },
    failures: [
      {
        status: 200,
        says: /"status":\s*"ERROR[^"]*limit/i,
        kind: 'quota',
        advice:
          'has used up the daily limit of this key. It is renewed the next day; a larger plan raises it.',
      },
      { status: 200, says: /"status":\s*"ERROR[^"]*(?:key|auth|denied|ip address|account)/i, kind: 'auth' },
      { status: 200, says: /"status":\s*"ERROR[^"]*(?:quer|param|missing|invalid)/i, kind: 'bad_request' },
      { status: 200, says: /"status":\s*"ERROR/, kind: 'unavailable' },
    ],
    response: object({
      response: refine(
        object({
          status: oneOf('OK'),
          head: orElse(object({ results: orElse(number(), undefined) }), { results: undefined }),
          results: optional(hitList(hit({ snippet: 'desc' }))),
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
