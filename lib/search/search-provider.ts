import type { Language } from '../core/text/languages.js';
import type { ToolContext } from '../core/tool-context.js';

/** How recent results must be. */
export const FRESHNESS = ['day', 'week', 'month', 'year'] as const;

/** What is asked of a provider. */
export interface SearchQuery {
  /** 1..400 characters, trimmed. */
  text: string;
  /** How many results are wanted, 1..50; a provider may give fewer. */
  count: number;
  /** Preferred language of the results, where the host sets one. */
  language?: Language;
  /** Only results of the last day, week, month or year. */
  freshness?: (typeof FRESHNESS)[number];
  /** Only these registrable domains and their subdomains; enforced by the service as well. */
  includeDomains?: string[];
  /** None of these; enforced by the service as well. */
  excludeDomains?: string[];
}

/** One result of a provider, best first in its list. */
export interface SearchHit {
  url: string;
  title: string;
  /** Short extract, plain text. */
  snippet?: string;
  /** Longer passages of the page that match the query, plain text, best first; spares the service from reading the page. */
  passages?: string[];
  /** The provider's own relevance where it is defined as 0..1. */
  score?: number;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
}

/** What a provider returns. */
export interface SearchProviderResult {
  hits: SearchHit[];
  /** Number of matches that the provider reports, where it does. */
  totalResults?: number;
}

/**
 * A source of search results. One file each under `providers/`; a host gives its own in
 * `ToolsModule.forRoot({ search: { providers: […] } })` as an instance, a class or a factory.
 */
export interface SearchProvider {
  /** Appears as `provider` in results and logs, e.g. `searxng`. */
  readonly name: string;
  /**
   * Part of cache keys: differs where the same query would be answered from other content, e.g. another set of documents under the same
   * name in hosts that share a store. Default none.
   */
  readonly version?: string;
  /**
   * @throws SearchProviderError (the providers of this package), UpstreamInvalidError, UpstreamUnavailableError or
   *   UpstreamTimeoutError; never an empty list in place of a failure
   */
  search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult>;
}
