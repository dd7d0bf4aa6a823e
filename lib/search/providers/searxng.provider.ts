import { arrayAt, at, stringAt } from '../../core/json.js';
import {
  array,
  boolean,
  integer,
  object,
  oneOf,
  optional,
  record,
  secret,
  string,
  withDefault,
} from '../../core/schema.js';
import type { ToolContext } from '../../core/context.js';
import { periodOf } from '../freshness.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchHit, SearchProvider, SearchQuery } from '../search-provider.js';
import {
  httpProvider,
  httpUrl,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderOptions,
} from './http-provider.js';
import { withSiteOperators } from './query-filters.js';
import { hit, list } from './search-hits.js';

/** Options of {@link searxng}. */
export interface SearxngOptions extends Omit<ProviderOptions, 'baseUrl'> {
  /** Root of the instance, e.g. `http://127.0.0.1:8888`. Its settings need `json` in `search.formats`. */
  url: string;
  /** Names of the engines to ask. Default: those of the categories. */
  engines?: string[];
  /** Categories to ask. Default: the instance's (`general`). */
  categories?: string[];
  /** 0 off, 1 moderate, 2 strict. Default: the instance's. */
  safeSearch?: 0 | 1 | 2;
  /** Most pages to ask for while there are fewer results than wanted, 1 to 5. Default 2. */
  maxPages?: number;
  /** False for an instance whose engines do not know `site:`. Only the service filters domains then. Default true. */
  siteOperators?: boolean;
  /** Further request headers, e.g. `authorization` for a proxy in front of the instance. */
  headers?: Record<string, string>;
}

/**
 * A SearXNG or searx instance of your own.
 *
 * Wire format: `GET /search?format=json` (SearXNG of 2026-08-22: `docs/dev/search_api.rst`, `searx/webapp.py`; checked against a
 * running searx 1.1.0 by `npm run test:searx`). Its `score` has no upper bound and is not passed on. An empty list with
 * `unresponsive_engines` is an outage, not "nothing found". SearXNG knows periods only, so a range becomes the shortest period
 * that includes it.
 *
 * @throws InvalidOptionError
 */
export function searxng(options: SearxngOptions): SearchProvider {
  const pages = options?.maxPages ?? 2;
  const provider = httpProvider(options, {
    name: 'searxng',
    label: 'SearXNG',
    fields: {
      url: httpUrl(
        'the root URL of the instance, e.g. http://127.0.0.1:8888 (environment variable SEARXNG_URL)',
      ),
      engines: optional(array(string())),
      categories: optional(array(string())),
      safeSearch: optional(oneOf(0, 1, 2)),
      maxPages: optional(integer(1, 5)),
      siteOperators: withDefault(boolean(), true),
      // One of them may be a password.
      headers: secret(optional(record(string()))),
    },
    filters: ['language', 'freshness', ...(options?.siteOperators === false ? [] : DOMAINS)],
    request: (query: PageQuery, { url, engines, categories, safeSearch, siteOperators, headers }) => ({
      root: url,
      path: '/search',
      params: {
        q: siteOperators ? withSiteOperators(query) : query.text,
        format: 'json',
        pageno: query.page,
        language: query.language,
        time_range: query.freshness && periodOf(query.freshness),
        safesearch: safeSearch,
        engines: engines?.join(',') || undefined,
        categories: categories?.join(',') || undefined,
      },
      headers,
    }),
    failures: [
      {
        status: 403,
        kind: 'bad_request',
        advice:
          'does not answer in JSON. Add `json` to `search.formats` in its settings.yml; the default is html only. ' +
          'If it is there, the bot detection refuses this server.',
      },
      {
        status: 429,
        kind: 'rate_limited',
        advice:
          'limits API requests to a few an hour. Set `server.limiter: false` in its settings.yml, or allow this server in limiter.toml.',
      },
      {
        status: 200,
        says: /^\s*</,
        kind: 'bad_payload',
        advice:
          'sent something that is not JSON. `url` must be the root of the instance, without a login page in front of it.',
      },
    ],
    failure: engineFailure,
    response: object({
      results: list(hit({ snippet: 'content', publishedAt: ['publishedDate'] })),
    }),
    results: ({ results }) => results,
    secret: ({ headers = {} }) =>
      Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1],
  });

  return {
    ...provider,
    search: async (query, context) => {
      const ask = async (page?: number): Promise<SearchHit[]> => {
        // Not cut to the count: a result that is listed twice must not cost another one its place.
        const whole: PageQuery = { ...query, count: Infinity, page };
        return (await provider.search(whole, context)).hits;
      };
      return { hits: await fill(await ask(), query.count, pages, ask, context) };
    },
  };
}

const DOMAINS = ['includeDomains', 'excludeDomains'] as const;

/** A search for one page of results. */
interface PageQuery extends SearchQuery {
  /** From 2; absent for the first page. */
  page?: number;
}

/** Adds pages while there are too few results. SearXNG has no parameter for the number of results. */
async function fill(
  hits: SearchHit[],
  count: number,
  maxPages: number,
  ask: (page: number) => Promise<SearchHit[]>,
  context: ToolContext,
): Promise<SearchHit[]> {
  const byUrl = new Map(hits.map((hit) => [hit.url, hit]));
  for (let page = 2; page <= maxPages && byUrl.size > 0 && byUrl.size < count; page++) {
    const before = byUrl.size;
    try {
      for (const hit of await ask(page)) if (!byUrl.has(hit.url)) byUrl.set(hit.url, hit);
    } catch {
      context.signal.throwIfAborted();
      // The earlier pages are an answer. A later page that fails costs only its own results.
      break;
    }
    if (byUrl.size === before) break;
  }
  return [...byUrl.values()].slice(0, count);
}

/** An empty list with engines that failed is an outage. */
function engineFailure({ json }: ProviderAnswer): ProviderFailure | undefined {
  const failed = arrayAt(json, 'unresponsive_engines');
  const results = at(json, 'results');
  if (failed.length === 0 || !Array.isArray(results) || results.length > 0) return undefined;
  const engines = failed.slice(0, 5).map((entry) => {
    const [engine, reason] = [0, 1].map((i) => oneLine(stringAt(entry, i) ?? '').slice(0, 60));
    return reason ? `${engine} (${reason})` : engine;
  });
  const advice = `found nothing because its engines failed: ${engines.join('; ')}. Check \`engines\` in its settings.yml.`;
  return { kind: 'unavailable', advice };
}
