import type { Warning } from '../core/warning.js';
import { InvalidRequestError } from '../core/errors.js';
import { array, check, documented, type Schema } from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import type { Language } from '../text/languages.js';
import { isFresh, isPeriod, PERIODS, rangeOf, type Freshness, type FreshnessPeriod } from './freshness.js';
import { bareDomain, isAdmitted, isWithin } from '../core/domains.js';
import type { SearchFilter, SearchProvider, SearchQuery } from './search-provider.js';

const MAX_DOMAINS = 20; // as the API promises
/** Longest domain, characters (RFC 1035). */
const MAX_DOMAIN_LENGTH = 253;

export interface RequestFilters {
  /** Preferred language of the results. Default: the host's, else any. */
  language?: Language;
  /** Only results of the last day, week, month or year. Default: the host's, else any time. */
  freshness?: FreshnessPeriod;
  /** Only these domains and their subdomains, at most 20. Default: the host's, else all. */
  includeDomains?: readonly string[];
  /** None of these domains or their subdomains, at most 20. Default: the host's, else none. */
  excludeDomains?: readonly string[];
}

export interface HostFilters {
  readonly language?: Language;
  readonly freshness?: Freshness;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
}

export interface ResolvedFilters {
  query: Pick<SearchQuery, 'language' | 'freshness' | 'includeDomains' | 'excludeDomains'>;
  /** The request's part, with domains in one spelling and order. Equal searches have equal ones. */
  asked: RequestFilters;
  warnings: Warning[];
}

/** Whether a page is of the domains and the time that a query asks for. */
export function meetsFilters(hit: { url: string; publishedAt?: string }, query: SearchQuery): boolean {
  if (!isAdmitted(hit.url, query)) return false;
  // A page whose date nobody knows is left to the provider, which was asked for the same span.
  return !(query.freshness && hit.publishedAt && !isFresh(hit.publishedAt, query.freshness));
}

/**
 * The filters of a search, within what the host allows. The host's language stays, the shorter time counts, only domains within the host's are
 * included, and what either excludes is excluded.
 *
 * @param request valid by the rules of the request
 * @throws InvalidRequestError for what the host does not allow
 */
export function resolveFilters(request: RequestFilters, host: HostFilters): ResolvedFilters {
  const warnings: Warning[] = [];
  const limit: Limit = (message) => void warnings.push({ code: 'narrowing_limited', message });
  const include = domainsOf(request.includeDomains);
  const exclude = domainsOf(request.excludeDomains);
  if (request.language && host.language && host.language !== request.language)
    limit(`This server searches in "${host.language}" only; language "${request.language}" was not applied.`);
  return {
    query: {
      language: host.language ?? request.language,
      freshness: freshnessWithin(request.freshness, host.freshness, limit),
      includeDomains: someOf(domainsWithin(include, host.includeDomains, limit)),
      excludeDomains: someOf([...host.excludeDomains, ...exclude]),
    },
    asked: {
      language: request.language,
      freshness: request.freshness,
      includeDomains: someOf(include),
      excludeDomains: someOf(exclude),
    },
    warnings,
  };
}

type Limit = (message: string) => void;

function refusal(field: keyof RequestFilters, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message: `${field} ${message}` }]);
}

function freshnessWithin(
  asked: FreshnessPeriod | undefined,
  hostFreshness: Freshness | undefined,
  limit: Limit,
): Freshness | undefined {
  if (asked === undefined || hostFreshness === undefined) return asked ?? hostFreshness;
  if (isPeriod(hostFreshness)) {
    if (PERIODS.indexOf(asked) <= PERIODS.indexOf(hostFreshness)) return asked;
    limit(`This server only searches pages of the last ${hostFreshness}.`);
    return hostFreshness;
  }
  const { from = '' } = rangeOf(asked);
  if (hostFreshness.to !== undefined && hostFreshness.to < from)
    throw refusal(
      'freshness',
      `"${asked}" is outside what this server searches: pages until ${hostFreshness.to}`,
    );
  return {
    ...hostFreshness,
    from: hostFreshness.from !== undefined && hostFreshness.from > from ? hostFreshness.from : from,
  };
}

