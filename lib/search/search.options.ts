import type { ProviderOption } from '../core/ports.js';
import {
  anything,
  array,
  boolean,
  check,
  integer,
  map,
  number,
  oneOf,
  optional,
  options,
  record,
  string,
  withDefault,
  withheld,
  type Infer,
} from '../core/schema.js';
import { LANGUAGES, type Language } from '../text/languages.js';
import type { PageReaderOptions } from '../web/fetch-page.js';
import { VERIFY_OPTION, type VerifyOption } from '../grounding/verifier.js';
import { FRESHNESS, type Freshness } from './freshness.js';
import { contactAddress } from './providers/http-provider.js';
import { bareDomain } from '../core/domains.js';
import type { Reranker } from './reranker.js';
import type { SearchProvider } from './search-provider.js';

/** Options of `search_web`; all are optional. */
export interface SearchOptions {
  /** Time for a search without an answer, ms. Default 3,000. */
  deadlineMs?: number;
  /** Time for a search with an answer, ms. Default 8,000. */
  answerDeadlineMs?: number;
  /** If a provider has not answered after this many ms, the next one starts as well. Default 400. */
  hedgeAfterMs?: number;
  /**
   * `first`: the providers are a chain, the first list that comes is used. `all`: every provider is asked at once and the
   * lists are fused; costs every provider's quota. Default `first`.
   */
  combine?: 'first' | 'all';
  /** Preferred language of the results. Default none. */
  language?: Language;
  /**
   * Only results of the last `day`, `week`, `month` or `year`, or of a range of days such as `{ from: '2026-01-01', to: '2026-01-31' }`
   * (one end is enough). Results without a date stay. Default: any time.
   */
  freshness?: Freshness;
  /** Only these domains and their subdomains. Default all. */
  includeDomains?: readonly string[];
  /** None of these. Default none. */
  excludeDomains?: readonly string[];
  /** Pages without passages that are read where a page reader is there. 0 turns reading off. Default 5. */
  readPages?: number;
  /** Time for reading those pages, ms, at most half of the time that is left. Default 2,000. */
  readMs?: number;
  /** @deprecated Queries are no longer rewritten; accepted without an effect until 0.4. */
  rewrite?: boolean;
  /** Below this probability the outcome of an answer is `related` or `not_found`, 0..1. Default 0.5. */
  answerThreshold?: number;
  /**
   * Price of one call of a provider, by its name, in the unit of `limits.dailyCost`, e.g. `{ brave: 0.005 }`. Calls and cost then appear in `usage`, and
   * the cost in `dailyCost` and `hooks.onUsage`. Default: calls are not counted.
   */
  prices?: Readonly<Record<string, number>>;
  /** How long results and answers are kept in the cache, ms; 0 keeps none. Default five minutes. */
  cacheTtlMs?: number;
}

/** Where and how the web is searched. */
export interface SearchModuleOptions extends SearchOptions {
  /** Asked in order. Default: You.com without a key, then Wikipedia; a line of the log says so at start. */
  providers?: readonly ProviderOption<SearchProvider>[];
  /**
   * An e-mail address or a web page of yours, told to the default providers. With one, Wikipedia answers 200 requests a minute instead
   * of 10. With `providers`, pass it to `wikipedia({ contact })` and `you({ contact })`. Default: none.
   */
  contact?: string;
  /** Highest `top_n` that is accepted, 1..50. Default 20. */
  maxTopN?: number;
  /** How pages are fetched when a provider gives only a snippet, or false to use snippets only. */
  pages?: PageReaderOptions | false;
  /**
   * A second look at answers that the model wrote: one more call that finds statements whose meaning the sources do not support. `'model'`
   * asks the model itself; `modelVerifier(cheaperModel)` another one; or a verifier of the host's own. Default: none.
   */
  verify?: VerifyOption;
  /** @deprecated Use {@link SearchModuleOptions.verify}; accepted until 0.4. */
  verifyAnswers?: VerifyOption;
  /**
   * Puts the best 30 pages of a search in a better order, within 30 % of the time that is left, e.g.
   * `aiReranker(cohere.reranking('…'))`. Providers are then asked for 30 results. Default: the order of the search.
   */
  reranker?: ProviderOption<Reranker>;
}

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Some providers refuse a whole request because of one empty domain. */
const DOMAINS = withDefault(
  map(array(string()), (domains) => [...new Set(domains.map(bareDomain))].filter((domain) => domain !== '')),
  [],
);

/** The options `search.…`. */
export const SEARCH_SCHEMA = options({
  maxTopN: withDefault(integer(1, 50), 20),
  deadlineMs: withDefault(integer(1, HOUR_MS), 3000),
  answerDeadlineMs: withDefault(integer(1, HOUR_MS), 8000),
  hedgeAfterMs: withDefault(integer(0, HOUR_MS), 400),
  combine: withDefault(oneOf('first', 'all'), 'first' as const),
  language: optional(oneOf(...LANGUAGES)),
  freshness: optional(FRESHNESS),
  includeDomains: DOMAINS,
  excludeDomains: DOMAINS,
  readPages: withDefault(integer(0, 50), 5),
  readMs: withDefault(integer(0, HOUR_MS), 2000),
  rewrite: optional(boolean()),
  answerThreshold: withDefault(number(0, 1), 0.5),
  prices: optional(record(number(0))),
  cacheTtlMs: withDefault(integer(0, YEAR_MS), 300_000),
  providers: optional(array(anything<ProviderOption<SearchProvider>>())),
  contact: contactAddress,
  reranker: optional(
    withheld(check<ProviderOption<Reranker>>('a Reranker', (value) => Object(value) === value)),
  ),
  verify: VERIFY_OPTION,
  verifyAnswers: VERIFY_OPTION,
  pages: withDefault(anything<PageReaderOptions | false>(), {}),
});

/** {@link SearchModuleOptions} with every default filled in. */
export type ResolvedSearchOptions = Infer<typeof SEARCH_SCHEMA>;
