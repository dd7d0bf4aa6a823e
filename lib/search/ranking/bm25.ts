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

/** Postings of a query above which those that cannot matter are skipped; reading so few is faster than finding out. */
const PRUNED_FROM = 1 << 13;
/** A sum of single-precision numbers and the bound of the same sum may differ by this share. */
const ROUNDING = 1e-4;
/** Steps in which the score that a unit must reach is looked for. */
const STEPS = 1024;
/** Scoring a unit anew reads all its terms, about twice as fast as so many postings. */
const TERMS_A_POSTING = 2;
/** Units that are scored anew for each one wanted; of more, with equal scores, it is better to read all postings in order. */
const MOST_RESCORED = 8;

/** Units that are looked at between two pauses. */
const UNITS_AT_ONCE = 256;

/** A term of a query, with the highest score that it can give a unit. */
interface TermPostings {
  term: number;
  from: number;
  to: number;
  gain: number;
  bound: number;
}

/** BM25 (Robertson and Zaragoza 2009) over an {@link InvertedIndex}. */
export class Bm25 {
  private readonly norms: Float32Array;
  private readonly idfs: Float32Array;
  /** For each term the highest `n / (n + norm)` of its postings. */
  private readonly saturations: Float32Array;
  private readonly sums: Float32Array;
  private readonly touched: Uint32Array;
  private readonly histogram = new Uint32Array(STEPS + 1);
  /** For each term its place in the query + 1. */
  private readonly places: Uint16Array;

  private constructor(readonly index: InvertedIndex) {
    let total = 0;
    for (const length of index.lengths) total += length;
    const average = total / Math.max(1, index.units) || 1;
    this.norms = index.lengths.map((length) => K1 * (1 - B + (B * length) / average));
    this.idfs = new Float32Array(index.ids.size);
    for (let t = 0; t < this.idfs.length; t++) {
      const n = index.offsets[t + 1]! - index.offsets[t]!;
      this.idfs[t] = Math.log(1 + (index.units - n + 0.5) / (n + 0.5)) ** IDF_POWER;
    }
    this.saturations = new Float32Array(index.ids.size);
    this.places = new Uint16Array(index.ids.size);
    this.sums = new Float32Array(index.units);
    this.touched = new Uint32Array(index.units);
  }

