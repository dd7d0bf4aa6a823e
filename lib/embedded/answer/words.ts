import { functionWords, wordList } from '../../text/word-lists.js';
import { type Language } from '../../text/languages.js';
import { indexedTerm, joinedForm } from '../../search/ranking/analyzer.js';

/** A word or number of a question or of a page. */
export interface Word {
  /** As written. */
  text: string;
  lower: string;
  /** As the search index has it: the stem without diacritics; for a number its digits, `1200` for `1,200`. */
  term: string;
  isNumber: boolean;
  /** Article, pronoun, preposition, auxiliary or question word. */
  isFunctional: boolean;
  /** Capitalised inside a sentence, or an acronym; of German nouns only those with another one behind or before them. */
  isName: boolean;
  /** Where the word stands in its text. */
  start: number;
  end: number;
}

/** A number, a run of letters and digits, or letters behind a number (`60W` is two words, `2x11` one); `e-mail` is one. */
const WORD =
  /\p{N}{1,40}\p{L}{1,40}\p{N}[\p{L}\p{N}]*|\p{N}+(?:[.,:]\p{N}+)*|\p{L}\p{L}?-\p{L}{2,}(?![-\p{L}])|\p{L}[\p{L}\p{M}\p{N}]*/gu;

/** Splits a text into words and numbers. */
export function wordsOf(text: string, language: Language): Word[] {
  const functional = functionWords(language);
  const words: Word[] = [];
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    const end = start + word.length;
    const isNumber = /^\p{N}/u.test(word);
    const isFunctional = functional.has(lower);
    words.push({
      text: word,
      lower,
      term: isNumber ? (joinedForm(word) ?? word) : indexedTerm(lower.replace('-', ''), language) || lower,
      isNumber,
      isFunctional,
      isName: !isNumber && !isFunctional && isCapital(word) && (words.length > 0 || isAcronym(word)),
      start,
      end,
    });
  }
  if (language !== 'de') return words;
  const isNoun = words.map(({ text: word, isFunctional }) => !isFunctional && isCapital(word));
  return words.map((word, i) => ({
    ...word,
    isName: word.isName && (isAcronym(word.text) || isNoun[i + 1] || (i > 1 && isNoun[i - 1])) === true,
  }));
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

/** A term of the question counts as met from this strength on. */
export const MET = 0.6;
/** A word with the same beginning, if no page has the word itself: `explore` and `exploration`, `période` and `period`. */
const SAME_ROOT = 0.7;
const LEAST_LETTERS = 5;

/**
 * The terms of pages that meet a word of the question, and how well: 1 its own term, less for one with the same beginning, 0..1. A word that
 * the search corrected meets none: it may find a page, it is no evidence.
 * @param vocabulary the terms of the pages
 */
export function matchesOf({ term }: Word, vocabulary: ReadonlySet<string>): ReadonlyMap<string, number> {
  if (vocabulary.has(term)) return new Map([[term, 1]]);
  if (/\d/.test(term)) return new Map();
  const alike = [...vocabulary].filter((known) => isSameRoot(term, known));
  return new Map(alike.map((known) => [known, SAME_ROOT]));
}

/** Whether two terms are the same, or begin with the same five letters or more and end in two of their own at most. */
export function isSameRoot(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.max(LEAST_LETTERS, Math.min(a.length, b.length) - 2);
  return a.length >= length && a.slice(0, length) === b.slice(0, length);
}
