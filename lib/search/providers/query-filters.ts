import type { SearchQuery } from '../search-provider.js';

/**
 * Domains as providers want them: lower case, no scheme, path or `www.`, no empty strings (some providers answer an
 * empty string with 400), none twice. Undefined when nothing is left.
 */
export function domainList(domains: readonly string[] | undefined, limit = Infinity): string[] | undefined {
  const clean = (domains ?? []).map((domain) =>
    domain
      .trim()
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .replace(/[/:?#].*$/s, '')
      .replace(/^www\./, ''),
  );
  const unique = [...new Set(clean)].filter((domain) => domain !== '').slice(0, limit);
  return unique.length > 0 ? unique : undefined;
}

/** Whether a host is one of the domains or below one. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/**
 * The query with `site:` operators for a provider that filters domains in no other way. Operators that would push it
 * beyond `maxLength` are left out; the service filters again in any case.
 */
export function withSiteOperators(query: SearchQuery, maxLength = Infinity): string {
  const include = (domainList(query.includeDomains) ?? []).map((domain) => `site:${domain}`).join(' OR ');
  const exclude = (domainList(query.excludeDomains) ?? []).map((domain) => `-site:${domain}`).join(' ');
  const text = [query.text, include, exclude].filter((part) => part !== '').join(' ');
  return text.length <= maxLength ? text : query.text;
}

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;

/** The moment that a freshness reaches back to (a month counts 30 days, a year 365). */
export function freshSince(freshness: NonNullable<SearchQuery['freshness']>, now: number = Date.now()): Date {
  return new Date(now - DAYS[freshness] * 86_400_000);
}
