import { publishedMs } from '../../web/iso-date.js';
import type { Pause } from '../../core/async.js';
import { detectLanguage } from '../../text/detect-language.js';
import { eachWord } from '../../text/each-word.js';
import { Analyzer } from './analyzer.js';

export interface ComparedPage {
  title: string;
  snippet: string;
  passages: readonly string[];
  publishedAt?: string;
  relevance?: number;
}

/** Words of a shingle (Broder 1997 has 10 for whole pages; here are beginnings of them). */
const SHINGLE = 4;
const COPY_LOOKED_AT = 600; // characters of each text; a plain bound
const VERSION_LOOKED_AT = 4000; // characters of each text; a plain bound
/** Share of the shingles of both texts from which on one is a copy of the other; set by hand. */
const COPY = 0.8;
/**
 * Share of the words of the shorter text from which on two pages are versions of each other: their titles are the same but for years and what is in
 * parentheses ("(until May)"), or one title has all words of the other. `npm run bench -- search`: 0 to .5 give the same order; without versions of the
 * second kind one page less comes first.
 */
const SAME_WORDS = 0.4;
/** Texts of fewer different words are not compared for that: they share some by chance; a plain bound. */
const LEAST_WORDS = 15;
/** A current page replaces an outdated one if it has at least this share of its relevance; set by hand. */
const LEAST_RELEVANCE = 0.5;
/** Pages without a relevance of their own change places only within so many; set by hand. */
const NEAR_PLACES = 3;

/** Folds near-copies, such as mirrors and syndicated texts, into the better placed page; of copies with dates the newest stays, in that place. */
export async function withoutDuplicates<T extends ComparedPage>(
  pages: readonly T[],
  pause: Pause,
): Promise<T[]> {
  const kept: { page: T; shingles: Set<string> }[] = [];
  for (const page of pages) {
    await pause();
    const text = page.passages[0] ?? page.snippet;
    const shingles = shinglesOf(text ? `${page.title} ${text}` : '');
    const copy = kept.find((other) => nearlySame(shingles, other.shingles));
    if (!copy) kept.push({ page, shingles });
    else if (isNewer(page, copy.page)) copy.page = { ...page, ...better(copy.page, page) };
  }
  return kept.map(({ page }) => page);
}

/**
 * Puts the current version of a page before an outdated one: two pages of different dates with the same title, or nearly so, and much
 * the same words. The outdated one stays first where the query names its year or a word that only its title has, and where the
 * current one is far less relevant.
 */
export async function currentFirst<T extends ComparedPage>(
  pages: readonly T[],
  query: string,
  pause: Pause,
): Promise<T[]> {
  // Without two dates there is nothing to tell, and nothing to read.
  if (pages.filter(({ publishedAt }) => publishedAt).length < 2) return [...pages];
  const order = [...pages];
  const known = new Map<ComparedPage, PageWords>();
  const of = (page: ComparedPage): PageWords => {
    const words = known.get(page) ?? pageWords(page, query);
    known.set(page, words);
    return words;
  };
  for (let i = 0; i < order.length; i++) {
    for (let j = i + 1; j < order.length; j++) {
      await pause();
      const [old, current] = [order[i]!, order[j]!];
      if (!isNewer(current, old) || !isComparable(old, current, j - i)) continue;
      if (!areVersions(of(old), of(current)) || isNamed(old, of(old), of(current))) continue;
      order.splice(j, 1);
      order.splice(i, 0, { ...current, ...better(old, current) });
      break;
    }
  }
  return order;
}

function better(a: ComparedPage, b: ComparedPage): { relevance?: number } {
  if (a.relevance === undefined) return {};
  return { relevance: Math.max(a.relevance, b.relevance ?? 0) };
}

function isNewer(a: ComparedPage, b: ComparedPage): boolean {
  return publishedMs(a.publishedAt) > publishedMs(b.publishedAt);
}

function isComparable(old: ComparedPage, current: ComparedPage, places: number): boolean {
  if (old.relevance === undefined || current.relevance === undefined) return places <= NEAR_PLACES;
  return current.relevance >= LEAST_RELEVANCE * old.relevance;
}

interface PageWords {
  /** The title without what is in parentheses, and without years. */
  name: string;
  title: ReadonlySet<string>;
  text: ReadonlySet<string>;
  /** Those of the query, in the page's language. */
  asked: ReadonlySet<string>;
}

function pageWords({ title, snippet, passages }: ComparedPage, query: string): PageWords {
  const text = [...passages, snippet].join('\n').slice(0, VERSION_LOOKED_AT);
  const analyzer = new Analyzer(detectLanguage(text));
  const wordsOf = (part: string): Set<string> => {
    const words = new Set<string>();
    analyzer.eachTerm(part, (term) => words.add(term));
    return words;
  };
  return { name: nameOf(title), title: wordsOf(title), text: wordsOf(text), asked: wordsOf(query) };
}

export function nameOf(title: string): string {
  return title
    .replace(/[([][^()[\]]*[)\]]|\b(?:19|20)\d\d\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function areVersions(a: PageWords, b: PageWords): boolean {
  if (Math.min(a.text.size, b.text.size) < LEAST_WORDS) return false;
  const isSameTitle = a.name === b.name || shareOf(a.title, b.title) === 1;
  return isSameTitle && shareOf(a.text, b.text) >= SAME_WORDS;
}

function isNamed(page: ComparedPage, old: PageWords, current: PageWords): boolean {
  if (old.asked.has(page.publishedAt!.slice(0, 4))) return true;
  return [...old.title].some((word) => old.asked.has(word) && !current.title.has(word));
}

/** Share of the smaller set's words that the other has too; 0 where one is empty. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return sharedBy(a, b) / (Math.min(a.size, b.size) || 1);
}

function sharedBy(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

function shinglesOf(text: string): Set<string> {
  const words: string[] = [];
  eachWord(text.slice(0, COPY_LOOKED_AT).toLowerCase(), (word) => words.push(word));
  const shingles = new Set<string>();
  for (let i = 0; i + SHINGLE <= words.length; i++) shingles.add(words.slice(i, i + SHINGLE).join(' '));
  if (shingles.size === 0 && words.length > 0) shingles.add(words.join(' '));
  return shingles;
}

function nearlySame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return false;
  const shared = sharedBy(a, b);
  return shared / (a.size + b.size - shared) >= COPY;
}
