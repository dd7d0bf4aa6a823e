import type { InvertedIndex } from './inverted-index.js';

/** A word of a query: the identifiers of the terms by which a unit may have it, and how much each counts (0..1). */
export interface WeightedTerm {
  forms: ReadonlyMap<number, number>;
  /** Weight of the word relative to the others; usually 1. */
  weight: number;
}

/** A unit and what it scored. */
export interface Scored {
  unit: number;
  score: number;
}

/**
 * Middle of a plateau: 1.2 to 2 and .4 to .6 differ by one question in a hundred over everyday questions, notes and abstracts
 * (`npm run bench:search`).
 */
const K1 = 1.2;
const B = 0.5;

/** How often terms occur in a collection of which an index holds only a part. */
export interface CollectionStatistics {
  /** Number of documents. */
  size: number;
  /** Documents that have a term. Default for a term: those of the index. */
  frequencies: ReadonlyMap<string, number>;
}

/** BM25 (Robertson and Zaragoza 2009) over an {@link InvertedIndex}; of the forms of a word the one that scores most counts. */
export class Bm25 {
  /** For each unit its sum while a query is worked on, 0 otherwise. */
  private readonly sums: Float32Array;
  /** The same for the word that is being added, where it has several forms. */
  private best: Float32Array | undefined;
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
    this.idfs = new Float32Array(index.ids.size);
    for (let t = 0; t < this.idfs.length; t++)
      this.idfs[t] = this.idfOf(index.offsets[t + 1]! - index.offsets[t]!);
    for (const [term, frequency] of collection?.frequencies ?? []) {
      const id = index.ids.get(term);
      if (id !== undefined) this.idfs[id] = this.idfOf(frequency);
    }
    this.touched = new Uint32Array(index.units);
  }

  /** Inverse document frequency of a term, > 0; of one that no unit has, the highest. */
  idf(term: number | undefined): number {
    return term === undefined ? this.idfOf(0) : this.idfs[term]!;
  }

  /** What a word of this IDF adds at most to a score. */
  most(idf: number): number {
    return idf * (K1 + 1);
  }

  /** What a term adds to a unit's score that holds it `count` times. */
  gain(unit: number, term: number, count: number): number {
    return (this.idfs[term]! * count * (K1 + 1)) / (count + this.norms[unit]!);
  }

  /**
   * The best `count` units, best first; equal scores in order of the units.
   *
   * @param accepts units that may be found; asked only about units that would get into the list. Default: all
   */
  top(query: readonly WeightedTerm[], count: number, accepts?: (unit: number) => boolean): Scored[] {
    const { sums, touched } = this;
    let found = 0;
    for (const { forms, weight } of query) {
      if (forms.size === 1) {
        for (const [term, share] of forms)
          found = this.add(term, this.most(this.idfs[term]!) * share * weight, found);
      } else found = this.addBest(forms, weight, found);
    }
    const best = new TopList(count);
    for (let i = 0; i < found; i++) {
      const unit = touched[i]!;
      // Of tens of thousands of units hardly any gets in: looked at here, a call each is spared.
      const score = sums[unit]!;
      if (score >= best.lowest && (!accepts || accepts(unit))) best.offer(unit, score);
      sums[unit] = 0;
    }
    return best.sorted();
  }

  /** @param frequency units, or documents of the collection, that have the term */
  private idfOf(frequency: number): number {
    const size = Math.max(this.collection?.size ?? this.index.units, frequency);
    return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
  }

  /** Adds what a term gives to the sums of its units; returns how many units have a sum. */
  private add(term: number, gain: number, found: number): number {
    const { sums, norms, touched } = this;
    const { offsets, postingUnits, postingCounts } = this.index;
    const end = offsets[term + 1]!;
    for (let i = offsets[term]!; i < end; i++) {
      const unit = postingUnits[i]!;
      const sum = sums[unit]!;
      if (sum === 0) touched[found++] = unit;
      const n = postingCounts[i]!;
      sums[unit] = sum + (gain * n) / (n + norms[unit]!);
    }
    return found;
  }

  /** {@link add} for a word with several forms; a unit gets the score of its best form. */
  private addBest(forms: ReadonlyMap<number, number>, weight: number, found: number): number {
    const { sums, norms, touched } = this;
    const { offsets, postingUnits, postingCounts } = this.index;
    const best = (this.best ??= new Float32Array(this.index.units));
    for (const [term, share] of forms) {
      const gain = this.most(this.idfs[term]!) * share * weight;
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

/** Keeps the highest `size` of what it is offered: a binary heap with the lowest on top. */
export class TopList {
  private readonly heap: Scored[] = [];
  /** What is below this is not taken. */
  lowest: number;

  constructor(private readonly size: number) {
    this.lowest = size > 0 ? -Infinity : Infinity;
  }

  offer(unit: number, score: number): void {
    const heap = this.heap;
    if (heap.length < this.size) {
      heap.push({ unit, score });
      for (let i = heap.length - 1; i > 0;) {
        const parent = (i - 1) >> 1;
        if (!below(heap[i]!, heap[parent]!)) break;
        [heap[i], heap[parent]] = [heap[parent]!, heap[i]!];
        i = parent;
      }
      if (heap.length === this.size) this.lowest = heap[0]!.score;
      return;
    }
    const lowest = heap[0];
    if (!lowest || score < lowest.score || (score === lowest.score && unit > lowest.unit)) return;
    lowest.unit = unit;
    lowest.score = score;
    for (let i = 0; ;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && below(heap[child + 1]!, heap[child]!)) child++;
      if (!below(heap[child]!, heap[i]!)) break;
      [heap[i], heap[child]] = [heap[child]!, heap[i]!];
      i = child;
    }
    this.lowest = heap[0]!.score;
  }

  sorted(): Scored[] {
    return [...this.heap].sort((a, b) => b.score - a.score || a.unit - b.unit);
  }
}

function below(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.unit > b.unit);
}
