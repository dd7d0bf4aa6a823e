import type { FieldError } from '../core/errors.js';
import { LANGUAGES, type Language } from '../core/text/languages.js';
import {
  isPeriod,
  PERIODS,
  rangeOf,
  type DateRange,
  type Freshness,
  type FreshnessPeriod,
} from './freshness.js';
import { bareDomain, isWithin } from './ranking/canonical-url.js';
import {
  notNarrowedBy,
  type SearchNarrowing,
  type SearchProvider,
  type SearchQuery,
} from './search-provider.js';

/** Most domains in a list of a request. */
export const MAX_DOMAINS = 20;
/** Longest domain, characters (RFC 1035). */
export const MAX_DOMAIN_LENGTH = 253;

/** Narrowing of one request. */
export interface NarrowingRequest {
  /** Preferred language of the results. Default: the host's, else any. */
  language?: Language;
  /** Only results of the last day, week, month or year. Default: the host's, else any time. */
  freshness?: FreshnessPeriod;
  /** Only these domains and their subdomains, at most 20. Default: the host's, else all. */
  includeDomains?: readonly string[];
  /** None of these domains or their subdomains, at most 20. Default: the host's, else none. */
  excludeDomains?: readonly string[];
}

/** Narrowing of the host, for every search. */
export interface HostNarrowing {
  readonly language?: Language;
  readonly freshness?: Freshness;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
}

/** A request's narrowing within the host's. */
export interface Narrowed {
  /** The query for the providers. */
  query: Pick<SearchQuery, 'language' | 'freshness' | 'includeDomains' | 'excludeDomains'>;
  /** The request's part, with domains in one spelling and order. Equal searches have equal ones. */
  asked: NarrowingRequest;
  /** Fields that are not valid, or that the host does not allow. */
  wrong: FieldError[];
  /** The fields that the host limited. */
  warnings: NarrowingWarning[];
}

/** Something about the narrowing that the caller should know. */
interface NarrowingWarning {
  code: 'narrowing_limited' | 'narrowing_not_supported';
  message: string;
}

/** How the fields are called in messages. */
type NarrowingNames = Readonly<Record<keyof NarrowingRequest, string>>;

const TYPESCRIPT_NAMES: NarrowingNames = {
  language: 'language',
  freshness: 'freshness',
  includeDomains: 'includeDomains',
  excludeDomains: 'excludeDomains',
};

/**
 * Narrows a search within what the host allows. The host's language stays, the shorter time counts, only domains within the host's are
 * included, and what either excludes is excluded.
 *
 * @param names of the fields in messages; default: those of TypeScript
 */
export function narrow(
  given: NarrowingRequest,
  host: HostNarrowing,
  names: NarrowingNames = TYPESCRIPT_NAMES,
): Narrowed {
  const wrong: FieldError[] = [];
  const warnings: NarrowingWarning[] = [];
  const refuse = (field: keyof NarrowingRequest, message: string): undefined =>
    void wrong.push({ field: names[field], message: `${names[field]} ${message}` });
  const limit = (message: string): void => void warnings.push({ code: 'narrowing_limited', message });

  const language = (): Language | undefined => {
    const asked = given.language;
    if (asked === undefined) return host.language;
    if (!LANGUAGES.includes(asked)) return refuse('language', `must be one of ${LANGUAGES.join(', ')}`);
    if (host.language && host.language !== asked)
      limit(`This server searches in "${host.language}" only; ${names.language} "${asked}" was not applied.`);
    return host.language ?? asked;
  };

  const freshness = (): Freshness | undefined => {
    const asked = given.freshness;
    if (asked === undefined) return host.freshness;
    if (!isPeriod(asked)) return refuse('freshness', `must be one of ${PERIODS.join(', ')}`);
    if (host.freshness === undefined) return asked;
    if (isPeriod(host.freshness)) {
      if (PERIODS.indexOf(asked) <= PERIODS.indexOf(host.freshness)) return asked;
      limit(`This server only searches pages of the last ${host.freshness}.`);
      return host.freshness;
    }
    const range = overlap(rangeOf(asked), host.freshness);
    if (range) return range;
    return refuse(
      'freshness',
      `"${asked}" is outside what this server searches: pages until ${host.freshness.to}`,
    );
  };

  const include = domainsOf(given.includeDomains, 'includeDomains', refuse);
  const exclude = domainsOf(given.excludeDomains, 'excludeDomains', refuse);
  const includeDomains = (): readonly string[] => {
    if (include.length === 0 || host.includeDomains.length === 0)
      return include.length > 0 ? include : host.includeDomains;
    // A domain within one of the host's, or the host's own ones within a domain that was asked for.
    const allowed = [
      ...include.filter((domain) => isWithin(domain, host.includeDomains)),
      ...host.includeDomains.filter((domain) => isWithin(bareDomain(domain), include)),
    ];
    const outside = include.filter(
      (domain) =>
        !isWithin(domain, host.includeDomains) &&
        !host.includeDomains.some((own) => isWithin(bareDomain(own), [domain])),
    );
    if (allowed.length === 0)
      refuse(
        'includeDomains',
        `must name domains that this server searches: ${host.includeDomains.join(', ')}`,
      );
    else if (outside.length > 0) limit(`This server does not search ${outside.join(', ')}.`);
    return [...new Set(allowed)];
  };

  const found = { language: language(), freshness: freshness(), includeDomains: includeDomains() };
  const excluded = [...new Set([...host.excludeDomains, ...exclude])];
  return {
    query: {
      ...(found.language ? { language: found.language } : {}),
      ...(found.freshness ? { freshness: found.freshness } : {}),
      ...(found.includeDomains.length > 0 ? { includeDomains: [...found.includeDomains] } : {}),
      ...(excluded.length > 0 ? { excludeDomains: excluded } : {}),
    },
    asked: {
      ...(given.language === undefined ? {} : { language: given.language }),
      ...(given.freshness === undefined ? {} : { freshness: given.freshness }),
      ...(include.length > 0 ? { includeDomains: include } : {}),
      ...(exclude.length > 0 ? { excludeDomains: exclude } : {}),
    },
    wrong,
    warnings,
  };
}