/** A domain within one of the host's, or the host's own ones within a domain that was asked for. */
function domainsWithin(
  asked: readonly string[],
  hostDomains: readonly string[],
  limit: Limit,
): readonly string[] {
  if (asked.length === 0 || hostDomains.length === 0) return asked.length > 0 ? asked : hostDomains;
  const allowed = asked.map((domain) =>
    isWithin(domain, hostDomains) ? [domain] : hostDomains.filter((other) => isWithin(other, [domain])),
  );
  const outside = asked.filter((_, i) => allowed[i]!.length === 0);
  if (outside.length === asked.length)
    throw refusal('includeDomains', `must name domains that this server searches: ${hostDomains.join(', ')}`);
  if (outside.length > 0) limit(`This server does not search ${outside.join(', ')}.`);
  return allowed.flat();
}

function someOf(domains: readonly string[]): string[] | undefined {
  return domains.length > 0 ? [...new Set(domains)] : undefined;
}

const OTHER_DATES = 'Its results with another date are dropped; those without a date are kept.';

/** What a provider cannot do, and what the service does instead. */
const CANNOT: Record<SearchFilter, string> = {
  language: 'filter by language. Its results may be in other languages.',
  freshness: `filter by time. ${OTHER_DATES}`,
  dateRange: `filter by days. ${OTHER_DATES}`,
  includeDomains: 'filter by domains. Its results of other domains are dropped, so there may be few.',
  excludeDomains: 'leave out domains. Its results of these domains are dropped.',
};

/** What a provider cannot do of these filters. A provider that does not say what it can do can do everything. */
function limitsOf({ name, filters: supported }: SearchProvider, filters: readonly SearchFilter[]): string[] {
  const missing = supported ? filters.filter((filter) => !supported.includes(filter)) : [];
  return missing.map((filter) => `The search provider ${name} cannot ${CANNOT[filter]}`);
}

/** What the host should know at start, one line of the log each: the limits of its providers, and the filters that one of them cannot apply. */
export function startNotices(providers: readonly SearchProvider[], host: HostFilters): string[] {
  return providers.flatMap((provider) => [
    ...(provider.notice === undefined ? [] : [provider.notice]),
    ...limitsOf(provider, filtersIn(host)),
  ]);
}

/**
 * Warnings about what these providers could not filter by, although the request asked for it.
 *
 * @param asked by the request; what only the host filters by is not the caller's matter
 */
export function filterWarnings(
  providers: readonly SearchProvider[],
  query: SearchQuery,
  asked: RequestFilters,
): Warning[] {
  const ofRequest = filtersIn(query).filter(
    (filter) => asked[filter === 'dateRange' ? 'freshness' : filter] !== undefined,
  );
  const messages = providers.flatMap((provider) => limitsOf(provider, ofRequest));
  return messages.map((message) => ({ code: 'narrowing_not_supported', message }));
}

function filtersIn(query: Partial<HostFilters>): SearchFilter[] {
  const filters: SearchFilter[] = [];
  if (query.language) filters.push('language');
  if (query.freshness) filters.push(isPeriod(query.freshness) ? 'freshness' : 'dateRange');
  if (query.includeDomains?.length) filters.push('includeDomains');
  if (query.excludeDomains?.length) filters.push('excludeDomains');
  return filters;
}

function domainsOf(domains: readonly string[] = []): string[] {
  return [...new Set(domains.flatMap((domain) => domainOf(domain) ?? []))].sort();
}

export const DOMAINS: Schema<string[]> = documented(
  {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_DOMAIN_LENGTH },
    maxItems: MAX_DOMAINS,
  },
  array(
    check<string>(
      'a domain such as example.com, without https:// and path',
      (domain) => domainOf(domain) !== undefined,
    ),
    { max: MAX_DOMAINS, of: 'domains' },
  ),
);

/** Characters that end the host of an address. Without this check `example.com/path` would silently lose its path. */
const BEYOND_HOST = /[\s/\\:?#@[\]%]/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** A domain without `www.`, in lower case and Punycode; undefined for everything else. */
function domainOf(domain: unknown): string | undefined {
  if (typeof domain !== 'string' || domain.length > MAX_DOMAIN_LENGTH || BEYOND_HOST.test(domain.trim()))
    return undefined;
  const hostname = parseUrl(`http://${bareDomain(domain)}`)?.hostname ?? '';
  return DOMAIN.test(hostname) ? hostname : undefined;
}
