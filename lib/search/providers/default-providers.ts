import type { ResolvedSearchOptions } from '../search.options.js';
import { notNarrowedBy, type SearchNarrowing, type SearchProvider } from '../search-provider.js';
import { wikipedia } from './wikipedia.provider.js';
import { you } from './you.provider.js';

/**
 * The providers of a host that sets none: You.com without a key, then Wikipedia.
 *
 * @param contact an e-mail address or a web page of the host, told to both
 */
export function defaultProviders(contact: string | undefined): SearchProvider[] {
  return [you({ contact }), wikipedia({ contact })];
}

/** The limitation of a provider, worded for the host. */
const CANNOT: Record<SearchNarrowing, string> = {
  language: 'cannot prefer a language, so that `search.language` has no effect on it',
  freshness: 'cannot narrow by time, so that `search.freshness` only drops its results with an older date',
  dateRange: 'cannot narrow by days, so that `search.freshness` only drops its results with another date',
  includeDomains: 'cannot narrow by domains, so that `search.includeDomains` only drops its other results',
  excludeDomains:
    'cannot leave domains out, so that `search.excludeDomains` only drops its results from them',
};

/**
 * Notices for the log at start, one or two sentences a line: the limits of its providers, and the narrowing
 * that one of them cannot do.
 */
export function startNotices(
  providers: readonly SearchProvider[],
  { language, freshness, includeDomains, excludeDomains }: ResolvedSearchOptions,
): string[] {
  const query = {
    text: '',
    count: 1,
    language,
    freshness,
    includeDomains: [...includeDomains],
    excludeDomains: [...excludeDomains],
  };
  return providers.flatMap((provider) => [
    ...(provider.notice === undefined ? [] : [provider.notice]),
    ...notNarrowedBy(provider, query).map(
      (narrowing) => `The search provider ${provider.name} ${CANNOT[narrowing]}.`,
    ),
  ]);
}
