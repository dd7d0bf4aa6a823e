import { InvalidOptionError } from '../../core/errors/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { SearchHit, SearchProvider, SearchProviderResult, SearchQuery } from '../search-provider.js';
import { isObject, listIn, numberIn, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import {
  flag,
  oneOf,
  providerOptions,
  texts,
  type ProviderOptions,
  wholeNumber,
  type OptionCheck,
} from './provider-options.js';
import {
  askProvider,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderProtocol,
} from './provider-request.js';
import { withSiteOperators } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface SearxngOptions extends Omit<ProviderOptions, 'baseUrl'> {
  /** Root of the instance, e.g. `http://127.0.0.1:8888`. Its settings must have `json` in `search.formats`. */
  url: string;
  /** Engines to ask, by name; default: those of the categories. */
  engines?: string[];
  /** Categories to ask; default: the instance's (`general`). */
  categories?: string[];
  /** 0 off, 1 moderate, 2 strict; default: the instance's. */
  safeSearch?: 0 | 1 | 2;
  /** Pages asked at most while there are fewer results than wanted, 1 to 5; default 2. */
  maxPages?: number;
  /** False for an instance whose engines do not know `site:`; domains are then filtered by the service alone. Default true. */
  siteOperators?: boolean;
  /** Sent along, e.g. `authorization` for a proxy in front of the instance. */
  headers?: Record<string, string>;
}

/**
 * A SearXNG or searx instance of your own.
 *
 * Wire format: `GET /search?format=json` (SearXNG `docs/dev/search_api.rst`, `searx/webapp.py`; checked against a running
 * searx 1.1.0 by `npm run test:searx`). Its `score` is a sum without an upper bound and is not handed on. An empty list
 * beside `unresponsive_engines` is an outage, not "nothing found". Two kinds of nothing it does not tell
 * apart: searx 1.1.0 is silent on engines it has suspended after a failure, and leaves out engines that do not know the
 * time range asked for.
 *
 * @throws InvalidOptionError
 */
export function searxng(options: SearxngOptions): SearchProvider {
  const {
    engines,
    categories,
    safeSearch,
    maxPages = 2,
    siteOperators = true,
    headers,
    http,
  } = providerOptions(
    'searxng',
    options,
    { option: 'url' },
    {
      url: instance,
      engines: texts,
      categories: texts,
      safeSearch: oneOf(0, 1, 2),
      maxPages: wholeNumber(1, 5),
      siteOperators: flag,
      headers: requestHeaders,
    },
  );
  const secret = headers && Object.entries(headers).find(([name]) => /^authorization$/i.test(name))?.[1];

  const page = (pageno: number): ProviderProtocol => ({
    name: 'searxng',
    label: 'SearXNG',
    secret,
    request: (query) => ({
      path: '/search',
      params: {
        q: siteOperators ? withSiteOperators(query) : query.text,
        format: 'json',
        pageno: pageno > 1 ? pageno : undefined,
        language: query.language,
        time_range: query.freshness,
        safesearch: safeSearch,
        engines: engines?.join(',') || undefined,
        categories: categories?.join(',') || undefined,
      },
      headers,
    }),
    failure,
    read,
  });

  return {
    name: 'searxng',
    search: async (query, context) => {
      const first = await askProvider(page(1), http, query, context);
      return {
        ...first,
        hits: await fill(
          first.hits,
          query,
          maxPages,
          (n) => askProvider(page(n), http, query, context),
          context,
        ),
      };
    },
  };
}

const instance: OptionCheck<string, string> = (option, value) => {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new InvalidOptionError(
    option,
    'the root of the instance, customarily kept in the environment variable SEARXNG_URL',
    value,
  );
};

const requestHeaders: OptionCheck<Record<string, string>> = (option, headers) => {
  if (
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((v) => typeof v === 'string'))
  )
    return headers;
  // One of them may be a password.
  throw new InvalidOptionError(option, 'an object of texts', InvalidOptionError.WITHHELD);
};

/** Adds pages while there are too few results; the number of results of a page is not ours to choose. */
async function fill(
  hits: SearchHit[],
  query: SearchQuery,
  maxPages: number,
  ask: (page: number) => Promise<SearchProviderResult>,
  context: ToolContext,
): Promise<SearchHit[]> {
  const byUrl = new Map(hits.map((hit) => [hit.url, hit]));
  for (let page = 2; page <= maxPages && byUrl.size > 0 && byUrl.size < query.count; page++) {
    const before = byUrl.size;
    try {
      for (const hit of (await ask(page)).hits) if (!byUrl.has(hit.url)) byUrl.set(hit.url, hit);
    } catch {
      context.signal.throwIfAborted();
      // The pages already there are an answer; a later one that fails costs only its results.
      break;
    }
    if (byUrl.size === before) break;
  }
  return [...byUrl.values()].slice(0, query.count);
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  const { status, json } = answer;
  if (status === 403)
    return {
      kind: 'bad_request',
      advice:
        'refuses to answer in JSON: add `json` to `search.formats` in its settings.yml (the default is html alone); ' +
        'if it is there, its bot detection refuses this server.',
    };
  if (status === 429)
    return {
      kind: 'rate_limited',
      retryAfterSeconds: retryAfter(answer),
      advice:
        'has its limiter on, which allows only a handful of API requests an hour: set `server.limiter: false` in its ' +
        'settings.yml or let this server pass in limiter.toml.',
    };
  if (status !== 200) return undefined;
  if (json === undefined)
    return {
      kind: 'bad_payload',
      advice:
        'answered with something that is not JSON: `url` must be the root of the instance, without a login page before it.',
    };
  if (listIn(objectIn(json).results)?.length !== 0) return undefined;
  const broken = (listIn(objectIn(json).unresponsive_engines) ?? [])
    .map(engineAndReason)
    .filter((text) => text !== '');
  return broken.length === 0
    ? undefined
    : {
        kind: 'unavailable',
        advice: `got nothing because its engines failed: ${broken.slice(0, 5).join('; ')}. Check \`engines\` in its settings.yml.`,
      };
}

function engineAndReason(entry: unknown): string {
  const [engine, reason] = (listIn(entry) ?? []).map((part) => oneLine(textIn(part)).slice(0, 60));
  return engine ? (reason ? `${engine} (${reason})` : engine) : '';
}

function read(json: unknown): SearchProviderResult | undefined {
  const body = objectIn(json);
  const results = listIn(body.results);
  // Not cut to the count yet: a result named twice must not cost another one its place.
  const hits =
    results &&
    hitsOf(results, Infinity, (item) => ({
      url: item.url,
      title: item.title,
      snippet: oneLine(textIn(item.content)),
      publishedAt: item.publishedDate,
    }));
  const total = numberIn(body.number_of_results);
  return hits && { hits, ...(total ? { totalResults: total } : {}) };
}
