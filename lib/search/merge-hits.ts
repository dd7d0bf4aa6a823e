import { canonicalUrl } from './ranking/canonical-url.js';
import { Logger } from '@nestjs/common';
import { yielder } from '../core/async.js';
import { LONGEST } from '../core/length-limits.js';
import { number, valid } from '../core/schema.js';
import { printable } from '../core/printable.js';
import { isWebAddress } from '../core/url.js';
import { meetsFilters } from './filters.js';
import { currentFirst, withoutDuplicates } from './ranking/duplicate-pages.js';
import { oneLine, plainText } from '../text/plain-text.js';
import type { ProviderList } from './provider-race.js';
import { cleanAddress } from './providers/search-hits.js';
import type { SearchHit, SearchQuery } from './search-provider.js';

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): each list gives `1 / (k + rank)`, rank from 1. A small constant, since with
 * the usual 60 a list of ten is nearly flat.
 */
const RRF_K = 10;
const SHARE = number(0, 1);
/** Beginning of a passage that is looked at to tell whether there is any word in it, characters; a plain bound. */
const LOOKED_AT = 2000;

/** One page out of the lists of all providers, cleaned: title and snippet are one line of plain text and may be empty. */
export interface MergedHit extends Omit<SearchHit, 'score'> {
  snippet: string;
  /** Plain text, Markdown or HTML as the provider gave it; each has at least one word. */
  passages: string[];
  provider: string;
  /** The providers' own relevance, 0..1, the highest where several give one. */
  relevance?: number;
}

/**
 * Fuses the providers' lists into one, best first: what is excluded by domain or date is dropped, the same page under
 * several addresses becomes one hit that has what all of them know, near-copies are folded, the current version of a page comes before an
 * outdated one, and what has no text at all is dropped.
 */
export async function mergeHits(
  lists: readonly ProviderList[],
  query: SearchQuery,
  signal?: AbortSignal,
): Promise<MergedHit[]> {
  const pause = yielder(signal);
  const merged = new Map<string, MergedHit>();
  const sums = new Map<string, number>();
  for (const { provider, hits } of lists) {
    const keys = new Set<string>();
    // Clients make a link of the address of a result.
    const pages = hits.filter(({ url }) => isWebAddress(url.trim()));
    if (pages.length < hits.length) logLeftOut(provider, hits.length - pages.length);
    for (const hit of pages) {
      await pause();
      if (!meetsFilters(hit, query)) continue;
      const key = canonicalUrl(hit.url);
      if (!keys.has(key)) sums.set(key, (sums.get(key) ?? 0) + 1 / (RRF_K + keys.size + 1));
      keys.add(key);
      const passages = [...new Set(hit.passages)].filter(hasWords);
      const clean: MergedHit = {
        url: cleanAddress(hit.url),
        title: oneLine(hit.title),
        snippet: oneLine(hit.snippet ?? ''),
        passages,
        provider,
        ...(hit.publishedAt ? { publishedAt: hit.publishedAt } : {}),
        ...(hit.license ? { license: oneLine(hit.license) } : {}),
        ...(hit.attribution ? { attribution: oneLine(hit.attribution) } : {}),
        ...(valid(SHARE, hit.score) === undefined ? {} : { relevance: hit.score }),
      };
      const known = merged.get(key);
      if (known) absorb(known, clean);
      else merged.set(key, clean);
    }
  }
  const order = [...merged].sort(([a], [b]) => sums.get(b)! - sums.get(a)!).map(([, hit]) => hit);
  const shown = order.filter((h) => h.title || h.snippet || h.passages.length > 0);
  return currentFirst(await withoutDuplicates(shown, pause), query.text, pause);
}

function hasWords(passage: string): boolean {
  return plainText(passage.slice(0, LOOKED_AT)) !== '';
}

function logLeftOut(provider: string, count: number): void {
  const what = count === 1 ? 'a result' : `${count} results`;
  new Logger('ToolsModule').warn(
    printable(`The search provider ${provider} gave ${what} without an http or https address: left out.`),
  );
}

function absorb(known: MergedHit, other: MergedHit): void {
  known.title ||= other.title;
  if (other.snippet.length > known.snippet.length) known.snippet = other.snippet;
  known.passages = [...new Set([...known.passages, ...other.passages])].slice(0, LONGEST.passages);
  known.publishedAt ??= other.publishedAt;
  known.license ??= other.license;
  known.attribution ??= other.attribution;
  if (other.relevance !== undefined) known.relevance = Math.max(known.relevance ?? 0, other.relevance);
}
