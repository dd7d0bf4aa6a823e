import { calendarWord } from '../text/number-words.js';
import type { Language } from '../text/languages.js';
import type { Value } from '../text/read-values.js';
import { functionWords } from '../text/word-lists.js';
import { countryReader, isAcronym as isInCapitals } from './countries.js';

/** Words that are a name by their form. */
export interface Name {
  /** As written, without elision and possessive. */
  text: string;
  start: number;
  end: number;
}

/** A word with what is joined to it: `wi-fi`, `AT&T`, `U.S.` without its last stop. */
const NAME_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._'’~+#&-]+[\p{L}\p{M}\p{N}]+)*/gu;
const JOINTS = /[._'’~+#&-]+/g;
const POSSESSIVE = /['’](?:s|m|ve|re|ll|d|t)$/i;
const ELISION = /^(?:[ldnsmtcjq]|qu|dell|all|dall|nell|sull|un)['’](?=\p{L})/iu;
/** Behind these a capital says only that a sentence or quotation begins. */
const OPENS = /(?:^|[.!?…:;•–—]\s*|["“”„«»‘(]\s*)$/u;
/** Capitals or digits inside of a word make it a name wherever it stands: `IPv6`, `NASA`, `iPhone`, `CO2`. */
const IS_MADE_UP = /\p{Lu}.{0,100}\p{Lu}|\p{Ll}\p{Lu}|\p{L}.{0,100}\p{N}/u;
/**
 * Capitalised without being names: pronouns, titles, and English adjectives of places in which other places lie. Somebody in England or New York is
 * rightly called British or American.
 */
const NO_NAMES: ReadonlySet<string> = new Set(
  'i yes no oui non ja nein si sí sim não mr mrs ms dr herr frau sr sra american americans british european europeans western'.split(
    ' ',
  ),
);
/** The centuries and rulers of `siglo XIX` and `Luis XIV` are said as numbers. */
const ROMAN = /^[IVX]{2,}$/;
/** A person has no article; "the White House" and "la Banque centrale" do. */
const ARTICLES = new Set(
  'the a an der die das den dem des ein eine einen einem einer im am zum zur vom le la les l du des un une au aux el los las del al il lo gli i dei della delle dal dalla nel nella o os as do da dos das no na ao à'.split(
    ' ',
  ),
);

/** Two letters may stand for anything. */
const SHORT_ACRONYM = /^\p{Lu}{2}$/u;
/** Fewer letters in common are no stem in common; set by hand. */
const LEAST_STEM = 4;
/** A form of a name may end in so many letters of its own: `Norway` and `Norwegian`; set by hand. */
const MOST_ENDING = 3;
/** Longer beginnings of words are not told from each other, letters; plain bounds. */
const LONGEST_STEM = 12;
const LONGEST_ACRONYM = 8;

let namesOfCountry: ReturnType<typeof countryReader> | undefined;

/** The words of a text, to look names up in. A look-up costs the same whatever the length of the text. */
export class NameIndex {
  private readonly words = new Set<string>();
  /** Beginnings of the words, from {@link LEAST_STEM} letters on. */
  private readonly begins = new Set<string>();
  /** The words without the ending that a form of them may lack. */
  private readonly stems = new Set<string>();
  /** The first letters of all words in a row: `RBCs` may stand for red blood cells. */
  private initials = '';

  /** @param isSpoken acronyms in the text may be misheard, so that they are not compared */
  constructor(private readonly isSpoken = false) {}

  /** Adds a text that ends between two words. Linear. */
  add(text: string): void {
    for (const match of text.matchAll(NAME_WORD)) {
      const word = plain(match[0]);
      this.initials += word[0] ?? '';
      for (const part of new Set([word, joined(word), ...partsOf(word)])) this.addWord(part);
      const letters = joined(match[0]);
      if (isInCapitals(letters)) this.words.add(letters);
    }
  }

  private addWord(word: string): void {
    if (this.words.has(word)) return;
    this.words.add(word);
    const last = Math.min(word.length, LONGEST_STEM);
    for (let end = LEAST_STEM; end <= last; end++) this.begins.add(word.slice(0, end));
    if (word.length >= LEAST_STEM) this.stems.add(stemOf(word));
  }

  /** Whether the text has a name: its last word, which a name is known by, in any form, or its initials: "United States" with "US". */
  has(name: string): boolean {
    const words = name.split(' ');
    const initials = words.map((word) => word[0]).join('');
    return (
      this.hasWord(words.at(-1)!) ||
      (words.length > 1 && [initials, `${initials}s`].some((s) => this.isIn(s)))
    );
  }

  /** Whether the text has any word of a name. */
  hasAny(name: string): boolean {
    return name.split(' ').some((word) => this.hasWord(word));
  }

  /** Whether the text has a word, in another form too, or another name of the country that it names. Other short acronyms count as known. */
  private hasWord(name: string): boolean {
    if (this.hasWritten(name) || (this.isSpoken && isAcronym(name))) return true;
    // Read with the first name that a text lacks.
    namesOfCountry ??= countryReader(plain, stemOf);
    const names = namesOfCountry(name.replaceAll('.', ''));
    if (names.length === 0) return SHORT_ACRONYM.test(name);
    const isNamed = (word: string): boolean =>
      isInCapitals(word) ? this.words.has(word) : this.hasForm(word);
    return names.some((one) => one.split(' ').every(isNamed));
  }

  private hasWritten(name: string): boolean {
    const word = plain(name);
    if (this.isIn(word) || this.isIn(joined(word)) || this.isSpeltOut(name)) return true;
    const parts = partsOf(word).filter((part) => part.length > 1 || /\d/.test(part));
    if (parts.length <= 1) return this.hasForm(parts[0] ?? word);
    // "EU-wide", "Merkle-Baum": any part will do, but a number or code must be there.
    return (
      parts.some((part) => this.hasForm(part)) && parts.every((part) => !/\d/.test(part) || this.isIn(part))
    );
  }

  private isIn(written: string): boolean {
    const word = plain(written);
    return this.words.has(word) || this.words.has(word.replace(/s$/, ''));
  }

  private isSpeltOut(name: string): boolean {
    const capitals = name.match(/\p{Lu}/gu) ?? [];
    const isMostly = capitals.length >= 3 && 2 * capitals.length > name.length;
    return isMostly && capitals.length <= LONGEST_ACRONYM && this.initials.includes(plain(capitals.join('')));
  }

  private hasForm(part: string): boolean {
    if (this.isIn(part)) return true;
    if (part.length < LEAST_STEM || /\d/.test(part)) return false;
    if (this.begins.has(stemOf(part).slice(0, LONGEST_STEM))) return true;
    // A word that shares more letters than this with a stem has shared its beginning above.
    const last = Math.min(part.length, LONGEST_STEM);
    for (let end = LEAST_STEM; end <= last; end++) if (this.stems.has(part.slice(0, end))) return true;
    return false;
  }
}

/**
 * The names of a statement: runs of words with a capital inside a sentence, acronyms, words with digits or inner capitals. In German, where every noun
 * has a capital, only two capitalised words in a row count. Months and days of the week are dates, and units belong to values.
 *
 * @param values of the statement
 * @param isAcrossLanguages only persons: two or three capitalised words in a row without an article, which nobody translates
 */
export function namesIn(
  statement: string,
  language: Language,
  values: readonly Value[],
  isAcrossLanguages = false,
): Name[] {
  const functional = functionWords(language);
  const words = [...statement.matchAll(NAME_WORD)].map((match) => {
    const elision = ELISION.exec(match[0])?.[0].length ?? 0;
    const text = match[0].slice(elision).replace(POSSESSIVE, '');
    const start = match.index + elision;
    return { text, start, end: start + text.length, next: match.index + match[0].length };
  });
  const isName = ({ text, start, end }: Name): boolean => {
    const lower = text.toLowerCase();
    const before = statement.slice(Math.max(0, start - 3), start);
    const isOther =
      functional.has(lower) || NO_NAMES.has(lower) || calendarWord(lower, language) !== undefined;
    if (isOther || !/\p{Lu}/u.test(text) || text.length < 2 || /^\d/.test(text) || ROMAN.test(text))
      return false;
    // What stands behind a number is its unit: "512 KiB".
    if (/\d[ \u00a0\u202f-]?$/.test(before) || values.some((v) => v.start < end && v.end > start))
      return false;
    return IS_MADE_UP.test(text) || (/^\p{Lu}/u.test(text) && !OPENS.test(before));
  };
  const names: Name[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!isName(words[i]!)) continue;
    const first = i;
    while (
      words[i + 1] &&
      statement.slice(words[i]!.next, words[i + 1]!.start) === ' ' &&
      isName(words[i + 1]!)
    )
      i++;
    const isBehindArticle = ARTICLES.has(words[first - 1]?.text.toLowerCase() ?? '');
    // "dem Architekten Gustav Lindqvist": a German noun stands between the article and the name.
    const skipped = isAcrossLanguages && isBehindArticle && language === 'de' ? 1 : 0;
    const [{ start }, { end }] = [words[Math.min(first + skipped, i)]!, words[i]!];
    const text = statement.slice(start, end);
    const length = i - first + 1 - skipped;
    const isPerson = length > 1 && (!isBehindArticle || skipped > 0);
    const isSure = language !== 'de' || length > 1 || IS_MADE_UP.test(text);
    if (isAcrossLanguages ? isPerson : isSure) names.push({ text, start, end });
  }
  return names;
}

/** Capitals only, a plural `s` and digits allowed. */
function isAcronym(word: string): boolean {
  const letters = word.replace(/[^\p{L}]|(?<=\p{Lu})s$/gu, '');
  return letters.length >= 2 && letters.length <= LONGEST_ACRONYM && letters === letters.toUpperCase();
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(LEAST_STEM, word.length - MOST_ENDING));
}

function partsOf(word: string): string[] {
  return word.split(JOINTS).filter(Boolean);
}

/** `wi-fi` and `wifi`, `u.s.` and `us` are one. */
function joined(word: string): string {
  return word.replace(JOINTS, '');
}

/** Lower case, without diacritics. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
