import { NAME_WORD, NO_NAMES, readNames, type Name } from '../text/names.js';
import { type Language } from '../text/languages.js';
import type { Value } from '../text/read-values.js';

/** Countries and the like, whose names have too many forms to be compared: EU, UK, US, USA. */
const SHORT_ACRONYM = /^(?:\p{Lu}{2}|USA|UAE)$/u;
/** Fewer letters in common are no stem in common. */
const LEAST_STEM = 4;
/** A form of a name may end in so many letters of its own: `Norway` and `Norwegian`. */
const MOST_ENDING = 3;
/** Longer beginnings of words are not told from each other, letters. */
const LONGEST_STEM = 12;
/** A name that is heard needs this many consonants to be known by them. */
const LEAST_SOUND = 3;
const LONGEST_ACRONYM = 8;
/** The centuries and rulers of `siglo XIX` and `Luis XIV` are said as numbers. */
const ROMAN = /^[IVX]{2,}$/;

/** The words of a text, to look names up in. A look-up costs the same whatever the length of the text. */
export class NameIndex {
  private readonly words = new Set<string>();
  /** Beginnings of the words, from {@link LEAST_STEM} letters on. */
  private readonly begins = new Set<string>();
  /** The words without the ending that a form of them may lack. */
  private readonly stems = new Set<string>();
  private readonly sounds = new Set<string>();

  /** @param isSpoken names in the text may be misheard, so that they are compared by their consonants too */
  constructor(private readonly isSpoken = false) {}

  /** Adds a text that ends between two words. Linear. */
  add(text: string): void {
    for (const match of text.matchAll(NAME_WORD)) {
      const word = plain(match[0]);
      for (const part of new Set([word, joined(word), ...partsOf(word)])) this.addWord(part);
    }
  }

  private addWord(word: string): void {
    if (this.words.has(word)) return;
    this.words.add(word);
    const last = Math.min(word.length, LONGEST_STEM);
    for (let end = LEAST_STEM; end <= last; end++) this.begins.add(word.slice(0, end));
    if (word.length >= LEAST_STEM) this.stems.add(stemOf(word));
    if (this.isSpoken) this.sounds.add(soundOf(word));
  }

  /** Whether the text has the name, in another form too. Short acronyms of countries count as known. */
  has(name: string): boolean {
    if (SHORT_ACRONYM.test(name.replaceAll('.', '')) || (this.isSpoken && isAcronym(name))) return true;
    // In a run of German words, two neighbours must be unknown: a single one may be any noun.
    const words = name.split(' ');
    if (words.length > 1)
      return !words.some((word, i) => i > 0 && !this.has(word) && !this.has(words[i - 1]!));
    const word = plain(name);
    if ([word, joined(word)].some((form) => this.hasWord(form))) return true;
    const parts = partsOf(word).filter((part) => part.length > 1 || /\d/.test(part));
    if (parts.length <= 1) return this.hasForm(parts[0] ?? word);
    // "EU-wide", "Merkle-Baum": any part will do, but a number or code must be there.
    return (
      parts.some((part) => this.hasForm(part)) &&
      parts.every((part) => !/\d/.test(part) || this.words.has(part.replace(/s$/, '')))
    );
  }

  /** Whether a word stands in the text as it is. */
  hasWord(written: string): boolean {
    const word = plain(written);
    return this.words.has(word) || this.words.has(word.replace(/s$/, ''));
  }

  private hasForm(part: string): boolean {
    if (this.hasWord(part)) return true;
    if (part.length < LEAST_STEM || /\d/.test(part)) return false;
    if (this.begins.has(stemOf(part).slice(0, LONGEST_STEM))) return true;
    for (let end = LEAST_STEM; end <= part.length; end++) if (this.stems.has(part.slice(0, end))) return true;
    const sound = this.isSpoken ? soundOf(part) : '';
    return sound.length >= LEAST_SOUND && this.sounds.has(sound);
  }
}

