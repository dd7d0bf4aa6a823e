import { randomInt } from 'node:crypto';
import { languageByFunctionWords, languagesOfFunctionWords, LOOKED_AT } from '../../text/detect-language.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import { copied, eachWordOrJoined, indexedTerm } from './analyzer.js';

/** The words of a text, in order. A joined form stands behind its parts, see `eachWordOrJoined`. Used again for the next text. */
export class ReadWords {
  /** Number of words; the lists may be longer. */
  count = 0;
  /** Identifiers of the words. */
  readonly ids: number[] = [];
  /** Where each word ends in the text; 0 for a joined form. */
  readonly ends: number[] = [];
  /** Characters of the text. */
  length = 0;
}

/** Numbers of an entry of the table, a power of two. */
const ENTRY = 4;
/** A word whose term has not been looked for. */
export const UNKNOWN = -1;

/**
 * Turns texts into identifiers of their words. A hash table over the characters of the text: no string is made of a word but when it is seen
 * for the first time, which is four times as fast as a `Map` of strings. Words with the same hash of 64 bits count as one: of ten million
 * different words, two have it in one of 300,000 collections.
 */
export class WordTable {
  private readonly words: string[] = [];
  /** For each word the languages that have it as a function word, as places in {@link LANGUAGES}. */
  private readonly languages: (readonly number[] | undefined)[] = [];
  /** By language, for each word the identifier of its term. */
  private readonly terms = new Map<Language | undefined, number[]>();
  private readonly functionWords = languagesOfFunctionWords();
  /** Open addressing, at most half full. An entry is the identifier + 1, and two hashes; the highest bits of the first one are its place. */
  private table = new Int32Array(ENTRY << 12);
  private shift = 20;
  /** Others in every process, so that nobody writes texts whose words all fall into one place. */
  private readonly multipliers = [2 * randomInt(2 ** 30) + 1, 2 * randomInt(2 ** 30) + 1] as const;

  /** Reads a text. @param into is overwritten */
  read(text: string, into: ReadWords): void {
    let count = 0;
    eachWordOrJoined(text.toLowerCase(), (words, start, end, joined) => {
      into.ids[count] = this.idOf(words, start, end);
      into.ends[count++] = joined ? 0 : end;
    });
    into.count = count;
    into.length = text.length;
  }

  /**
   * The language of texts that stand one behind the other, as `detectLanguage` tells it.
   * @returns undefined where it cannot be told
   */
  languageOf(texts: readonly ReadWords[]): Language | undefined {
    const counts = new Uint16Array(LANGUAGES.length);
    let total = 0;
    let offset = 0;
    for (const { count, ids, ends, length } of texts) {
      for (let i = 0; i < count && offset + ends[i]! <= LOOKED_AT; i++) {
        if (ends[i] === 0) continue;
        total++;
        const languages = this.languages[ids[i]!];
        if (languages) for (const language of languages) counts[language]!++;
      }
      offset += length + 1;
    }
    return languageByFunctionWords(counts, total);
  }

  /** By word, the number of its term in a language; {@link UNKNOWN} where {@link termOf} has not been asked. */
  termsIn(language: Language | undefined): number[] {
    const terms = this.terms.get(language) ?? [];
    this.terms.set(language, terms);
    while (terms.length < this.words.length) terms.push(UNKNOWN);
    return terms;
  }

  /** The term of a word in a language; undefined for a function word. */
  termOf(word: number, language: Language | undefined): string | undefined {
    return indexedTerm(this.words[word]!, language);
  }

  private idOf(text: string, start: number, end: number): number {
    const { table } = this;
    const [multiplier, other] = this.multipliers;
    let hash = 0;
    let check = 0;
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i) + 1;
      hash = Math.imul(hash + code, multiplier);
      check = Math.imul(check + code, other);
    }
    let at = this.placeOf(hash);
    for (; table[at] !== 0; at = this.after(at))
      if (table[at + 1] === hash && table[at + 2] === check) return table[at]! - 1;
    return this.learn(copied(text.slice(start, end)), at, hash, check);
  }

  private learn(word: string, at: number, hash: number, check: number): number {
    this.languages.push(this.functionWords.get(word));
    const entry = [this.words.push(word), hash, check];
    this.table.set(entry, at);
    if (2 * ENTRY * this.words.length > this.table.length) this.grow();
    return entry[0]! - 1;
  }

  private placeOf(hash: number): number {
    return ENTRY * (hash >>> this.shift);
  }

  private after(place: number): number {
    return (place + ENTRY) & (this.table.length - 1);
  }

  private grow(): void {
    const old = this.table;
    const table = new Int32Array(2 * old.length);
    this.table = table;
    this.shift--;
    for (let from = 0; from < old.length; from += ENTRY) {
      if (old[from] === 0) continue;
      let at = this.placeOf(old[from + 1]!);
      while (table[at] !== 0) at = this.after(at);
      table.set(old.subarray(from, from + ENTRY), at);
    }
  }
}
