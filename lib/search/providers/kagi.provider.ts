import { at } from '../../core/json.js';
import { boolean, map, nullable, object, optional, type Schema } from '../../core/schema.js';
import { isPeriod, rangeOf, widened, type DateRange, type Freshness } from '../freshness.js';
import type { SearchHit, SearchProvider } from '../search-provider.js';
import { httpProvider, optionalText, type KeyedProviderOptions } from './http-provider.js';
import { withSiteOperators } from './query-filters.js';
import { hit, hitList } from './search-hits.js';
import { SearchProviderError } from './search-provider.error.js';

/** Options of {@link kagi}. */
export interface KagiOptions extends KeyedProviderOptions {
  /** Region as two letters, e.g. `US`, or `no_region`. Default: Kagi's. */
  region?: string;
  /** Default: Kagi's (true). */
  safeSearch?: boolean;
}

type Form = 'post' | 'get';

/**
 * Kagi, version 1 of its API.
 *
 * Two wire formats are published: `POST /api/v1/search` with a bearer key (Kagi's OpenAPI clients of 2026-05-26; SearXNG's `engines/kagi.py`), and
 * `GET /api/v1/search?q=` with `Authorization: Bot` (help.kagi.com, api-portal). The first one that answers is kept. By GET only the service filters by
 * time. An error body is `{meta, data: [], error: [{code, url, message}]}`. A 429 is a rate limit or a used-up allowance; the words of
 * the error decide, because the codes are not published.
 *
 * @throws InvalidOptionError
 */
export function kagi(options: KagiOptions): SearchProvider {
  const [post, get] = [formOf(options, 'post'), formOf(options, 'get')];
  let known: SearchProvider | undefined;
  const ask: SearchProvider['search'] = async (query, context) => {
    const form = known ?? post;
    const found = await form.search(query, context).catch(async (error: unknown) => {
      if (known || !refusesForm(error)) throw error;
      const others = await get.search(query, context).catch(() => undefined);
      context.signal.throwIfAborted();
      if (!others) throw error;
      known = get;
      return others;
    });
    known ??= form;
    return found;
  };
  return { ...post, search: ask };
}

/** Whether a server may have refused the method, the address or the kind of key. */
const refusesForm = (error: unknown): boolean =>
  error instanceof SearchProviderError && [401, 404, 405].includes(error.upstream?.status ?? 0);

function formOf(options: KagiOptions, form: Form): SearchProvider {
  return httpProvider(options, {
    name: 'kagi',
    label: 'Kagi',
    root: 'https://kagi.com',
    key: { variable: 'KAGI_API_KEY' },
    fields: { region: optionalText, safeSearch: optional(boolean()) },
    filters: ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
    request: (query, { region, safeSearch, apiKey }) => {
      const path = '/api/v1/search';
      if (form === 'get')
        return {
          path,
          params: { q: withSiteOperators(query), limit: query.count },
          headers: { authorization: `Bot ${apiKey}` },
        };
      const { includeDomains: sites_included, excludeDomains: sites_excluded } = query;
      const { from: after, to: before } = query.freshness ? daysOf(query.freshness) : {};
      return {
        path,
        json: {
          query: query.text,
          workflow: 'search',
          limit: query.count,
          safe_search: safeSearch,
          filters: region || after || before ? { region, after, before } : undefined,
          lens: sites_included || sites_excluded ? { sites_included, sites_excluded } : undefined,
        },
      };
    },
    failures: [
      { says: /usage.?limit|exhausted|credit|balance|billing/i, kind: 'quota' },
      {
        status: 403,
        kind: 'auth',
        advice: 'does not allow this server’s address for the key. Add it to the key’s allow list.',
      },
      { status: 200, says: /"error":\s*\[\s*\{/, kind: 'unavailable' },
    ],
    response: object({ data: DATA }),
    results: ({ data }) => data,
  });
}

const RESULTS = hitList(hit({ snippet: 'snippet', publishedAt: ['time', 'published'] }));
/** `search` is absent when nothing was found. */
const BY_KIND = map(object({ search: nullable(RESULTS) }), ({ search }) => search ?? []);

/** Version 0 has results of all kinds in one list, those of the web with `t: 0`. Which one GET answers with is not published. */
const DATA: Schema<SearchHit[]> = {
  expected: BY_KIND.expected,
  read: (data) =>
    Array.isArray(data) ? RESULTS.read(data.filter((item) => at(item, 't') === 0)) : BY_KIND.read(data),
};

/** Kagi takes the ends as "after" and "before". A period has a day to spare at its beginning. */
function daysOf(freshness: Freshness): DateRange {
  return isPeriod(freshness) ? rangeOf(freshness) : widened(freshness);
}
