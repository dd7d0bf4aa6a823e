import { eachWord } from '../../core/text/each-word.js';
import { functionWords, LANGUAGE_WORDS } from '../../core/text/word-lists.js';
import { stem } from '../../core/text/tokens.js';
import { type Language } from '../../core/text/languages.js';

/** Letters that are not made of another one and a mark. */
const LIGATURES: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};
/** Longest joined form, characters, and the most parts that it is made of: longer ones are addresses and file names. */
const MAX_JOINED = 40;
const MAX_PARTS = 5;

/** For each irregular English form its base form. */
const BASE_FORMS = new Map(
  LANGUAGE_WORDS.en.irregularForms!.split(' ').flatMap((entry) => {
    const [base = '', ...forms] = entry.split('/');
    return forms.map((form) => [form, base] as const);
  }),
);

/** The indexed form of a lower-case word: {@link termOf}. Irregular English verbs have that of their infinitive: `wrote` and `writes` meet. */
export function indexedTerm(word: string, language: Language | undefined): string | undefined {
  return termOf(language === 'en' ? (BASE_FORMS.get(word) ?? word) : word, language);
}

/**
 * A lower-case word as its stem without diacritics, so that `emission`/`emissions` and `café`/`cafe` meet; undefined for a function word.
 * Without a language the word itself.
 */
export function termOf(word: string, language: Language | undefined): string | undefined {
  if (language && functionWords(language).has(word)) return undefined;
  const base = language && /^\p{L}+$/u.test(word) ? stem(word, language) : word;
  if (/^[\x20-\x7e]*$/.test(base)) return base;
  const bare = base.normalize('NFD').replace(/\p{M}+/gu, '');
  return bare.replace(/[œæßøłđı]/g, (letter) => LIGATURES[letter]!) || base;
}

/** Whether a character between two words without blanks makes one of them: `wi-fi`, `1,642`, `and/or`, `B.014`, `8:30`. */
export function isJoiner(code: number): boolean {
  switch (code) {
    case 0x2d: // -
    case 0x2e: // .
    case 0x2f: // /
    case 0x2c: // ,
    case 0x3a: // :
    case 0x5f: // _
    case 0x2010: // hyphen
    case 0x2011: // non-breaking hyphen
    case 0x27: // '
    case 0x2019: // ’
      return true;
    default:
      return false;
  }
}

/**
 * One word for words that are joined without blanks: `wi-fi` → `wifi`, `1,642` → `1642`, `4,50` → `4.50`, `2.0.1` stays. Undefined where they
 * are words of their own: after an apostrophe, or very many.
 *
 * @param lower the words with the {@link isJoiner} characters between them, in lower case
 */
export function joinedForm(lower: string): string | undefined {
  if (lower.length > MAX_JOINED || lower.includes("'") || lower.includes('’')) return undefined;
  if (/^\d+(?:[.,]\d+)+$/.test(lower))
    return /^\d{1,3}(?:[.,]\d{3})+$/.test(lower) ? lower.replace(/[.,]/g, '') : lower.replace(',', '.');
  const parts = lower.split(/[^\p{L}\p{M}\p{N}]+/u);
  return parts.length <= MAX_PARTS ? parts.join('') : undefined;
}

/** A term of a text. */
export interface Term {
  text: string;
  /** Number of its word in the text, function words counted; of a joined form, that of its last part. */
  position: number;
  /** True for a joined form that is added to its parts. */
  joined: boolean;
}

/** Turns texts of one language into terms. */
export class Analyzer {
  /** By word; empty for function words. */
  private readonly known = new Map<string, string>();
  constructor(readonly language: Language | undefined) {}

  /** {@link indexedTerm} with a memory, since a text repeats its words. */
  term(word: string): string | undefined {
    let term = this.known.get(word);
    if (term === undefined) {
      term = indexedTerm(word, this.language) ?? '';
      if (this.known.size < 50_000) this.known.set(word, term);
    }
    return term === '' ? undefined : term;
  }

  /** Visits the terms of a text in order: of each word that is not a function word, and of words joined as {@link joinedForm} does. */
  eachTerm(text: string, visit: (term: string, position: number, joined: boolean) => void): void {
    const lower = text.toLowerCase();
    let position = -1;
    let chain = -1;
    let parts = 0;
    let previous = -1;
    const close = (): void => {
      if (parts < 2) return;
      const joined = joinedForm(lower.slice(chain, previous));
      const term = joined === undefined ? undefined : this.term(joined);
      if (term !== undefined) visit(term, position, true);
    };
    eachWord(lower, (word, start, end) => {
      if (start === previous + 1 && previous >= 0 && isJoiner(lower.charCodeAt(previous))) parts++;
      else {
        close();
        chain = start;
        parts = 1;
      }
      previous = end;
      position++;
      const term = this.term(word);
      if (term !== undefined) visit(term, position, false);
    });
    close();
  }
}
