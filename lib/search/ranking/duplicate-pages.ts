import type { Pause } from '../../core/async.js';
import { eachWord } from '../../text/each-word.js';

export interface ComparedPage {
  title: string;
  snippet: string;
  passages: readonly string[];
  /** ISO 8601. */
  publishedAt?: string;
  /** 0..1. */
  relevance?: number;
}

const SHINGLE = 4;
/** Beginning of a text that is compared, characters. */
const LOOKED_AT = 600;
/** Share of the shingles of both texts from which on one is a copy of the other. */
const COPY = 0.8;
/** Share of the shingles of the shorter text from which on two pages of one name are versions of each other. */
const VERSION = 0.02;
/** A current page comes before an outdated one if it has at least this share of its relevance. */
const LEAST_RELEVANCE = 0.5;

/**
 * Folds near-copies, such as mirrors and syndicated texts, into the better placed page; of copies with dates the newest stays, in that place.
 * The current version of a page comes before an outdated one: two pages whose titles differ in years and what is in parentheses ("(until May)"),
 * with some stretches in common. The outdated one stays first where the query names its year.
 */
export async function withoutDuplicates<T extends ComparedPage>(
  pages: readonly T[],
  query: string,
  pause: Pause,
): Promise<T[]> {
  const kept: { page: T; shingles: Set<string> }[] = [];
  for (const page of pages) {
    await pause();
    const text = page.passages[0] ?? page.snippet;
    const shingles = shinglesOf(text ? `${page.title} ${text}` : '');
    const copy = kept.find((other) => nearlySame(shingles, other.shingles));
    if (copy) {
      if (isNewer(page, copy.page)) copy.page = { ...page, ...better(copy.page, page) };
      continue;
    }
    const outdated = kept.findIndex(
      (other) =>
        isNewerVersion(page, other.page, query) &&
        sharedBy(shingles, other.shingles) >= VERSION * Math.min(shingles.size, other.shingles.size),
    );
    if (outdated < 0) kept.push({ page, shingles });
    else kept.splice(outdated, 0, { page: { ...page, ...better(kept[outdated]!.page, page) }, shingles });
  }
  return kept.map(({ page }) => page);
}

function better(a: ComparedPage, b: ComparedPage): { relevance?: number } {
  if (a.relevance === undefined) return {};
  return { relevance: Math.max(a.relevance, b.relevance ?? 0) };
}

function isNewer(a: ComparedPage, b: ComparedPage): boolean {
  return Date.parse(a.publishedAt ?? '') > Date.parse(b.publishedAt ?? '');
}

function isNewerVersion(page: ComparedPage, old: ComparedPage, query: string): boolean {
  const years = `${old.title} ${old.publishedAt}`.match(/\b(?:19|20)\d\d/g) ?? [];
  return (
    isNewer(page, old) &&
    nameOf(page.title) === nameOf(old.title) &&
    (page.relevance ?? 1) >= LEAST_RELEVANCE * (old.relevance ?? 1) &&
    !years.some((year) => query.includes(year) && !page.title.includes(year))
  );
}

/** What versions of a page have in common of their titles. */
export function nameOf(title: string): string {
  return title
    .replace(/[([][^()[\]]*[)\]]|\b(?:19|20)\d\d\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

function shinglesOf(text: string): Set<string> {
  const words: string[] = [];
  eachWord(text.slice(0, LOOKED_AT).toLowerCase(), (word) => words.push(word));
  const shingles = new Set<string>();
  for (let i = 0; i + SHINGLE <= words.length; i++) shingles.add(words.slice(i, i + SHINGLE).join(' '));
  if (shingles.size === 0 && words.length > 0) shingles.add(words.join(' '));
  return shingles;
}

/** True when most shingles are shared (Jaccard, Broder 1997). */
function nearlySame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return false;
  const shared = sharedBy(a, b);
  return shared / (a.size + b.size - shared) >= COPY;
}
