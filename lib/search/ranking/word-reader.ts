import { randomInt } from 'node:crypto';
import { LANGUAGES, type Language } from '../../core/text/languages.js';
import { languageByFunctionWords, languagesOfFunctionWords } from '../../core/text/detect-language.js';
import { MAX_WORD, UNSPACED, WORD_BREAK, WORD_PART, wordKind } from '../../core/text/each-word.js';

// Constants of this module: an imported one is a getter's call, here at every character.
const BREAK = WORD_BREAK;
const PART = WORD_PART;
const NO_BLANKS = UNSPACED;
const LONGEST = MAX_WORD;

/** The words of a text as a {@link WordReader} left them. */
export interface ReadWords {
  /** Number of words. */
  count: number;
  /** Identifier of each word, in order; only the first `count` are of this text. */
  ids: Uint32Array;
  /** Where each word begins in the text, and where it ends (exclusive). */
  starts: Uint32Array;
  ends: Uint32Array;
  /** Characters between words. */
  breaks: number;
  /** Length of the text in characters. */
  length: number;
}

/** Letters and digits that most words consist of; a place in it, from 1, takes six bits. */
const PACKED = '0123456789abcdefghijklmnopqrstuvwxyzáàâãäçéèêëíìîïñóòôõöúùûüýßœ';
/** Characters of a word that fit into one number of a key, and into all three. */
const A_NUMBER = 5;
const A_KEY = 15;
/** Numbers of an entry of the table: three of the key, then the identifier + 1. */
const ENTRY = 4;

/** For a UTF-16 code unit its kind (high byte) and its packed form in lower case, 0 without one (low byte); 0: not yet looked at. */
const classes = new Uint16Array(65536);

/**
 * Turns texts into identifiers of their words, the same words as `eachWord` finds in the text in lower case. A text is read
 * once, and no string is made of a usual word but when it is seen for the first time: a word of at most 15 letters of the six
 * languages is its own key in a hash table of numbers. Identifiers count from 0 in the order in which words appear.
 */
export class WordReader {
  private readonly names: string[] = [];
  /** Open addressing, at most half full. */
  private table = new Int32Array(ENTRY << 12);
  private entries = 0;
  /** Words that are too long for a key, or have other letters. */
  private readonly others = new Map<string, number>();
  /** Another one in every process, so that nobody writes texts whose words all fall into one place. */
  private readonly seed = randomInt(2 ** 31);
  /** Languages that have the word as a function word, a bit each; these words have the first identifiers. */
  private readonly functionWords: Uint8Array;
  private readonly languageCounts = new Uint16Array(LANGUAGES.length);

  constructor() {
    const known = languagesOfFunctionWords();
    const masks = new Map<number, number>();
    const read = noWords();
    for (const [word, languages] of known) {
      this.read(word, read);
      // `est-ce` and its like are several words.
      if (read.count !== 1) continue;
      masks.set(
        read.ids[0]!,
        languages.reduce((mask, language) => mask | (1 << language), 0),
      );
    }
    this.functionWords = Uint8Array.from({ length: this.words }, (_, id) => masks.get(id) ?? 0);
  }

  /** Number of different words so far. */
  get words(): number {
    return this.names.length;
  }

  /** A word in lower case. */
  wordOf(id: number): string {
    return this.names[id]!;
  }

  /** @param into is overwritten */
  read(text: string, into: ReadWords): void {
    const end = text.length;
    let { ids, starts, ends } = into;
    let count = 0;
    let breaks = 0;
    let previous = 0;
    /** Length of the word so far, its key, and whether it has no other letters than those of keys. */
    let used = 0;
    let first = 0;
    let second = 0;
    let last = 0;
    let isPacked = true;
    for (let i = 0; i <= end; i++) {
      const entry = i < end ? classOf(text.charCodeAt(i)) : BREAK << 8;
      const kind = entry >>> 8;
      if (kind === PART) {
        if (used === A_NUMBER) {
          first = last;
          last = 0;
        } else if (used === 2 * A_NUMBER) {
          second = last;
          last = 0;
        }
        const letter = entry & 0xff;
        if (letter === 0) isPacked = false;
        last = (last << 6) | letter;
        used++;
        previous = PART;
        continue;
      }
      if (count + 2 > ids.length) {
        into.ids = ids = doubled(ids);
        into.starts = starts = doubled(starts);
        into.ends = ends = doubled(ends);
      }
      if (used > 0) {
        if (used <= LONGEST) {
          ids[count] =
            isPacked && used <= A_KEY
              ? this.packedId(first, second, last, text, i - used, i)
              : this.otherId(text.slice(i - used, i));
          starts[count] = i - used;
          ends[count++] = i;
        }
        used = first = second = last = 0;
        isPacked = true;
      }
      if (kind === NO_BLANKS) {
        const isPair = previous === NO_BLANKS;
        if (isPair || i + 1 >= end || classOf(text.charCodeAt(i + 1)) >>> 8 !== NO_BLANKS) {
          const start = isPair ? i - 1 : i;
          ids[count] = this.otherId(text.slice(start, i + 1));
          starts[count] = start;
          ends[count++] = i + 1;
        }
      } else {
        breaks++;
      }
      previous = kind;
    }
    into.count = count;
    // The end of the text was taken for one.
    into.breaks = breaks - 1;
    into.length = end;
  }

