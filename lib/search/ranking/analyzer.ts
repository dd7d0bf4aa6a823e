import { eachWordSpan } from '../../text/each-word.js';
import { functionWords, LANGUAGE_WORDS } from '../../text/word-lists.js';
import { stem } from '../../text/tokens.js';
import { type Language } from '../../text/languages.js';

const LIGATURES: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};
/** Longest joined form, characters, and the most parts that it is made of: longer ones are addresses and file names; a plain bound. */
const MAX_JOINED = 40;
const MAX_PARTS = 5;
/** Words whose stems are remembered: a few megabytes; a plain bound. */
const MOST_KNOWN = 50_000;

const IRREGULAR_VERBS = LANGUAGE_WORDS.en.irregularForms!.split(' ').map((entry) => entry.split('/'));
const BASE_FORMS = new Map(
  IRREGULAR_VERBS.flatMap(([base = '', ...forms]) => forms.map((form) => [form, base] as const)),
);

/** The forms of irregular English verbs that meet a lower-case word: for `writes` they are `write`, `wrote` and `written`. */
export function irregularForms(word: string): string[] {
  const term = indexedTerm(word, 'en');
  return IRREGULAR_VERBS.filter(([base = '']) => indexedTerm(base, 'en') === term).flat();
}

/**
 * The indexed form of a lower-case word: its stem without diacritics, so that `emission`/`emissions` and `café`/`cafe` meet; undefined for a function word.
 * Irregular English verbs have that of their infinitive: `wrote` and `writes` meet. Without a language the word itself.
 */
export function indexedTerm(word: string, language: Language | undefined): string | undefined {
  const base = language === 'en' ? (BASE_FORMS.get(word) ?? word) : word;
  if (language && functionWords(language).has(base)) return undefined;
  return folded(language && /^\p{L}+$/u.test(base) ? stem(base, language) : base);
}

/** A lower-case word without diacritics; what consists of them alone stays. */
export function folded(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word;
  const bare = word.normalize('NFD').replace(/\p{M}+/gu, '');
  return bare.replace(/[œæßøłđı]/g, (letter) => LIGATURES[letter]!) || word;
}

/** What the term of a function word begins with: no other term is like it, so that `die` of a German title is not the English verb. */
const FUNCTION_WORD = '=';

/** The term of a function word in a title, and of one that a query asks for. In capitals it is another one: `US` is not `us`. */
export function functionTerm(word: string): string {
  return FUNCTION_WORD + (isInCapitals(word) ? word : folded(word.toLowerCase()));
}

export function isInCapitals(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase();
}

/** Characters that make one word of two words without blanks: `wi-fi`, `1,642`, `and/or`, `B.014`, `8:30`, two kinds of hyphens and apostrophes. */
const JOINERS: ReadonlySet<number> = new Set(Array.from("-./,:_'’\u2010\u2011", (c) => c.charCodeAt(0)));

/**
 * One word for words that are joined without blanks: `wi-fi` → `wifi`, `1,642` → `1642`, `4,50` → `4.50`, `2.0.1` stays. Undefined where they
 * are words of their own: after an apostrophe, or very many.
 */
export function joinedForm(lower: string): string | undefined {
  if (lower.length > MAX_JOINED || lower.includes("'") || lower.includes('’')) return undefined;
  if (/^\d+(?:[.,]\d+)+$/.test(lower))
    return /^\d{1,3}(?:[.,]\d{3})+$/.test(lower) ? lower.replace(/[.,]/g, '') : lower.replace(',', '.');
  const parts = lower.split(/[^\p{L}\p{M}\p{N}]+/u);
  return parts.length <= MAX_PARTS ? parts.join('') : undefined;
}

/**
 * Visits the words of a text in lower case, in order, and behind words that are joined without blanks their {@link joinedForm}.
 *
 * @param visit gets a word as the part `[start, end)` of the text; a joined form is a text of its own
 */
export function eachWordOrJoined(
  lower: string,
  visit: (text: string, start: number, end: number, joined: boolean) => void,
): void {
  let chain = -1;
  let parts = 0;
  let previous = -1;
  const close = (): void => {
    const joined = parts < 2 ? undefined : joinedForm(lower.slice(chain, previous));
    if (joined !== undefined) visit(joined, 0, joined.length, true);
  };
  eachWordSpan(lower, (start, end) => {
    if (start === previous + 1 && previous >= 0 && JOINERS.has(lower.charCodeAt(previous))) parts++;
    else {
      close();
      chain = start;
      parts = 1;
    }
    previous = end;
    visit(lower, start, end, false);
  });
  close();
}

/** A copy of a part of a text. The part itself would keep all of the text in memory. */
export function copied(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}

/** A word of a text in lower case as the text has it; in lower case where the text has other places then. */
export function asWritten(text: string, lower: string, start: number, end: number): string {
  return (text.length === lower.length ? text : lower).slice(start, end);
}

export class Analyzer {
  private readonly known = new Map<string, string>();

  constructor(readonly language: Language | undefined) {}

  /** {@link indexedTerm} with a memory, since a text repeats its words. */
  term(word: string): string | undefined {
    let term = this.known.get(word);
    if (term === undefined) {
      const copy = copied(word);
      term = indexedTerm(copy, this.language) ?? '';
      if (this.known.size < MOST_KNOWN) this.known.set(copy, term);
    }
    return term === '' ? undefined : term;
  }

  /**
   * Visits the terms of a text in order: of each word that is not a function word, in a title of all words, and of words joined as
   * {@link joinedForm} does.
   */
  eachTerm(text: string, visit: (term: string, position: number) => void, isTitle = false): void {
    let position = -1;
    const lower = text.toLowerCase();
    eachWordOrJoined(lower, (words, start, end, joined) => {
      if (!joined) position++;
      const term = this.term(words.slice(start, end));
      if (term !== undefined) visit(term, position);
      else if (isTitle && !joined) visit(functionTerm(asWritten(text, lower, start, end)), position);
    });
  }
}