/** What a provider cannot narrow by, the option of the host that asks for it, and what the service does instead. */
const CANNOT: Record<SearchNarrowing, readonly [what: string, option: string, instead: string]> = {
  language: ['narrow by language', 'language', 'Its results may be in other languages.'],
  freshness: [
    'narrow by time',
    'freshness',
    'Its results with an older date are dropped; those without a date are kept.',
  ],
  dateRange: [
    'narrow by days',
    'freshness',
    'Its results with another date are dropped; those without a date are kept.',
  ],
  includeDomains: [
    'narrow by domains',
    'includeDomains',
    'Its results of other domains are dropped, so there may be few.',
  ],
  excludeDomains: ['leave out domains', 'excludeDomains', 'Its results of these domains are dropped.'],
};

/** What the host should know at start, one line of the log each: the limits of its providers, and the narrowing that one of them cannot do. */
export function startNotices(providers: readonly SearchProvider[], host: HostNarrowing): string[] {
  const { language, freshness, includeDomains, excludeDomains } = host;
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
    ...notNarrowedBy(provider, query).map((narrowing) => {
      const [what, option, instead] = CANNOT[narrowing];
      return `The search provider ${provider.name} cannot ${what} (option \`search.${option}\`). ${instead}`;
    }),
  ]);
}

/**
 * Warnings about what these providers could not narrow by, although the request asked for it.
 *
 * @param asked by the request; what only the host narrows by is not the caller's matter
 */
export function narrowingWarnings(
  providers: readonly SearchProvider[],
  query: SearchQuery,
  asked: NarrowingRequest,
): NarrowingWarning[] {
  const ofRequest: SearchQuery = {
    text: query.text,
    count: query.count,
    ...(asked.language ? { language: query.language } : {}),
    ...(asked.freshness ? { freshness: query.freshness } : {}),
    ...(asked.includeDomains ? { includeDomains: query.includeDomains } : {}),
    ...(asked.excludeDomains ? { excludeDomains: query.excludeDomains } : {}),
  };
  return providers.flatMap((provider) =>
    notNarrowedBy(provider, ofRequest).map((narrowing) => {
      const [what, , instead] = CANNOT[narrowing];
      return {
        code: 'narrowing_not_supported' as const,
        message: `The search provider ${provider.name} cannot ${what}. ${instead}`,
      };
    }),
  );
}

function overlap(one: DateRange, other: DateRange): DateRange | undefined {
  const from = [one.from, other.from]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
  const to = [one.to, other.to].filter((day) => day !== undefined).sort()[0];
  if (from !== undefined && to !== undefined && to < from) return undefined;
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Domains of a request: in lower case and Punycode, sorted, each once. */
function domainsOf(
  given: readonly string[] | undefined,
  field: 'includeDomains' | 'excludeDomains',
  refuse: (field: keyof NarrowingRequest, message: string) => void,
): string[] {
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length > MAX_DOMAINS) {
    refuse(field, `must be a list of at most ${MAX_DOMAINS} domains`);
    return [];
  }
  const domains = given.map(domainOf);
  const invalid = domains.indexOf(undefined);
  if (invalid >= 0) {
    refuse(
      field,
      `must contain domains such as example.com, without https:// and path; item ${invalid + 1} is not a domain`,
    );
    return [];
  }
  return [...new Set(domains as string[])].sort();
}

/** Characters that end the host of an address. Without this check `example.com/path` would silently lose its path. */
const BEYOND_HOST = /[\s/\\:?#@[\]%]/;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** A domain without `www.`, in lower case and Punycode; undefined for everything else. */
function domainOf(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > MAX_DOMAIN_LENGTH || BEYOND_HOST.test(given.trim()))
    return undefined;
  const address = `http://${bareDomain(given)}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return DOMAIN.test(hostname) ? hostname : undefined;
}