/**
 * The names of a statement, without units and without what a number is written with. Across languages only persons: two or three capitalised
 * words in a row without an article, which nobody translates.
 *
 * @param values of the statement
 */
export function namesIn(
  statement: string,
  language: Language,
  values: readonly Value[],
  isAcrossLanguages: boolean,
): Name[] {
  if (isAcrossLanguages) return personsIn(statement, language);
  return readNames(statement, language).filter(
    ({ text, start, end }) =>
      !ROMAN.test(text) &&
      !values.some((value) => value.start < end && value.end > start) &&
      // What stands behind a number is its unit: "512 KiB".
      !/\d[ \u00a0\u202f-]?$/.test(statement.slice(Math.max(0, start - 3), start)),
  );
}

const CAPITALIZED = /^\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}?\p{Ll}+)*$/u;
/** A person has no article; "the White House" and "la Banque centrale" do. */
const ARTICLES = new Set(
  'the a an der die das den dem des ein eine einen einem einer im am zum zur vom le la les l du des un une au aux el los las del al il lo gli i dei della delle dal dalla nel nella o os as do da dos das no na ao à'.split(
    ' ',
  ),
);

function isCapitalized(word = ''): boolean {
  return CAPITALIZED.test(word) && !NO_NAMES.has(word.toLowerCase());
}

function personsIn(statement: string, language: Language): Name[] {
  const words = [...statement.matchAll(NAME_WORD)];
  const persons: Name[] = [];
  for (let i = 0; i < words.length; i++) {
    let last = i;
    const follows = (at: number): boolean =>
      isCapitalized(words[at]?.[0]) &&
      statement.slice(words[at - 1]!.index + words[at - 1]![0].length, words[at]!.index) === ' ';
    if (!isCapitalized(words[i]![0])) continue;
    while (follows(last + 1)) last++;
    const before = words[i - 1]?.[0].toLowerCase() ?? '';
    // "dem Architekten Gustav Lindqvist": a German noun stands between the article and the name.
    const isOfNoun = language === 'de' && last - i === 2 && ARTICLES.has(before);
    const start = words[isOfNoun ? i + 1 : i]!.index;
    const isFirst =
      !/[\p{L}\p{N}]/u.test(statement.slice(0, start)) || /[.!?:]\s*$/.test(statement.slice(0, start));
    if (last > i && last - i < 3 && !isFirst && (isOfNoun || !ARTICLES.has(before))) {
      const end = words[last]!.index + words[last]![0].length;
      persons.push({ text: statement.slice(start, end), start, end });
    }
    i = last;
  }
  return persons;
}

/** Capitals only, a plural `s` and digits allowed. */
function isAcronym(word: string): boolean {
  const letters = word.replace(/[^\p{L}]|(?<=\p{Lu})s$/gu, '');
  return letters.length >= 2 && letters.length <= LONGEST_ACRONYM && letters === letters.toUpperCase();
}

/** The capitals of an acronym in lower case, as the initials of words: `RBCs`, `APhA`; undefined for other names. */
export function initialsIn(name: string): string | undefined {
  const capitals = name.match(/\p{Lu}/gu) ?? [];
  const isMostly = capitals.length >= 3 && 2 * capitals.length > name.length && !/\s/.test(name);
  return isMostly ? plain(capitals.join('')) : undefined;
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(LEAST_STEM, word.length - MOST_ENDING));
}

function partsOf(word: string): string[] {
  return word.split(/[._'’~+#&-]+/).filter(Boolean);
}

/** `wi-fi` and `wifi`, `u.s.` and `us` are one. */
function joined(word: string): string {
  return word.replace(/[._'’~+#&-]+/g, '');
}

/** Lower case, without diacritics. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The consonants of a plain word as speech recognition may have heard them: letters that sound alike are one, doubled ones too. */
function soundOf(word: string): string {
  return word
    .replace(/ph/g, 'f')
    .replace(/[cs]h|z/g, 's')
    .replace(/ck|qu?|c|g(?=h)/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/[aeiouyhj]/g, '')
    .replace(/(.)\1+/g, '$1');
}
