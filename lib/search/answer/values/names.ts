import { calendarWord } from '../../../core/text/calendar-words.js';
import { functionWords } from '../../../core/text/word-lists.js';
import { type Language } from '../../../core/text/languages.js';

/** A word that is a name by its form; in German a run of them. */
export interface Name {
  /** As written, without elision and possessive. */
  text: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[._'’~+#&-]+[\p{L}\p{M}\p{N}]+)*/gu;
const POSSESSIVE = /['’](?:s|m|ve|re|ll|d|t)$/i;
const ELISION = /^(?:[ldnsmtcjq]|qu|dell|all|dall|nell|sull|un)['’](?=\p{L})/iu;
/** Behind these a capital says only that a sentence or quotation begins. */
const OPENS = /(?:^|[.!?…:;•–—]\s*|["“”„«»‘(]\s*)$/u;
/** Capitals or digits inside of a word make it a name wherever it stands: `IPv6`, `NASA`, `iPhone`, `CO2`. */
const IS_MADE_UP = /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|\p{L}.*\p{N}/u;
/** Capitalised without being names: pronouns, titles, and English adjectives of places whose names have many forms. */
const NO_NAMES = new Set(
  'i yes no oui non ja nein si sí sim não mr mrs ms dr herr frau sr sra american americans british european europeans western'.split(
    ' ',
  ),
);
/** Countries and the like, whose names have too many forms to be compared: EU, UK, US, USA. */
const SHORT_ACRONYM = /^(?:\p{Lu}{2}|USA|UAE)$/u;
const DEMONYM = /(?:ish|ch|sh|ese|ss)$/;
/** Fewer letters in common are no stem in common. */
const LEAST_STEM = 4;
/** A form of a name may end in so many letters of its own: `Norway` and `Norwegian`. */
const MOST_ENDING = 3;

/**
 * Words that are names by their form: capitals inside a sentence, acronyms, words with digits or inner capitals. In German, where every noun
 * has a capital, only two capitalised words in a row count. Months and days of the week are dates and not names.
 */
export function readNames(text: string, language: Language): Name[] {
  const functional = functionWords(language);
  const matches = [...text.matchAll(WORD)];
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

/** The words of some texts, to look names up in. */
export class NameIndex {
  private readonly words = new Set<string>();
  private readonly stems = new Map<string, string[]>();
  private readonly capitals = new Set<string>();
  private readonly initials = new Set<string>();

  add(text: string): void {
    for (const match of text.matchAll(WORD)) {
      const word = plain(match[0]);
      if (/^\p{Lu}/u.test(match[0])) this.capitals.add(word);
      for (const part of [word, joined(word), ...partsOf(word)]) {
        if (this.words.has(part)) continue;
        this.words.add(part);
        const stem = part.slice(0, 2);
        const known = this.stems.get(stem);
        if (known) known.push(part);
        else this.stems.set(stem, [part]);
      }
    }
    this.addInitials(text);
  }

  /** Whether the texts have the name, in another form or as an acronym, too. Short acronyms of countries count as known. */
  has(name: string): boolean {
    if (SHORT_ACRONYM.test(name.replaceAll('.', ''))) return true;
    // In a run of German words, two neighbours must be unknown: a single one may be any noun.
    const words = name.split(' ');
    if (words.length > 1)
      return !words.some((word, i) => i > 0 && !this.has(word) && !this.has(words[i - 1]!));
    const word = plain(name);
    if (
      this.words.has(joined(word)) ||
      this.words.has(word) ||
      this.words.has(word.replace(/s$/, '')) ||
      this.initials.has(word)
    )
      return true;
    const parts = partsOf(word).filter((part) => part.length > 1 || /\d/.test(part));
    if (parts.length <= 1) return this.hasForm(parts[0] ?? word);
    // "EU-wide", "Merkle-Baum": any part will do, but a number or code must be there.
    return (
      parts.some((part) => this.hasForm(part)) &&
      parts.every((part) => !/\d/.test(part) || this.words.has(part.replace(/s$/, '')))
    );
  }

  private hasForm(part: string): boolean {
    if (this.words.has(part) || this.words.has(part.replace(/s$/, '')) || this.initials.has(part))
      return true;
    if (part.length < LEAST_STEM || /\d/.test(part)) return false;
    return (this.stems.get(part.slice(0, 2)) ?? []).some((other) => {
      let same = 0;
      while (same < part.length && part[same] === other[same]) same++;
      if (same >= Math.max(LEAST_STEM, Math.min(part.length, other.length) - MOST_ENDING)) return true;
      // `Spain` and `Spanish`, `Poland` and `Polish`.
      return (
        same === LEAST_STEM - 1 && this.capitals.has(other) && DEMONYM.test(part) !== DEMONYM.test(other)
      );
    });
  }

  /** `World Health Organization` is known as `who`, `HM Revenue & Customs` as `hmrc`. */
  private addInitials(text: string): void {
    const capitals = [...text.matchAll(/\p{Lu}[\p{L}\p{M}]*/gu)];
    for (let i = 0; i < capitals.length; i++) {
      let letters = initialOf(capitals[i]![0]);
      for (let j = i + 1; j < Math.min(i + 6, capitals.length); j++) {
        const before = capitals[j - 1]!;
        const gap = text.slice(before.index + before[0].length, capitals[j]!.index);
        if (!/^[\s-](?:(?:of|the|and|for|de|la|des|del|di|für|und|et|y|e|&)\s){0,2}$/.test(gap)) break;
        letters += initialOf(capitals[j]![0]);
        if (letters.length <= 8) this.initials.add(letters);
      }
    }
  }
}

/** For an acronym, all letters. */
function initialOf(word: string): string {
  return plain(/^\p{Lu}+$/u.test(word) ? word : word[0]!);
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
