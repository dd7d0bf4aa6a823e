import type { Warning } from '../core/warning.js';
import type { Language } from '../text/languages.js';
import type { ToolContext } from '../core/context.js';
import type { Freshness } from './freshness.js';

/** One search, as a provider gets it. The filters belong to this search alone. */
export interface SearchQuery {
  /** 1 to 400 characters, trimmed. */
  text: string;
  /** Number of results wanted, 1 to 50. A provider may return fewer. */
  count: number;
  /** Preferred language of the results. Default: any. */
  language?: Language;
  /** Only results of this time. Default: any time. */
  freshness?: Freshness;
  /** Only these domains and their subdomains. The service filters as well. Default: all. */
  includeDomains?: string[];
  /** None of these domains or their subdomains. The service filters as well. Default: none. */
  excludeDomains?: string[];
}

/**
 * Ways to filter a search. `freshness` means periods such as `week`; `dateRange` means ranges of days.
 */
export type SearchFilter = 'language' | 'freshness' | 'dateRange' | 'includeDomains' | 'excludeDomains';

/** One result of a provider. A provider lists its results best first. */
export interface SearchHit {
  url: string;
  title: string;
  /** Short extract, plain text. */
  snippet?: string;
  /**
   * Longer passages of the page that match the query, best first: plain text, Markdown or HTML, of which the service shows the part that
   * matches best. With passages, the service does not read the page.
   */
  passages?: string[];
  /** The provider's own relevance, only when the provider defines it as 0..1. */
  score?: number;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** SPDX id of the licence of the text, e.g. `CC-BY-SA-4.0`, when the source demands that it is named. */
  license?: string;
  /** The name to credit for the text, e.g. `Wikipedia contributors`, if the source demands it. */
  attribution?: string;
}

/** Answer of a provider. */
export interface SearchProviderResult {
  hits: SearchHit[];
  /** What it could not do fully, although it found these hits. Default: none. */
  warnings?: Warning[];
}

/**
 * A source of search results. A host passes its own in `ToolsModule.forRoot({ search: { providers: […] } })`, as an instance,
 * a class or a factory.
 */
export interface SearchProvider {
  /** Appears as `provider` in results and logs, e.g. `searxng`. */
  readonly name: string;
  /**
   * Part of cache keys. Set it when two providers of the same name may share a cache and search different content, e.g. other
   * documents. Default: none.
   */
  readonly version?: string | undefined;
  /**
   * The filters that the provider applies itself. For everything else the service filters results by their dates and domains; it cannot
   * filter by language, nor results without a date. Default: unknown, treated as everything.
   */
  readonly filters?: readonly SearchFilter[];
  /** A notice for the host at start, e.g. a low limit. Logged once. */
  readonly notice?: string;
  /**
   * @throws SearchProviderError (providers of this package), UpstreamInvalidError, UpstreamUnavailableError or
   *   UpstreamTimeoutError. A failure never looks like an empty list.
   */
  search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult>;
}
