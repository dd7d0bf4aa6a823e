import { randomInt } from 'node:crypto';
import {
  LANGUAGES,
  languageByFunctionWords,
  languagesOfFunctionWords,
  MAX_WORD,
  UNSPACED,
  WORD_BREAK,
  WORD_PART,
  wordKind,
  type Language,
} from '../../core/text/index.js';

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

// Constants of this module: an imported one is a getter's call, here at every character.
const BREAK = WORD_BREAK;
const PART = WORD_PART;
const NO_BLANKS = UNSPACED;
const LONGEST = MAX_WORD;

/** FNV-1a's factor. */
const HASH_FACTOR = 0x01000193;

/** For a UTF-16 code unit its kind (high half) and itself in lower case (low half); 0: not yet looked at. */
const classes = new Uint32Array(65536);

/**
 * Turns texts into identifiers of their words, the same words as `eachWord` finds in the text in lower case. It reads a text
 * once and makes no string but for a word that it has never seen, which is what an index over many texts spends its time on.
 * Identifiers count from 0 in the order in which words appear.
 */
export class WordReader {
  private size = 0;
  /** Characters of all words, one after another; word `id` has `[offsets[id], offsets[id + 1])`. */
  private pool = new Uint16Array(1 << 14);
  private offsets: Uint32Array = new Uint32Array(1 << 10);
  private hashes = new Int32Array(1 << 10);
  /** Open addressing, at most half full: identifier + 1, or 0. */
  private slots = new Uint32Array(1 << 11);
  /** Another one in every process, so that nobody writes texts whose words all fall into one place. */
  private readonly seed = randomInt(2 ** 31);
  /** The word that is being read. */
  private readonly word = new Uint16Array(LONGEST);
  /** Languages that have the word as a function word, a bit each; these words have the first identifiers. */
  private readonly functionWords: Uint8Array;
  private readonly languageCounts = new Uint16Array(LANGUAGES.length);

  constructor() {
    const known = languagesOfFunctionWords();
    this.functionWords = new Uint8Array(known.size);
    for (const [word, languages] of known) {
      for (let i = 0; i < word.length; i++) this.word[i] = word.charCodeAt(i);
      const id = this.idOf(word.length, this.hashOf(word.length));
      for (const language of languages) this.functionWords[id]! |= 1 << language;
    }
  }

  /** Number of different words so far. */
  get words(): number {
    return this.size;
  }

  /** A word in lower case. */
  wordOf(id: number): string {
    const codes = this.pool.subarray(this.offsets[id]!, this.offsets[id + 1]!);
    // Letters whose lower case depends on what is around them, or is longer, are kept as they were read.
    return String.fromCharCode(...codes).toLowerCase();
  }

  /** @param into is overwritten */
  read(text: string, into: ReadWords): void {
    const { word, seed } = this;
    const end = text.length;
    let { ids, starts, ends } = into;
    let count = 0;
    let breaks = 0;
    let used = 0;
    let hash = seed;
    let previous = 0;
    for (let i = 0; i <= end; i++) {
      const entry = i < end ? classOf(text.charCodeAt(i)) : BREAK << 16;
      const kind = entry >>> 16;
      if (kind === PART) {
        const code = entry & 0xffff;
        if (used < LONGEST) word[used] = code;
        used++;
        hash = Math.imul(hash ^ code, HASH_FACTOR);
        previous = kind;
        continue;
      }
      if (count + 2 > ids.length) {
        into.ids = ids = doubled(ids);
        into.starts = starts = doubled(starts);
        into.ends = ends = doubled(ends);
      }
      if (used > 0) {
        if (used <= LONGEST) {
          ids[count] = this.idOf(used, hash);
          starts[count] = i - used;
          ends[count++] = i;
        }
        used = 0;
        hash = seed;
      }
      if (kind === NO_BLANKS) {
        const isPair = previous === NO_BLANKS;
        const isAlone =
          !isPair && (i + 1 >= end || classOf(text.charCodeAt(i + 1)) >>> 16 !== NO_BLANKS);
        if (isPair || isAlone) {
          const from = isPair ? i - 1 : i;
          for (let j = from; j <= i; j++) word[j - from] = classOf(text.charCodeAt(j)) & 0xffff;
          ids[count] = this.idOf(i + 1 - from, this.hashOf(i + 1 - from));
          starts[count] = from;
          ends[count++] = i + 1;
        }
      } else {
        breaks++;
      }
      previous = kind;
    }
    into.count = count;
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

  private hashOf(length: number): number {
    let hash = this.seed;
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ this.word[i]!, HASH_FACTOR);
    return hash;
  }

  /** Identifier of the first `length` characters of `word`. */
  private idOf(length: number, hash: number): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
      if (hashes[taken - 1] === hash && this.isWord(taken - 1, length)) return taken - 1;
      slot = (slot + 1) & mask;
    }
    return this.add(length, hash, slot);
  }

  private isWord(id: number, length: number): boolean {
    const { pool, word } = this;
    const from = this.offsets[id]!;
    if (this.offsets[id + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (pool[from + i] !== word[i]) return false;
    return true;
  }

  private add(length: number, hash: number, slot: number): number {
    const id = this.size++;
    if (id + 2 > this.offsets.length) {
      this.offsets = doubled(this.offsets);
      const hashes = new Int32Array(this.hashes.length * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    const from = this.offsets[id]!;
    if (from + length > this.pool.length) {
      const pool = new Uint16Array(this.pool.length * 2);
      pool.set(this.pool);
      this.pool = pool;
    }
    for (let i = 0; i < length; i++) this.pool[from + i] = this.word[i]!;
    this.offsets[id + 1] = from + length;
    this.hashes[id] = hash;
    this.slots[slot] = id + 1;
    if (this.size * 2 > this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = spread(this.hashes[id]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.slots = slots;
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
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase();
  // `Σ` is `ς` at the end of a word and `İ` becomes two characters: both are left to `wordOf`.
  const folded = lower.length === 1 && character !== 'Σ' ? lower.charCodeAt(0) : code;
  return (classes[code] = (wordKind(code) << 16) | folded);
}

/** FNV's low bits depend on few characters: MurmurHash3's finalizer. */
function spread(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function doubled(array: Uint32Array): Uint32Array {
  const bigger = new Uint32Array(array.length * 2);
  bigger.set(array);
  return bigger;
}
