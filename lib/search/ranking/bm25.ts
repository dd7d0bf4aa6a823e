import type { InvertedIndex } from './inverted-index.js';

/** Term identifier and its weight in a query. */
export type WeightedTerms = ReadonlyMap<number, number>;

/** A unit and what it scored. */
export interface Scored {
  unit: number;
  score: number;
}

const K1 = 1.4;
const B = 0.75;
/** A flattened IDF ranks slightly better than the textbook's where queries are sentences. */
const IDF_POWER = 0.7;

/** BM25 (Robertson and Zaragoza 2009) over an {@link InvertedIndex}. */
export class Bm25 {
  /** For each unit its sum while a query is worked on, 0 otherwise. */
  private readonly sums: Float32Array;
  /** What a unit's length makes of the counts in it: `k1 (1 - b + b length / average)`. */
  private readonly norms: Float32Array;
  private readonly idfs: Float32Array;
  private readonly touched: Uint32Array;

  constructor(readonly index: InvertedIndex) {
    let total = 0;
    for (const length of index.lengths) total += length;
    const average = total / Math.max(1, index.units) || 1;
    this.norms = index.lengths.map((length) => K1 * (1 - B + (B * length) / average));
    this.sums = new Float32Array(index.units);
    this.idfs = new Float32Array(index.ids.size);
    for (let t = 0; t < this.idfs.length; t++) {
      const n = index.offsets[t + 1]! - index.offsets[t]!;
      this.idfs[t] = Math.log(1 + (index.units - n + 0.5) / (n + 0.5)) ** IDF_POWER;
    }
    this.touched = new Uint32Array(index.units);
  }

  idf(term: number): number {
    return this.idfs[term] ?? 0;
  }

  /** Number of units that hold the term. */
  frequency(term: number): number {
    return this.index.offsets[term + 1]! - this.index.offsets[term]!;
  }

  /** Saturated weight of a term in a unit, IDF included. */
  impact(unit: number, term: number, count: number): number {
    return (this.idfs[term]! * count * (K1 + 1)) / (count + this.norms[unit]!);
  }

  /** The best `count` units, best first; equal scores in order of the units. */
  top(query: WeightedTerms, count: number): Scored[] {
    const { sums, touched } = this;
    let found = 0;
    for (const [term, weight] of query) {
      const gain = this.idfs[term]! * (K1 + 1) * weight;
      if (gain > 0) found = this.add(term, gain, found);
    }
    const best = new TopList(count);
    for (let i = 0; i < found; i++) {
      const unit = touched[i]!;
      // Of tens of thousands of units hardly any gets in: looked at here, a call each is spared.
      const score = sums[unit]!;
      if (score >= best.lowest) best.offer(unit, score);
      sums[unit] = 0;
    }
    return best.sorted();
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
