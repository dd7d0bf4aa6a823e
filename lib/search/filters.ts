import type { FieldError } from '../core/errors.js';
import { parseUrl } from '../core/url.js';
import { LANGUAGES, type Language } from '../text/languages.js';
import { isPeriod, PERIODS, rangeOf, type Freshness, type FreshnessPeriod } from './freshness.js';
import { bareDomain, isWithin } from './ranking/canonical-url.js';
import type { SearchFilter, SearchProvider, SearchQuery, SearchWarning } from './search-provider.js';

/** Most domains in a list of a request. */
export const MAX_DOMAINS = 20;
/** Longest domain, characters (RFC 1035). */
export const MAX_DOMAIN_LENGTH = 253;

/** Filters of one request. */
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

/** Filters of the host, for every search. */
export interface HostFilters {
  readonly language?: Language;
  readonly freshness?: Freshness;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
}

/** A request's filters within the host's. */
export interface ResolvedFilters {
  /** The query for the providers. */
  query: Pick<SearchQuery, 'language' | 'freshness' | 'includeDomains' | 'excludeDomains'>;
  /** The request's part, with domains in one spelling and order. Equal searches have equal ones. */
  asked: RequestFilters;
  /** Fields that are not valid, or that the host does not allow. */
  wrong: FieldError[];
  /** The fields that the host limited. */
  warnings: SearchWarning[];
}

/**
 * The filters of a search, within what the host allows. The host's language stays, the shorter time counts, only domains within the host's are
 * included, and what either excludes is excluded.
 */
export function resolveFilters(given: RequestFilters, host: HostFilters): ResolvedFilters {
  const wrong: FieldError[] = [];
  const warnings: SearchWarning[] = [];
  const limit = (message: string): void => void warnings.push({ code: 'narrowing_limited', message });
  /** What `read` gives, or nothing where it throws why the field is refused. */
  const field = <T>(name: keyof RequestFilters, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      wrong.push({ field: name, message: `${name} ${error.message}` });
      return undefined;
    }
  };
  const include = field('includeDomains', () => domainsOf(given.includeDomains)) ?? [];
  const exclude = field('excludeDomains', () => domainsOf(given.excludeDomains)) ?? [];
  return {
    query: {
      language: field('language', () => languageWithin(given.language, host.language, limit)),
      freshness: field('freshness', () => freshnessWithin(given.freshness, host.freshness, limit)),
      includeDomains: field('includeDomains', () =>
        someOf(domainsWithin(include, host.includeDomains, limit)),
      ),
      excludeDomains: someOf([...host.excludeDomains, ...exclude]),
    },
    asked: {
      language: given.language,
      freshness: given.freshness,
      includeDomains: someOf(include),
      excludeDomains: someOf(exclude),
    },
    wrong,
    warnings,
  };
}

/** Why a field is refused, in words that follow its name. */
class Refusal extends Error {}

type Limit = (message: string) => void;

function languageWithin(
  asked: Language | undefined,
  own: Language | undefined,
  limit: Limit,
): Language | undefined {
  if (asked === undefined) return own;
  if (!LANGUAGES.includes(asked)) throw new Refusal(`must be one of ${LANGUAGES.join(', ')}`);
  if (own && own !== asked)
    limit(`This server searches in "${own}" only; language "${asked}" was not applied.`);
  return own ?? asked;
}

function freshnessWithin(
  asked: FreshnessPeriod | undefined,
  own: Freshness | undefined,
  limit: Limit,
): Freshness | undefined {
  if (asked === undefined) return own;
  if (!isPeriod(asked)) throw new Refusal(`must be one of ${PERIODS.join(', ')}`);
  if (own === undefined) return asked;
  if (isPeriod(own)) {
    if (PERIODS.indexOf(asked) <= PERIODS.indexOf(own)) return asked;
    limit(`This server only searches pages of the last ${own}.`);
    return own;
  }
  const { from = '' } = rangeOf(asked);
  if (own.to !== undefined && own.to < from)
    throw new Refusal(`"${asked}" is outside what this server searches: pages until ${own.to}`);
  return { ...own, from: own.from !== undefined && own.from > from ? own.from : from };
}

