import type { Bm25, Scored, WeightedTerms } from './bm25.js';
import { truncatedSvd, type SparseRows } from './truncated-svd.js';

/** Units that the space is computed from; of a larger collection an even sample. */
const SAMPLE = 4000;
/** Terms in fewer sampled units than this cannot relate units to each other. */
const MIN_FREQUENCY = 2;
/** Terms of a unit whose weighted rows are collected before they are added; a multiple of four. */
const FOLDED_AT_ONCE = 256;
/** Units that are folded in between two pauses. */
const UNITS_AT_ONCE = 16;

/**
 * Latent semantic analysis (Deerwester et al. 1990) of the collection itself: units that use related words lie close
 * together although they share none. Every unit is folded in; vectors have length 1 (or 0 for a unit without known terms).
 */
export class LatentSpace {
  /** Weighted rows of the basis that are to be added, as places in it, and what was added. */
  private readonly scratch: { rows: Uint32Array; weights: Float64Array; sums: Float64Array };

  private constructor(
    private readonly bm25: Bm25,
    readonly dimensions: number,
    /** Row of a term in `basis`, or -1. */
    private readonly rows: Int32Array,
    private readonly basis: Float32Array,
    private readonly vectors: Float32Array,
  ) {
    this.scratch = {
      rows: new Uint32Array(FOLDED_AT_ONCE),
      weights: new Float64Array(FOLDED_AT_ONCE),
      sums: new Float64Array(dimensions),
    };
  }

  static async build(
    bm25: Bm25,
    dimensions: number,
    pause: () => Promise<void> | undefined,
  ): Promise<LatentSpace> {
    const { index } = bm25;
    const step = Math.max(1, index.units / SAMPLE);
    const sample: number[] = [];
    for (let i = 0; i < index.units; i += step) sample.push(Math.floor(i));
    const frequency = new Uint16Array(index.ids.size);
    for (const unit of sample) {
      for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++)
        frequency[index.forwardTerms[i]!]!++;
      await pause();
    }
    const rows = new Int32Array(index.ids.size).fill(-1);
    let columns = 0;
    for (let t = 0; t < rows.length; t++) {
      if (frequency[t]! >= MIN_FREQUENCY && frequency[t]! < sample.length / 2) rows[t] = columns++;
    }
    await pause();
    const { rank, right } = await truncatedSvd(
      await weighted(bm25, sample, rows, columns, pause),
      dimensions,
      pause,
    );
    await pause();
    const space = new LatentSpace(bm25, rank, rows, right, new Float32Array(index.units * rank));
    for (let unit = 0; unit < index.units; unit += UNITS_AT_ONCE) {
      space.foldIn(unit, Math.min(index.units, unit + UNITS_AT_ONCE));
      const pending = pause();
      if (pending) await pending;
    }
    return space;
  }

  vector(unit: number): Float32Array {
    return this.vectors.subarray(unit * this.dimensions, (unit + 1) * this.dimensions);
  }

  /** A query in the space, of length 1 or 0. */
  fold(query: WeightedTerms): Float32Array {
    const out = new Float32Array(this.dimensions);
    for (const [term, weight] of query) this.addTerm(out, term, weight * this.bm25.idf(term));
    return normalize(out);
  }

  /** Cosine between a vector and a unit, -1..1. */
  cosine(vector: Float32Array, unit: number): number {
    const k = this.dimensions;
    let sum = 0;
    for (let i = 0, at = unit * k; i < k; i++, at++) sum += vector[i]! * this.vectors[at]!;
    return sum;
  }

  /**
   * Cosines of units with each other, none below 0.
   *
   * @returns a symmetric matrix by rows, 0 on its diagonal
   */
  nearness(units: readonly number[]): Float32Array {
    const n = units.length;
    const k = this.dimensions;
    // Side by side, and in threes more than there are, so that four at a time can be compared with one.
    // In double precision: converted once and not with every product.
    const vectors = new Float64Array((n + 3) * k);
    units.forEach((unit, i) => vectors.set(this.vector(unit), i * k));
    const out = new Float32Array(n * n);
    const four = new Float64Array(4);
    for (let i = 1; i < n; i++) {
      for (let j = 0; j < i; j += 4) {
        fourProducts(vectors, i * k, j * k, k, four);
        for (let l = 0; l < 4 && j + l < i; l++)
          out[i * n + j + l] = out[(j + l) * n + i] = Math.max(0, four[l]!);
      }
    }
    return out;
  }

  /** The candidates by their cosine with `vector`, best first. */
  rank(vector: Float32Array, candidates: readonly number[]): Scored[] {
    return candidates
      .map((unit) => ({ unit, score: this.cosine(vector, unit) }))
      .sort((a, b) => b.score - a.score || a.unit - b.unit);
  }

  private foldIn(fromUnit: number, toUnit: number): void {
    const { starts, forwardTerms, forwardCounts } = this.bm25.index;
    const { rows, scratch, vectors, dimensions } = this;
    const { sums } = scratch;
    for (let unit = fromUnit; unit < toUnit; unit++) {
      let used = 0;
      for (let i = starts[unit]!; i < starts[unit + 1]!; i++) {
        const term = forwardTerms[i]!;
        const row = rows[term]!;
        if (row < 0) continue;
        if (used === FOLDED_AT_ONCE) used = this.addRows(used);
        scratch.rows[used] = row * dimensions;
        scratch.weights[used++] = weightOf(this.bm25, term, forwardCounts[i]!);
      }
      this.addRows(used);
      let norm = 0;
      for (let i = 0; i < dimensions; i++) norm += sums[i]! * sums[i]!;
      const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
      const at = unit * dimensions;
      for (let i = 0; i < dimensions; i++) vectors[at + i] = sums[i]! * scale;
      sums.fill(0);
    }
  }

  /**
   * Adds the weighted rows in `scratch` to its sums. Four at a time: a sum is loaded and stored once for all four.
   *
   * @returns how many are left in `scratch`: none
   */
  private addRows(used: number): 0 {
    const { basis } = this;
    const { rows, weights, sums } = this.scratch;
    // Some row with a weight of nothing makes up the last four.
    for (; used % 4 !== 0; used++) {
      rows[used] = 0;
      weights[used] = 0;
    }
    for (let e = 0; e < used; e += 4) {
      const a = rows[e]!;
      const b = rows[e + 1]!;
      const c = rows[e + 2]!;
      const d = rows[e + 3]!;
      const s = weights[e]!;
      const t = weights[e + 1]!;
      const u = weights[e + 2]!;
      const v = weights[e + 3]!;
      for (let i = 0; i < sums.length; i++)
        sums[i] = sums[i]! + s * basis[a + i]! + t * basis[b + i]! + u * basis[c + i]! + v * basis[d + i]!;
    }
    return 0;
  }

  private addTerm(out: Float32Array, term: number, weight: number): void {
    const row = this.rows[term] ?? -1;
    if (row < 0) return;
    const k = this.dimensions;
    for (let i = 0, at = row * k; i < k; i++, at++) out[i]! += weight * this.basis[at]!;
  }
}

