import { arrayAt, at, stringAt } from '../../core/json.js';
import {
  array,
  boolean,
  object,
  oneOf,
  optional,
  record,
  secret,
  string,
  withDefault,
} from '../../core/schema.js';
import { periodOf } from '../freshness.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchProvider } from '../search-provider.js';
import {
  httpProvider,
  httpUrl,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderOptions,
} from './http-provider.js';
import { withSiteOperators } from './query-filters.js';
import { hit, hitList } from './search-hits.js';

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
  /** False for an instance whose engines do not know `site:`. Only the service filters domains then. Default true. */
  siteOperators?: boolean;
  /** Further request headers, e.g. `authorization` for a proxy in front of the instance. */
  headers?: Record<string, string>;
}

/**
 * A SearXNG or searx instance of your own.
 *
 * Wire format: `GET /search?format=json` (SearXNG of 2026-08-22: `docs/dev/search_api.rst`, `searx/webapp.py`; checked against a
 * running searx 1.1.0 by `npm run check -- searx`). Its `score` has no upper bound and is not passed on. An empty list with
 * `unresponsive_engines` is an outage, not "nothing found". SearXNG knows periods only, so a range becomes the shortest period
 * that includes it. It has no parameter for the number of results: one page of them is asked for. searx leaves a failed engine out for a while
 * without naming it: an empty list is then the same outage.
 *
 * @throws InvalidOptionError
 */
export function searxng(options: SearxngOptions): SearchProvider {
  return httpProvider(options, {
    name: 'searxng',
    label: 'SearXNG',
    fields: {
      url: httpUrl(
        'the root URL of the instance, e.g. http://127.0.0.1:8888 (environment variable SEARXNG_URL)',
      ),
      engines: optional(array(string())),
      categories: optional(array(string())),
      safeSearch: optional(oneOf(0, 1, 2)),
      siteOperators: withDefault(boolean(), true),
      // One of them may be a password.
      headers: secret(optional(record(string()))),
    },
    filters: ['language', 'freshness', ...(options?.siteOperators === false ? [] : DOMAINS)],
    request: (query, { url, engines, categories, safeSearch, siteOperators, headers }) => ({
      root: url,
      path: '/search',
      params: {
        q: siteOperators ? withSiteOperators(query) : query.text,
        format: 'json',
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
    failure: outages(),
    response: object({
      results: hitList(hit({ snippet: 'content', publishedAt: ['publishedDate'] })),
    }),
    results: ({ results }) => results,
    secret: ({ headers = {} }) =>
      Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1],
  });
}

const DOMAINS = ['includeDomains', 'excludeDomains'] as const;

/** Longest time for which searx 1.1.0 leaves a failed engine out (`max_ban_time_on_fail`), ms. SearXNG names such engines. */
const BAN_MS = 120_000;

/** An empty list with engines that failed is an outage, and so is one without a name while these engines may be left out. */
function outages(): (answer: ProviderAnswer) => ProviderFailure | undefined {
  let last: { failure: ProviderFailure; until: number } | undefined;
  return ({ json }) => {
    const results = at(json, 'results');
    if (!Array.isArray(results)) return undefined;
    if (results.length > 0) last = undefined;
    else if (arrayAt(json, 'unresponsive_engines').length > 0)
      last = { failure: engineFailure(json), until: performance.now() + BAN_MS };
    return last && performance.now() < last.until ? last.failure : undefined;
  };
}

function engineFailure(json: unknown): ProviderFailure {
  const engines = arrayAt(json, 'unresponsive_engines')
    .slice(0, 5)
    .map((entry) => {
      const [engine, reason] = [0, 1].map((i) => oneLine(stringAt(entry, i) ?? '').slice(0, 60));
      return reason ? `${engine} (${reason})` : engine;
    });
  const advice = `found nothing because its engines failed: ${engines.join('; ')}. Check \`engines\` in its settings.yml.`;
  return { kind: 'unavailable', advice };
}
