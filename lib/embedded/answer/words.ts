import { functionWords, wordList } from '../../text/word-lists.js';
import { type Language } from '../../text/languages.js';
import { indexedTerm, joinedForm } from '../../search/ranking/analyzer.js';

/** A word or number of a question or of a page. */
export interface Word {
  text: string;
  lower: string;
  /** As the search index has it: the stem without diacritics; for a number its digits, `1200` for `1,200`. */
  term: string;
  isNumber: boolean;
  /** Article, pronoun, preposition, auxiliary or question word. */
  isFunctional: boolean;
  /** Where the word stands in its text. */
  start: number;
  end: number;
}

/** A number, a run of letters and digits, or letters behind a number (`60W` is two words, `2x11` one); `e-mail` is one. */
const WORD =
  /\p{N}{1,40}\p{L}{1,40}\p{N}[\p{L}\p{N}]*|\p{N}+(?:[.,:]\p{N}+)*|\p{L}\p{L}?-\p{L}{2,}(?![-\p{L}])|\p{L}[\p{L}\p{M}\p{N}]*/gu;

export function wordsOf(text: string, language: Language): Word[] {
  const functional = functionWords(language);
  const words: Word[] = [];
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    const end = start + word.length;
    const isNumber = /^\p{N}/u.test(word);
    words.push({
      text: word,
      lower,
      term: isNumber ? (joinedForm(word) ?? word) : indexedTerm(lower.replace('-', ''), language) || lower,
      isNumber,
      isFunctional: functional.has(lower),
      start,
      end,
    });
  }
  return words;
}

/** Whether a text begins with a word that refers to something named before. German `das` before a noun is an article. */
export function isOrphan(text: string, language: Language): boolean {
  const [, first, next = ''] = /^[^\p{L}\p{N}]*(\p{L}+)(?:\s+(\p{L}))?/u.exec(text) ?? [];
  if (first === undefined || !wordList(language, 'backReferences').has(first.toLowerCase())) return false;
  return !(language === 'de' && first === 'Das' && /^\p{Lu}/u.test(next));
}

const LEAST_LETTERS = 5; // set by hand

/**
 * The terms of pages that meet a word of the question: its own; if no page has it, those with the same beginning, as `explore` and `exploration`.
 * A word that the search corrected meets none: it may find a page, it is no evidence.
 * @param vocabulary the terms of the pages
 */
export function matchesOf({ term }: Word, vocabulary: ReadonlySet<string>): ReadonlySet<string> {
  if (vocabulary.has(term) || /\d/.test(term)) return new Set([term]);
  return new Set([...vocabulary].filter((known) => isSameRoot(term, known)));
}

/** Whether two terms are the same, or begin with the same five letters or more and end in two of their own at most. */
export function isSameRoot(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.max(LEAST_LETTERS, Math.min(a.length, b.length) - 2);
  return a.length >= length && a.slice(0, length) === b.slice(0, length);
}
