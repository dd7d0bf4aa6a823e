import type { Language } from '../../core/text/languages.js';
import { isJoiner, joinedForm, indexedTerm } from './analyzer.js';
import type { ReadWords, WordReader } from './word-reader.js';

/** What a word of {@link IndexBuilder} is in a language: a term's identifier + {@link FIRST_TERM}, or this, or 0 where that is not known yet. */
const STOPPED = 1;
const FIRST_TERM = 2;

/** A part of a unit: a text from the reader. Each word counts `weight` times. */
export interface UnitField {
  text: string;
  words: ReadWords;
  weight: number;
}

/**
 * Collects units of text for an {@link InvertedIndex}. Terms and counts go into growing typed arrays; no object is kept
 * for a word of a text, so that 100,000 documents cost tens of megabytes and not hundreds.
 */
export class IndexBuilder {
  private readonly ids = new Map<string, number>();
  /** For each language what the reader's words are in it. */
  private readonly terms = new Map<Language | undefined, Uint32Array>();
  private forwardTerms: Uint32Array;
  private forwardCounts: Uint8Array;
  private used = 0;
  private starts = new Uint32Array(1 << 10);
  private lengths = new Float32Array(1 << 10);
  private units = 0;
  /** Where the term of an identifier stands in the unit being added; valid from `starts[units]` on. */
  private places = new Uint32Array(1 << 12);

  /**
   * @param reader that has read all words that will be added
   * @param expectedWords of all units together; a good guess spares copying the arrays while they grow, too much costs nothing, since
   *   memory that is not written to is not taken
   */
  constructor(
    private readonly reader: WordReader,
    expectedWords = 1 << 14,
  ) {
    this.forwardTerms = new Uint32Array(Math.max(1 << 14, expectedWords));
    this.forwardCounts = new Uint8Array(Math.max(1 << 14, expectedWords));
  }

  /** Adds a unit. Returns its number. */
  add(fields: readonly UnitField[], language: Language | undefined): number {
    const terms = this.termsIn(language);
    const begin = this.used;
    let length = 0;
    for (const { text, words, weight } of fields) {
      const { ids, starts, ends, count } = words;
      /** First word of those that are joined without blanks. */
      let chain = 0;
      for (let i = 0; i < count; i++) {
        if (i > 0 && !(starts[i] === ends[i - 1]! + 1 && isJoiner(text.charCodeAt(ends[i - 1]!)))) {
          if (i - chain > 1)
            this.countJoined(text.slice(starts[chain], ends[i - 1]), language, begin, weight);
          chain = i;
        }
        const term = terms[ids[i]!] || this.learn(ids[i]!, language, terms);
        if (term === STOPPED) continue;
        this.count(term - FIRST_TERM, begin, weight);
        length += weight;
      }
      if (count - chain > 1)
        this.countJoined(text.slice(starts[chain], ends[count - 1]), language, begin, weight);
    }
    if (this.units + 1 >= this.starts.length) {
      this.starts = grown(this.starts, Uint32Array);
      this.lengths = grown(this.lengths, Float32Array);
    }
    this.lengths[this.units] = length;
    this.starts[++this.units] = this.used;
    return this.units - 1;
  }

  /** Turns what was added into the index; `pause` is awaited often. The builder is empty afterwards. */
  async build(pause: () => Promise<void> | undefined): Promise<InvertedIndex> {
    const size = this.ids.size;
    const starts = this.starts.slice(0, this.units + 1);
    // Views, no copies: of tens of megabytes each would hold up other requests.
    const unitTerms = this.forwardTerms.subarray(0, this.used);
    this.forwardTerms = new Uint32Array(0);
    const unitCounts = this.forwardCounts.subarray(0, this.used);
    this.forwardCounts = new Uint8Array(0);
    this.terms.clear();
    this.places = new Uint32Array(0);
    const offsets = new Uint32Array(size + 1);
    for (let i = 0; i < this.used; i++) {
      offsets[unitTerms[i]! + 1]!++;
      if ((i & 0x3fff) === 0) await pause();
    }
    for (let t = 0; t < size; t++) offsets[t + 1]! += offsets[t]!;
    const next = offsets.slice();
    const postingUnits = new Uint32Array(this.used);
    const postingCounts = new Uint8Array(this.used);
    for (let u = 0; u < this.units; u++) {
      for (let i = starts[u]!; i < starts[u + 1]!; i++) {
        const at = next[unitTerms[i]!]!++;
        postingUnits[at] = u;
        postingCounts[at] = unitCounts[i]!;
      }
      // Each posting may be the first in its page of memory, which then has to be got.
      if ((u & 0x1f) === 0) await pause();
    }
    return {
      units: this.units,
      ids: this.ids,
      lengths: this.lengths.slice(0, this.units),
      offsets,
      postingUnits,
      postingCounts,
      starts,
      unitTerms,
      unitCounts,
    };
  }

  private termsIn(language: Language | undefined): Uint32Array {
    const known = this.terms.get(language);
    if (known && known.length >= this.reader.words) return known;
    const bigger = new Uint32Array(Math.max(1 << 12, this.reader.words * 2));
    if (known) bigger.set(known);
    this.terms.set(language, bigger);
    return bigger;
  }

  private learn(word: number, language: Language | undefined, terms: Uint32Array): number {
    const term = indexedTerm(this.reader.wordOf(word), language);
    return (terms[word] = term === undefined ? STOPPED : FIRST_TERM + this.idOf(term));
  }

  /** A joined form is added to its parts and does not make the unit longer. */
  private countJoined(words: string, language: Language | undefined, begin: number, weight: number): void {
    const joined = joinedForm(words.toLowerCase());
    const term = joined === undefined ? undefined : indexedTerm(joined, language);
    if (term !== undefined) this.count(this.idOf(term), begin, weight);
  }

  private idOf(term: string): number {
    let id = this.ids.get(term);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(term, id);
      if (id >= this.places.length) this.places = grown(this.places, Uint32Array);
    }
    return id;
  }

  private count(id: number, begin: number, weight: number): void {
    const place = this.places[id]!;
    if (place >= begin && place < this.used && this.forwardTerms[place] === id) {
      this.forwardCounts[place] = Math.min(255, this.forwardCounts[place]! + weight);
      return;
    }
    if (this.used === this.forwardTerms.length) {
      this.forwardTerms = grown(this.forwardTerms, Uint32Array);
      this.forwardCounts = grown(this.forwardCounts, Uint8Array);
    }
    this.forwardTerms[this.used] = id;
    this.forwardCounts[this.used] = Math.min(255, weight);
    this.places[id] = this.used++;
  }
}

/** The units of each term, and the terms of each unit, as compressed rows over typed arrays. */
export interface InvertedIndex {
  readonly units: number;
  /** Identifier of a term. */
  readonly ids: ReadonlyMap<string, number>;
  /** Weighted number of words of each unit. */
  readonly lengths: Float32Array;
  /** Term `t` stands in the units `postingUnits[offsets[t] .. offsets[t + 1])`, ascending. */
  readonly offsets: Uint32Array;
  readonly postingUnits: Uint32Array;
  readonly postingCounts: Uint8Array;
  /** Unit `u` has the terms `unitTerms[starts[u] .. starts[u + 1])`, each once, in order of their first occurrence. */
  readonly starts: Uint32Array;
  readonly unitTerms: Uint32Array;
  readonly unitCounts: Uint8Array;
}

function grown<T extends Uint32Array | Uint8Array | Float32Array>(array: T, Type: new (n: number) => T): T {
  const bigger = new Type(array.length * 2);
  bigger.set(array);
  return bigger;
}
