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
import { oneLine } from '../plain-text.js';
import type { SearchHit, SearchProvider, SearchProviderResult, SearchQuery } from '../search-provider.js';
import {
  askProvider,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderProtocol,
} from './http-provider.js';
import { withSiteOperators } from './narrowing.js';
import { httpUrl, providerOptions, type ProviderOptions } from './provider-options.js';
import { list, text } from './search-hits.js';

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

const RESPONSE = object({
  results: list(object({ url: text, title: text, content: text, publishedDate: text })),
});

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
  const { url, engines, categories, safeSearch, maxPages, siteOperators, headers, http } = providerOptions(
    'searxng',
    options,
    undefined,
    {
      url: httpUrl(
        'the root URL of the instance, e.g. http://127.0.0.1:8888 (environment variable SEARXNG_URL)',
      ),
      engines: optional(array(string())),
      categories: optional(array(string())),
      safeSearch: optional(oneOf(0, 1, 2)),
      maxPages: withDefault(integer(1, 5), 2),
      siteOperators: withDefault(boolean(), true),
      // One of them may be a password.
      headers: secret(optional(record(string()))),
    },
  );
  const instance = { ...http, baseUrl: url };
  const authorization = Object.entries(headers ?? {}).find(([name]) => /^authorization$/i.test(name))?.[1];

  const page = (pageno: number): ProviderProtocol<{ results: Result[] }> => ({
    name: 'searxng',
    label: 'SearXNG',
    secret: authorization,
    request: (query) => ({
      path: '/search',
      params: {
        q: siteOperators ? withSiteOperators(query) : query.text,
        format: 'json',
        pageno: pageno > 1 ? pageno : undefined,
        language: query.language,
        time_range: query.freshness && periodOf(query.freshness),
        safesearch: safeSearch,
        engines: engines?.join(',') || undefined,
        categories: categories?.join(',') || undefined,
      },
      headers,
    }),
    failure,
    response: RESPONSE,
    results: ({ results }) =>
      results.map((result) => ({
        url: result.url,
        title: result.title,
        snippet: oneLine(result.content),
        publishedAt: result.publishedDate,
      })),
  });
  // Not cut to the count: a result that is listed twice must not cost another one its place.
  const ask = (pageno: number, query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> =>
    askProvider(page(pageno), instance, { ...query, count: Infinity }, context);

  return {
    name: 'searxng',
    narrows: ['language', 'freshness', ...(siteOperators ? DOMAINS : [])],
    search: async (query, context) => {
      const { hits } = await ask(1, query, context);
      return { hits: await fill(hits, query.count, maxPages, (n) => ask(n, query, context), context) };
    },
  };
}

const DOMAINS = ['includeDomains', 'excludeDomains'] as const;

interface Result {
  url: string;
  title: string;
  content: string;
  publishedDate: string;
}

/** Adds pages while there are too few results. SearXNG has no parameter for the number of results. */
async function fill(
  hits: SearchHit[],
  count: number,
  maxPages: number,
  ask: (page: number) => Promise<SearchProviderResult>,
  context: ToolContext,
): Promise<SearchHit[]> {
  const byUrl = new Map(hits.map((hit) => [hit.url, hit]));
  for (let page = 2; page <= maxPages && byUrl.size > 0 && byUrl.size < count; page++) {
    const before = byUrl.size;
    try {
      for (const hit of (await ask(page)).hits) if (!byUrl.has(hit.url)) byUrl.set(hit.url, hit);
    } catch {
      context.signal.throwIfAborted();
      // The earlier pages are an answer. A later page that fails costs only its own results.
      break;
    }
    if (byUrl.size === before) break;
  }
  return [...byUrl.values()].slice(0, count);
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const { status, json } = answer;
  if (status === 403)
    return {
      kind: 'bad_request',
      advice:
        'does not answer in JSON. Add `json` to `search.formats` in its settings.yml; the default is html only. ' +
        'If it is there, the bot detection refuses this server.',
    };
  if (status === 429)
    return {
      kind: 'rate_limited',
      retryAfterSeconds: retryAfter(answer),
      advice:
        'limits API requests to a few an hour. Set `server.limiter: false` in its settings.yml, or allow this server in ' +
        'limiter.toml.',
    };
  if (status !== 200) return undefined;
  if (json === undefined)
    return {
      kind: 'bad_payload',
      advice:
        'sent something that is not JSON. `url` must be the root of the instance, without a login page in front of it.',
    };
  if (at(json, 'results') === undefined || arrayAt(json, 'results').length > 0) return undefined;
  const broken = arrayAt(json, 'unresponsive_engines').map(engineAndReason).filter(Boolean);
  return broken.length === 0
    ? undefined
    : {
        kind: 'unavailable',
        advice: `found nothing because its engines failed: ${broken.slice(0, 5).join('; ')}. Check \`engines\` in its settings.yml.`,
      };
}

function engineAndReason(entry: unknown): string {
  const [engine, reason] = [0, 1].map((i) => oneLine(stringAt(entry, i) ?? '').slice(0, 60));
  return engine ? (reason ? `${engine} (${reason})` : engine) : '';
}
