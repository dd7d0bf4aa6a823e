import type { Language } from '../../text/languages.js';
import { asWritten, copied, eachWordOrJoined, functionTerm, indexedTerm } from './analyzer.js';

const STOPPED = -1; // in place of the number of a term; any number below 0

/**
 * Collects units of text for an {@link InvertedIndex}. Terms and counts go into growing typed arrays; no object is kept
 * for a word of a text, so that 100,000 documents cost tens of megabytes and not hundreds.
 */
export class IndexBuilder {
  /** By language, for each word the number of its term. */
  private readonly words = new Map<Language | undefined, Map<string, number>>();
  private readonly ids = new Map<string, number>();
  private readonly functionTerms = new Set<number>();
  private forwardTerms: Uint32Array;
  private forwardCounts: Uint8Array;
  private used = 0;
  private starts = new Uint32Array(1 << 10);
  private lengths = new Float32Array(1 << 10);
  private units = 0;
  /** The place of an identifier's term in the unit being added; valid from `starts[units]` on. */
  private places = new Uint32Array(1 << 12);

  /**
   * @param expectedWords of all units together; a good guess spares copying the arrays while they grow, too much costs nothing, since
   *   memory that is not written to is not taken
   */
  constructor(expectedWords = 1 << 14) {
    this.forwardTerms = new Uint32Array(Math.max(1 << 14, expectedWords));
    this.forwardCounts = new Uint8Array(Math.max(1 << 14, expectedWords));
  }

  /** Adds a unit. Each word of a field counts `weight` times. Function words count in titles only, and do not make the unit longer. */
  add(
    fields: readonly { text: string; weight: number; isTitle?: boolean }[],
    language: Language | undefined,
  ): void {
    const begin = this.used;
    const known = this.words.get(language) ?? new Map<string, number>();
    this.words.set(language, known);
    let length = 0;
    for (const { text, weight, isTitle } of fields) {
      const lower = text.toLowerCase();
      eachWordOrJoined(lower, (words, start, end, joined) => {
        const word = words.slice(start, end);
        let term = known.get(word);
        if (term === undefined) {
          const copy = copied(word);
          known.set(copy, (term = this.numberOf(copy, language)));
        }
        if (term === STOPPED) {
          if (!isTitle || joined) return;
          const id = this.idOf(functionTerm(copied(asWritten(text, lower, start, end))));
          this.functionTerms.add(id);
          this.count(id, begin, weight);
          return;
        }
        // A joined form is added to its parts and does not make the unit longer.
        if (!joined) length += weight;
        this.count(term, begin, weight);
      });
    }
    if (this.units + 1 >= this.starts.length) {
      this.starts = grown(this.starts, Uint32Array);
      this.lengths = grown(this.lengths, Float32Array);
    }
    this.lengths[this.units] = length;
    this.starts[++this.units] = this.used;
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
      functionTerms: this.functionTerms,
      lengths: this.lengths.slice(0, this.units),
      offsets,
      postingUnits,
      postingCounts,
      starts,
      unitTerms,
      unitCounts,
    };
  }

  private numberOf(word: string, language: Language | undefined): number {
    const term = indexedTerm(word, language);
    return term === undefined ? STOPPED : this.idOf(term);
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
  readonly ids: ReadonlyMap<string, number>;
  /** Those of the function words of titles. They say nothing about the matter of a unit. */
  readonly functionTerms: ReadonlySet<number>;
  readonly lengths: Float32Array;
  /** Term `t` is in the units `postingUnits[offsets[t] .. offsets[t + 1])`, ascending. */
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