/** Products of the vector at `one` with those at `other` and the three behind it: four sums that need not wait for each other. */
function fourProducts(x: Float64Array, one: number, other: number, length: number, out: Float64Array): void {
  const b = other + length;
  const c = b + length;
  const d = c + length;
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  for (let i = 0; i < length; i++) {
    const value = x[one + i]!;
    s += value * x[other + i]!;
    t += value * x[b + i]!;
    u += value * x[c + i]!;
    v += value * x[d + i]!;
  }
  out[0] = s;
  out[1] = t;
  out[2] = u;
  out[3] = v;
}

/** Some units by the weights of their terms, each of length 1. */
async function weighted(
  bm25: Bm25,
  units: readonly number[],
  rows: Int32Array,
  columns: number,
  pause: () => Promise<void> | undefined,
): Promise<SparseRows> {
  const { index } = bm25;
  let most = 0;
  for (const unit of units) most += index.starts[unit + 1]! - index.starts[unit]!;
  const starts = new Uint32Array(units.length + 1);
  const indices = new Uint32Array(most);
  const values = new Float64Array(most);
  let used = 0;
  for (const [row, unit] of units.entries()) {
    const from = used;
    let norm = 0;
    for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++) {
      const term = index.forwardTerms[i]!;
      if (rows[term]! < 0) continue;
      const value = weightOf(bm25, term, index.forwardCounts[i]!);
      indices[used] = rows[term]!;
      values[used++] = value;
      norm += value * value;
    }
    norm = Math.sqrt(norm) || 1;
    for (let i = from; i < used; i++) values[i]! /= norm;
    starts[row + 1] = used;
    const pending = pause();
    if (pending) await pending;
  }
  return { columns, starts, indices: indices.subarray(0, used), values: values.subarray(0, used) };
}

/** `1 + ln n` for the counts of a posting. */
const DAMPED = Float64Array.from({ length: 256 }, (_, n) => 1 + Math.log(n));

function weightOf(bm25: Bm25, term: number, count: number): number {
  return DAMPED[count]! * bm25.idf(term);
}

/** Scales to length 1 in place; a vector of zeros stays one. */
export function normalize(vector: Float32Array): Float32Array {
  let norm = 0;
  for (const x of vector) norm += x * x;
  if (norm > 0) {
    norm = 1 / Math.sqrt(norm);
    for (let i = 0; i < vector.length; i++) vector[i]! *= norm;
  }
  return vector;
}
