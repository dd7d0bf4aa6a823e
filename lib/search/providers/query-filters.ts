import { isPeriod, rangeOf, type Freshness } from '../freshness.js';
import type { SearchQuery } from '../search-provider.js';

/** The domains of a query for a provider that refuses both lists together: the included ones if any, else the excluded ones. */
export function oneDomainList(
  { includeDomains, excludeDomains }: Pick<SearchQuery, 'includeDomains' | 'excludeDomains'>,
  limit?: number,
): { include?: string[]; exclude?: string[] } {
  if (includeDomains?.length) return { include: includeDomains.slice(0, limit) };
  return { exclude: excludeDomains?.slice(0, limit) };
}

/**
 * Adds `site:` operators to the query text, for a provider without domain parameters. Leaves them out when the text would
 * become longer than `maxLength`: the service filters domains in any case.
 */
export function withSiteOperators(query: SearchQuery, maxLength = Infinity): string {
  const include = (query.includeDomains ?? []).map((domain) => `site:${domain}`).join(' OR ');
  const exclude = (query.excludeDomains ?? []).map((domain) => `-site:${domain}`).join(' ');
  const text = [query.text, include, exclude].filter((part) => part !== '').join(' ');
  return text.length <= maxLength ? text : query.text;
}

/** A freshness as `YYYY-MM-DDtoYYYY-MM-DD`, with both ends. */
export function dateSpan(freshness: Freshness): string {
  const { from = '1970-01-01', to = new Date().toISOString().slice(0, 10) } = rangeOf(freshness);
  return `${from}to${to}`;
}

/** A freshness as Google's parameter `tbs`: `qdr:w` for a week, `cdr:1,cd_min:…,cd_max:…` for a range. */
export function googleTimeFilter(freshness: Freshness): string {
  if (isPeriod(freshness)) return `qdr:${freshness.charAt(0)}`;
  const { from, to } = freshness;
  const ends = [from && `cd_min:${monthFirst(from)}`, to && `cd_max:${monthFirst(to)}`];
  return ['cdr:1', ...ends].filter(Boolean).join(',');
}

export function monthFirst(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}
