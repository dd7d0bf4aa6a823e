import { editDistance } from '../../../core/text/edit-distance.js';
import { functionWords } from '../../../core/text/word-lists.js';
import { numberAt } from '../../../core/text/number-words.js';
import { stem } from '../../../core/text/tokens.js';
import { type Language } from '../../../core/text/languages.js';
import { wordList } from '../../../core/text/word-lists.js';

/** A word or number of a question or of a page. */
export interface Word {
  /** As written. */
  text: string;
  lower: string;
  /** Stem without diacritics; for a number its digits: `twelve` and `12` are `12`, `1,200` is `1200`. */
  term: string;
  isNumber: boolean;
  /** Article, pronoun, preposition, auxiliary or question word. */
  isFunctional: boolean;
  /** Capitalised inside a sentence, or an acronym. */
  isName: boolean;
  /** Where the word stands in its text. */
  start: number;
  end: number;
}

/** A number, a run of letters and digits that starts with a letter, or letters behind a number (`60W` is two words); `e-mail` is one. */
const WORD = /\p{N}+(?:[.,:]\p{N}+)*|\p{L}\p{L}?-\p{L}{2,}(?![-\p{L}])|\p{L}[\p{L}\p{M}\p{N}]*/gu;
const APOSTROPHE = /['’]/;
const GROUPED = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;
const GROUPED_IN_ENGLISH = /^[1-9]\d{0,2}(?:,\d{3})+$/;

/** Splits a text into words and numbers. A spelled number is one word per part, each with its digits. */
export function wordsOf(text: string, language: Language): Word[] {
  const functional = functionWords(language);
  const matches = [...text.matchAll(WORD)];
  const lowers = matches.map((m) => m[0].toLowerCase());
  const words: Word[] = [];
  for (let i = 0; i < matches.length; i++) {
    const word = matches[i]![0];
    const lower = lowers[i]!;
    const start = matches[i]!.index;
    const end = start + word.length;
    // What an apostrophe leaves ("Darwin's", "L'eau") is no word of its own.
    if (
      lower.length === 1 &&
      (APOSTROPHE.test(text[end] ?? '') || (word === lower && APOSTROPHE.test(text[start - 1] ?? '')))
    )
      continue;
    const digits = /^\p{N}/u.test(word) ? normalNumber(word, language) : undefined;
    const spelled = digits === undefined ? numberAt(lowers, i, language) : undefined;
    const isNumber = digits !== undefined || spelled !== undefined;
    const isFunctional = !isNumber && functional.has(lower) && !(lower.length === 1 && word !== lower);
    words.push({
      text: word,
      lower,
      term: digits ?? (spelled ? String(spelled.value) : termOf(lower.replace('-', ''), language)),
      isNumber,
      isFunctional,
      isName: !isNumber && !isFunctional && isCapital(word) && (i > 0 || isAcronym(word)),
      start,
      end: spelled ? matches[i + spelled.length - 1]!.index + lowers[i + spelled.length - 1]!.length : end,
    });
    if (spelled) i += spelled.length - 1;
  }
  return words;
}

/** The stem of a lower-case word without diacritics. Words with digits stay as they are. */
export function termOf(lower: string, language: Language): string {
  const base = /^\p{L}+$/u.test(lower) ? stem(lower, language) || lower : lower;
  return /^[\x20-\x7e]*$/.test(base) ? base : base.normalize('NFD').replace(/\p{M}+/gu, '') || base;
}

/** `1,200` is 1200, `3.5` and `3,5` are 3.5, `1,299.99` is 1299.99. In English a point before three digits is a decimal point. */
function normalNumber(word: string, language: Language): string {
  const both = /^(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)$/.exec(word);
  if (both) return `${both[1]!.replace(/[.,]/g, '')}.${both[3]!}`;
  if ((language === 'en' ? GROUPED_IN_ENGLISH : GROUPED).test(word)) return word.replace(/[.,]/g, '');
  return word.replace(',', '.');
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase() && /\p{L}/u.test(word);
}

/** Whether a text begins with a word that refers to something named before. German `das` before a noun is an article. */
export function isOrphan(text: string, language: Language): boolean {
  const [, first, next = ''] = /^[^\p{L}\p{N}]*(\p{L}+)(?:\s+(\p{L}))?/u.exec(text) ?? [];
  if (first === undefined || !wordList(language, 'backReferences').has(first.toLowerCase())) return false;
  return !(language === 'de' && first === 'Das' && isCapital(next));
}

/** How well a word of a question is met: 1 the same stem or number, less for a related form, 0 not at all. */
export type TermMatcher = (word: Word) => number;

/** A term of the question counts as met from this strength on. */
export const MET = 0.6;
/** A word with the same beginning: `explore` and `exploration`. */
const SAME_ROOT = 0.7;
/** A word that differs by one letter, when no word of the pages is the same. */
const ONE_EDIT = 0.8;
/** A part of a compound: `Laterne` and `Straßenlaterne`. */
const COMPOUND = 0.6;
const LEAST_LETTERS = 5;

/**
 * How well words of pages meet a word of the question.
 * @param vocabulary all words of the pages; a word of the question that is not among them may be misspelt
 */
export function matcherOf(term: Word, vocabulary: ReadonlyMap<string, Word>): TermMatcher {
  const strengths = new Map<string, number>();
  for (const [key, word] of vocabulary) {
    const strength = matchOf(term, word);
    if (strength > 0) strengths.set(key, strength);
  }
  if (![...strengths.values()].some((s) => s >= 1) && !term.isNumber && !/\p{N}/u.test(term.lower))
    for (const [key, word] of vocabulary)
      if (!word.isNumber && (strengths.get(key) ?? 0) < ONE_EDIT && isOneEdit(term.lower, word.lower))
        strengths.set(key, ONE_EDIT);
  return (word) => strengths.get(keyOf(word)) ?? 0;
}

/** The same string for equal words of one language. */
export function keyOf(word: Word): string {
  return word.isNumber ? `#${word.term}` : word.lower;
}

function matchOf(a: Word, b: Word): number {
  if (a.isNumber || b.isNumber) return a.isNumber && b.isNumber && a.term === b.term ? 1 : 0;
  if (a.term === b.term || a.lower === b.lower) return 1;
  const [short, long] = a.term.length < b.term.length ? [a.term, b.term] : [b.term, a.term];
  if (short.length < LEAST_LETTERS || /\d/.test(short + long)) return 0;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  if (same >= LEAST_LETTERS && same >= short.length - 2)
    return same === short.length && long.length - same > 4 ? COMPOUND : SAME_ROOT;
  return long.endsWith(short) && long.length - short.length >= 3 ? COMPOUND : 0;
}

/** One letter inserted, deleted, changed or swapped with its neighbour, in words of five letters and more. */
function isOneEdit(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= LEAST_LETTERS && editDistance(a, b, 1) === 1;
}