/** A domain within one of the host's, or the host's own ones within a domain that was asked for. */
function domainsWithin(asked: readonly string[], own: readonly string[], limit: Limit): readonly string[] {
  if (asked.length === 0 || own.length === 0) return asked.length > 0 ? asked : own;
  const allowed = asked.map((domain) =>
    isWithin(domain, own) ? [domain] : own.filter((other) => isWithin(bareDomain(other), [domain])),
  );
  const outside = asked.filter((_, i) => allowed[i]!.length === 0);
  if (outside.length === asked.length)
    throw new Refusal(`must name domains that this server searches: ${own.join(', ')}`);
  if (outside.length > 0) limit(`This server does not search ${outside.join(', ')}.`);
  return allowed.flat();
}

function someOf(domains: readonly string[]): string[] | undefined {
  return domains.length > 0 ? [...new Set(domains)] : undefined;
}

/** What a provider cannot filter by, the option of the host that asks for it, and what the service does instead. */
const CANNOT: Record<SearchFilter, readonly [what: string, option: string, instead: string]> = {
  language: ['filter by language', 'language', 'Its results may be in other languages.'],
  freshness: [
    'filter by time',
    'freshness',
    'Its results with an older date are dropped; those without a date are kept.',
  ],
  dateRange: [
    'filter by days',
    'freshness',
    'Its results with another date are dropped; those without a date are kept.',
  ],
  includeDomains: [
    'filter by domains',
    'includeDomains',
    'Its results of other domains are dropped, so there may be few.',
  ],
  excludeDomains: ['leave out domains', 'excludeDomains', 'Its results of these domains are dropped.'],
};

/** What the host should know at start, one line of the log each: the limits of its providers, and the filters that one of them cannot apply. */
export function startNotices(providers: readonly SearchProvider[], host: HostFilters): string[] {
  return providers.flatMap((provider) => [
    ...(provider.notice === undefined ? [] : [provider.notice]),
    ...notDoneBy(provider, filtersIn(host)).map((filter) => {
      const [what, option, instead] = CANNOT[filter];
      return `The search provider ${provider.name} cannot ${what} (option \`search.${option}\`). ${instead}`;
    }),
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
): SearchWarning[] {
  const ofRequest = filtersIn(query).filter(
    (filter) => asked[filter === 'dateRange' ? 'freshness' : filter] !== undefined,
  );
  return providers.flatMap((provider) =>
    notDoneBy(provider, ofRequest).map((filter) => {
      const [what, , instead] = CANNOT[filter];
      return {
        code: 'narrowing_not_supported',
        message: `The search provider ${provider.name} cannot ${what}. ${instead}`,
      };
    }),
  );
}

function notDoneBy({ filters: own }: SearchProvider, filters: readonly SearchFilter[]): SearchFilter[] {
  return own ? filters.filter((filter) => !own.includes(filter)) : [];
}

function filtersIn(query: Partial<HostFilters>): SearchFilter[] {
  const filters: SearchFilter[] = [];
  if (query.language) filters.push('language');
  if (query.freshness) filters.push(isPeriod(query.freshness) ? 'freshness' : 'dateRange');
  if (query.includeDomains?.length) filters.push('includeDomains');
  if (query.excludeDomains?.length) filters.push('excludeDomains');
  return filters;
}

/** Domains of a request: in lower case and Punycode, sorted, each once. @throws Refusal */
function domainsOf(given: readonly string[] = []): string[] {
  if (!Array.isArray(given) || given.length > MAX_DOMAINS)
    throw new Refusal(`must be a list of at most ${MAX_DOMAINS} domains`);
  const domains = given.map(domainOf);
  const invalid = domains.indexOf(undefined);
  if (invalid >= 0)
    throw new Refusal(
      `must contain domains such as example.com, without https:// and path; item ${invalid + 1} is not a domain`,
    );
  return [...new Set(domains as string[])].sort();
}

/** Characters that end the host of an address. Without this check `example.com/path` would silently lose its path. */
const BEYOND_HOST = /[\s/\\:?#@[\]%]/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** A domain without `www.`, in lower case and Punycode; undefined for everything else. */
function domainOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > MAX_DOMAIN_LENGTH || BEYOND_HOST.test(given.trim()))
    return undefined;
  const hostname = parseUrl(`http://${bareDomain(given)}`)?.hostname ?? '';
  return DOMAIN.test(hostname) ? hostname : undefined;
}