  /** @param pause gives way to other work when its slice is used up */
  static async build(index: InvertedIndex, pause: () => Promise<void> | undefined): Promise<Bm25> {
    const bm25 = new Bm25(index);
    await pause();
    for (let from = 0; from < index.units; from += UNITS_AT_ONCE) {
      bm25.learnSaturations(from, Math.min(index.units, from + UNITS_AT_ONCE));
      const pending = pause();
      if (pending) await pending;
    }
    return bm25;
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

  /**
   * The best `count` units, best first; equal scores in order of the units. Exact: what is skipped cannot be among them.
   *
   * @param prunedFrom postings of the query above which some may be skipped
   */
  top(query: WeightedTerms, count: number, prunedFrom = PRUNED_FROM): Scored[] {
    const lists: TermPostings[] = [];
    let postings = 0;
    for (const [term, weight] of query) {
      const gain = this.idfs[term]! * (K1 + 1) * weight;
      if (gain <= 0) continue;
      const from = this.index.offsets[term]!;
      const to = this.index.offsets[term + 1]!;
      lists.push({ term, from, to, gain, bound: gain * this.saturations[term]! });
      postings += to - from;
    }
    return postings > prunedFrom ? this.pruned(lists, postings, count) : this.all(lists, count);
  }

  private all(lists: readonly TermPostings[], count: number): Scored[] {
    let found = 0;
    for (const list of lists) found = this.add(list, found);
    const best = new TopList(count);
    for (let i = 0; i < found; i++) {
      const unit = this.touched[i]!;
      best.offer(unit, this.sums[unit]!);
      this.sums[unit] = 0;
    }
    return best.sorted();
  }

  /**
   * MaxScore (Turtle and Flood 1995), term by term: terms that can give most come first, and once all others together cannot lift a
   * unit among the best, only units that may still be among them are scored, in full and in the order of the query.
   */
  private pruned(lists: readonly TermPostings[], postings: number, count: number): Scored[] {
    const { sums, touched } = this;
    const order = [...lists].sort((a, b) => b.bound - a.bound);
    const highest = order.reduce((sum, { bound }) => sum + bound, 0) * (1 + ROUNDING);
    const termsAUnit = this.index.forwardTerms.length / this.index.units;
    let rest = highest;
    let unread = postings;
    let readSinceLook = 0;
    let found = 0;
    for (const list of order) {
      // A look costs as much as reading so many postings.
      if (found >= count && readSinceLook >= found && unread > found) {
        readSinceLook = 0;
        const { needed, units } = this.look(found, count, rest, highest);
        if (needed > 0 && units * termsAUnit < unread * TERMS_A_POSTING) break;
      }
      found = this.add(list, found);
      rest -= list.bound;
      unread -= list.to - list.from;
      readSinceLook += list.to - list.from;
    }
    const { needed, units } = this.look(found, count, rest, highest);
    if (units > MOST_RESCORED * count) {
      for (let i = 0; i < found; i++) sums[touched[i]!] = 0;
      return this.all(lists, count);
    }
    lists.forEach(({ term }, place) => (this.places[term] = place + 1));
    const counts = new Uint8Array(lists.length);
    const best = new TopList(count);
    for (let i = 0; i < found; i++) {
      const unit = touched[i]!;
      if (sums[unit]! >= needed) best.offer(unit, this.score(unit, lists, counts));
      sums[unit] = 0;
    }
    for (const { term } of lists) this.places[term] = 0;
    return best.sorted();
  }

  /** Adds what a term gives to the sums of its units; returns how many units have a sum. */
  private add({ from, to, gain }: TermPostings, found: number): number {
    const { sums, touched, norms } = this;
    const { postingUnits, postingCounts } = this.index;
    for (let i = from; i < to; i++) {
      const unit = postingUnits[i]!;
      const n = postingCounts[i]!;
      const sum = sums[unit]!;
      if (sum === 0) touched[found++] = unit;
      sums[unit] = sum + (gain * n) / (n + norms[unit]!);
    }
    return found;
  }

  /**
   * @param rest the most that terms not yet read can add to a sum
   * @param highest sum that there may be
   * @returns the sum that a unit must have to be among the best `count`, or somewhat less, and about how many have it
   */
  private look(
    found: number,
    count: number,
    rest: number,
    highest: number,
  ): { needed: number; units: number } {
    const { sums, touched, histogram } = this;
    const scale = STEPS / highest;
    histogram.fill(0);
    for (let i = 0; i < found; i++) histogram[Math.floor(sums[touched[i]!]! * scale)]!++;
    let step = STEPS;
    let units = histogram[step]!;
    while (step > 0 && units < count) units += histogram[--step]!;
    const needed = (step / scale) * (1 - ROUNDING) - rest * (1 + ROUNDING);
    for (const lowest = Math.floor(needed * scale); step > Math.max(0, lowest);) units += histogram[--step]!;
    return { needed, units };
  }

  /** Score of a unit, added up in the order of the query as {@link all} does it. */
  private score(unit: number, lists: readonly TermPostings[], counts: Uint8Array): number {
    const { starts, forwardTerms, forwardCounts } = this.index;
    const { places } = this;
    counts.fill(0);
    for (let i = starts[unit]!; i < starts[unit + 1]!; i++) {
      const place = places[forwardTerms[i]!]!;
      if (place > 0) counts[place - 1] = forwardCounts[i]!;
    }
    const norm = this.norms[unit]!;
    let sum = 0;
    for (let place = 0; place < counts.length; place++) {
      const n = counts[place]!;
      if (n > 0) sum = Math.fround(sum + (lists[place]!.gain * n) / (n + norm));
    }
    return sum;
  }

  private learnSaturations(fromUnit: number, toUnit: number): void {
    const { starts, forwardTerms, forwardCounts } = this.index;
    const { saturations, norms } = this;
    for (let unit = fromUnit; unit < toUnit; unit++) {
      const norm = norms[unit]!;
      for (let i = starts[unit]!; i < starts[unit + 1]!; i++) {
        const n = forwardCounts[i]!;
        const saturation = n / (n + norm);
        if (saturation > saturations[forwardTerms[i]!]!) saturations[forwardTerms[i]!] = saturation;
      }
    }
  }
}

/** Keeps the highest `size` of what it is offered: a binary heap with the lowest on top. */
export class TopList {
  private readonly heap: Scored[] = [];
  constructor(private readonly size: number) {}

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
  }

  sorted(): Scored[] {
    return [...this.heap].sort((a, b) => b.score - a.score || a.unit - b.unit);
  }
}

function below(a: Scored, b: Scored): boolean {
  return a.score < b.score || (a.score === b.score && a.unit > b.unit);
}
