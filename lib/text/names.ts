import { calendarWord } from './calendar-words.js';
import { functionWords } from './word-lists.js';
import { type Language } from './languages.js';

/** A word that is a name by its form; in German a run of them. */
export interface Name {
  /** As written, without elision and possessive. */
  text: string;
  start: number;
  end: number;
}

/** A word with what is joined to it: `wi-fi`, `AT&T`, `U.S.` without its last stop. */
export const NAME_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._'’~+#&-]+[\p{L}\p{M}\p{N}]+)*/gu;
const POSSESSIVE = /['’](?:s|m|ve|re|ll|d|t)$/i;
const ELISION = /^(?:[ldnsmtcjq]|qu|dell|all|dall|nell|sull|un)['’](?=\p{L})/iu;
/** Behind these a capital says only that a sentence or quotation begins. */
const OPENS = /(?:^|[.!?…:;•–—]\s*|["“”„«»‘(]\s*)$/u;
/** Capitals or digits inside of a word make it a name wherever it stands: `IPv6`, `NASA`, `iPhone`, `CO2`. */
const IS_MADE_UP = /\p{Lu}.{0,100}\p{Lu}|\p{Ll}\p{Lu}|\p{L}.{0,100}\p{N}/u;
/** Capitalised without being names: pronouns, titles, and English adjectives of places whose names have many forms. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  'i yes no oui non ja nein si sí sim não mr mrs ms dr herr frau sr sra american americans british european europeans western'.split(
    ' ',
  ),
);

/**
 * Words that are names by their form: capitals inside a sentence, acronyms, words with digits or inner capitals. In German, where every noun
 * has a capital, only two capitalised words in a row count. Months and days of the week are dates and not names.
 */
export function readNames(text: string, language: Language): Name[] {
  const functional = functionWords(language);
  const matches = [...text.matchAll(NAME_WORD)];
  const isName = matches.map((match) => {
    const { text: word } = bare(match);
    const lower = word.toLowerCase();
    if (!/\p{Lu}/u.test(word) || functional.has(lower) || NO_NAMES.has(lower)) return false;
    return !calendarWord(lower, language) && word.length > 1 && !/^\d/.test(word);
  });
  const opens = (at: number): boolean =>
    OPENS.test(text.slice(Math.max(0, matches[at]!.index - 3), matches[at]!.index));
  return matches.flatMap((match, i) => {
    if (!isName[i]) return [];
    const name = bare(match);
    if (IS_MADE_UP.test(name.text)) return [name];
    if (opens(i)) return [];
    if (language !== 'de') return /^\p{Lu}/u.test(name.text) ? [name] : [];
    // A run of capitalised words is one name.
    const isAfter = (at: number): boolean =>
      !!isName[at] &&
      !!isName[at + 1] &&
      text.slice(matches[at]!.index + matches[at]![0].length, matches[at + 1]!.index) === ' ';
    if (isAfter(i - 1) && !opens(i - 1)) return [];
    let last = i;
    while (isAfter(last)) last++;
    if (last === i) return [];
    const end = bare(matches[last]!).end;
    return [{ text: text.slice(name.start, end), start: name.start, end }];
  });
}

function bare(match: RegExpMatchArray): Name {
  const elision = ELISION.exec(match[0])?.[0].length ?? 0;
  const text = match[0].slice(elision).replace(POSSESSIVE, '');
  return { text, start: match.index! + elision, end: match.index! + elision + text.length };
}