  /**
   * What `detectLanguage` says of the texts, one after another with a blank between them, without reading them again.
   *
   * @param lookedAt characters from the beginning that are looked at
   */
  languageOf(texts: readonly ReadWords[], lookedAt: number): Language | undefined {
    const counts = this.languageCounts.fill(0);
    let words = 0;
    let before = 0;
    for (const { ids, ends, count, length } of texts) {
      for (let i = 0; i < count && before + ends[i]! <= lookedAt; i++) {
        words++;
        const id = ids[i]!;
        const languages = id < this.functionWords.length ? this.functionWords[id]! : 0;
        if (languages === 0) continue;
        for (let l = 0; l < counts.length; l++) if ((languages >> l) & 1) counts[l]!++;
      }
      before += length + 1;
    }
    return languageByFunctionWords(counts, words);
  }

  private otherId(word: string): number {
    const lower = word.toLowerCase();
    let id = this.others.get(lower);
    if (id === undefined) {
      id = this.names.push(lower) - 1;
      this.others.set(lower, id);
    }
    return id;
  }

  private packedId(
    first: number,
    second: number,
    last: number,
    text: string,
    start: number,
    end: number,
  ): number {
    const { table } = this;
    const mask = table.length - 1;
    let at = (this.hash(first, second, last) << 2) & mask;
    for (let taken = table[at + 3]!; taken !== 0; taken = table[at + 3]!) {
      if (table[at + 2] === last && table[at] === first && table[at + 1] === second) return taken - 1;
      at = (at + ENTRY) & mask;
    }
    const id = this.names.push(text.slice(start, end).toLowerCase()) - 1;
    table[at] = first;
    table[at + 1] = second;
    table[at + 2] = last;
    table[at + 3] = id + 1;
    if (++this.entries * ENTRY * 2 > table.length) this.enlarge();
    return id;
  }

  /** Mixes a key as MurmurHash3 does. */
  private hash(first: number, second: number, last: number): number {
    let h = Math.imul(first ^ this.seed, 0xcc9e2d51);
    h = Math.imul(h ^ (h >>> 15) ^ second, 0x1b873593);
    h = Math.imul(h ^ (h >>> 16) ^ last, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  }

  private enlarge(): void {
    const old = this.table;
    const table = new Int32Array(old.length * 2);
    const mask = table.length - 1;
    for (let from = 0; from < old.length; from += ENTRY) {
      if (old[from + 3] === 0) continue;
      let at = (this.hash(old[from]!, old[from + 1]!, old[from + 2]!) << 2) & mask;
      while (table[at + 3] !== 0) at = (at + ENTRY) & mask;
      for (let i = 0; i < ENTRY; i++) table[at + i] = old[from + i]!;
    }
    this.table = table;
  }
}

/** Room for the words of a text. */
export function noWords(): ReadWords {
  return {
    count: 0,
    ids: new Uint32Array(1 << 9),
    starts: new Uint32Array(1 << 9),
    ends: new Uint32Array(1 << 9),
    breaks: 0,
    length: 0,
  };
}

function classOf(code: number): number {
  return classes[code] || classify(code);
}

function classify(code: number): number {
  const lower = String.fromCharCode(code).toLowerCase();
  // `İ` becomes two characters.
  const letter = lower.length === 1 ? PACKED.indexOf(lower) + 1 : 0;
  return (classes[code] = (wordKind(code) << 8) | letter);
}

function doubled(array: Uint32Array): Uint32Array {
  const bigger = new Uint32Array(array.length * 2);
  bigger.set(array);
  return bigger;
}
