import type { InvertedIndex } from './inverted-index.js';

/** A word of a query: the identifiers of the terms by which a unit may have it, and how much each counts (0..1). */
export type QueryWord = ReadonlyMap<number, number>;

export interface Scored {
  unit: number;
  score: number;
}

/**
 * Middle of a plateau: 1.2 to 2 and .4 to .6 differ by one question in a hundred over everyday questions, notes and abstracts
 * (`npm run bench -- search`).
 */
const K1 = 1.2;
const B = 0.5;

/** How often terms occur in a collection of which an index holds only a part. */
export interface CollectionStatistics {
  size: number;
  /** Documents that have a term. Default for a term: those of the index. */
  frequencies: ReadonlyMap<string, number>;
}

/** BM25 (Robertson and Zaragoza 2009) over an {@link InvertedIndex}; of the forms of a word the one that scores most counts. */
export class Bm25 {
  /** For each unit its sum while a query is worked on, 0 otherwise. */
  private readonly sums: Float32Array;
  /** The same for the word that is being added. */
  private readonly best: Float32Array;
  /** What a unit's length makes of the counts in it: `k1 (1 - b + b length / average)`. */
  private readonly norms: Float32Array;
  private readonly idfs: Float32Array;
  private readonly touched: Uint32Array;

  /** @param collection that the units were chosen from. Default: the index is all there is */
  constructor(
    readonly index: InvertedIndex,
    private readonly collection?: CollectionStatistics,
  ) {
    let total = 0;
    for (const length of index.lengths) total += length;
    const average = total / Math.max(1, index.units) || 1;
    this.norms = index.lengths.map((length) => K1 * (1 - B + (B * length) / average));
    this.sums = new Float32Array(index.units);
    this.best = new Float32Array(index.units);
    this.idfs = new Float32Array(index.ids.size);
    for (let t = 0; t < this.idfs.length; t++)
      this.idfs[t] = this.idfOf(index.offsets[t + 1]! - index.offsets[t]!);
    for (const [term, frequency] of collection?.frequencies ?? []) {
      const id = index.ids.get(term);
      if (id !== undefined) this.idfs[id] = this.idfOf(frequency);
    }
    this.touched = new Uint32Array(index.units);
  }

  get collectionSize(): number {
    return this.collection?.size ?? this.index.units;
  }

  /** Inverse document frequency of a term, > 0; of one that no unit has, the highest. */
  idf(term: number | undefined): number {
    return term === undefined ? this.idfOf(0) : this.idfs[term]!;
  }

  /** What a word of this IDF adds at most to a score. */
  most(idf: number): number {
    return idf * (K1 + 1);
  }

  gain(unit: number, term: number, count: number): number {
    return (this.idfs[term]! * count * (K1 + 1)) / (count + this.norms[unit]!);
  }

  /**
   * The best `count` units, best first; equal scores in order of the units.
   *
   * @param accepts units that may be found; asked only about units that would get into the list. Default: all
   */
  top(query: readonly QueryWord[], count: number, accepts?: (unit: number) => boolean): Scored[] {
    const { sums, touched } = this;
    let found = 0;
    for (const word of query) found = this.add(word, found);
    const list = new TopList(count);
    for (let i = 0; i < found; i++) {
      const unit = touched[i]!;
      // Of tens of thousands of units hardly any gets in: looked at here, a call each is spared.
      const score = sums[unit]!;
      if (score >= list.lowest && (!accepts || accepts(unit))) list.offer(unit, score);
      sums[unit] = 0;
    }
    return list.best;
  }

  private idfOf(frequency: number): number {
    const size = Math.max(this.collectionSize, frequency);
    return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
  }

  /** Adds to the sums of the units what the best form of a word gives; returns how many units have a sum. */
  private add(forms: QueryWord, found: number): number {
    const { sums, best, norms, touched } = this;
    const { offsets, postingUnits, postingCounts } = this.index;
    for (const [term, share] of forms) {
      const gain = this.most(this.idfs[term]!) * share;
      for (let i = offsets[term]!; i < offsets[term + 1]!; i++) {
        const unit = postingUnits[i]!;
        const n = postingCounts[i]!;
        const more = (gain * n) / (n + norms[unit]!) - best[unit]!;
        if (more <= 0) continue;
        if (sums[unit] === 0) touched[found++] = unit;
        sums[unit]! += more;
        best[unit]! += more;
      }
    }
    for (const term of forms.keys())
      for (let i = offsets[term]!; i < offsets[term + 1]!; i++) best[postingUnits[i]!] = 0;
    return found;
  }
}

/** Keeps the `size` highest of what it is offered; of equal scores the lower unit comes first. For lists of about 100. */
export class TopList {
  readonly best: Scored[] = [];
  /** What is below this is not taken. */
  lowest: number;

  constructor(private readonly size: number) {
    this.lowest = size > 0 ? -Infinity : Infinity;
  }

  offer(unit: number, score: number): void {
    if (score < this.lowest) return;
    const { best, size } = this;
    let place = best.length;
    while (place > 0 && isBefore(score, unit, best[place - 1]!)) place--;
    best.splice(place, 0, { unit, score });
    if (best.length > size) best.pop();
    if (best.length === size) this.lowest = best[size - 1]!.score;
  }
}

function isBefore(score: number, unit: number, other: Scored): boolean {
  return score > other.score || (score === other.score && unit < other.unit);
}
