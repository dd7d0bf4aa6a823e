import type { Bm25, Scored, WeightedTerms } from './bm25.js';
import { truncatedSvd, type SparseRows } from './truncated-svd.js';

/** Units that the space is computed from; of a larger collection an even sample. */
const SAMPLE = 4000;
/** Terms in fewer sampled units than this cannot relate units to each other. */
const MIN_FREQUENCY = 2;

/**
 * Latent semantic analysis (Deerwester et al. 1990) of the collection itself: units that use related words lie close
 * together although they share none. Every unit is folded in; vectors have length 1 (or 0 for a unit without known terms).
 */
export class LatentSpace {
  private constructor(
    private readonly bm25: Bm25,
    readonly dimensions: number,
    /** Row of a term in `basis`, or -1. */
    private readonly rows: Int32Array,
    private readonly basis: Float32Array,
    private readonly vectors: Float32Array,
  ) {}

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
    const matrix: SparseRows = { columns, starts: [0], indices: [], values: [] };
    for (const unit of sample) {
      const from = matrix.values.length;
      let norm = 0;
      for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++) {
        const term = index.forwardTerms[i]!;
        if (rows[term]! < 0) continue;
        const value = weightOf(bm25, term, index.forwardCounts[i]!);
        matrix.indices.push(rows[term]!);
        matrix.values.push(value);
        norm += value * value;
      }
      norm = Math.sqrt(norm) || 1;
      for (let i = from; i < matrix.values.length; i++) matrix.values[i]! /= norm;
      matrix.starts.push(matrix.values.length);
      await pause();
    }
    const { rank, right } = await truncatedSvd(matrix, dimensions, pause);
    const space = new LatentSpace(bm25, rank, rows, right, new Float32Array(index.units * rank));
    for (let unit = 0; unit < index.units; unit++) {
      space.foldIn(unit);
      if ((unit & 15) === 0) await pause();
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

  /** The candidates by their cosine with `vector`, best first. */
  rank(vector: Float32Array, candidates: readonly number[]): Scored[] {
    return candidates
      .map((unit) => ({ unit, score: this.cosine(vector, unit) }))
      .sort((a, b) => b.score - a.score || a.unit - b.unit);
  }

  private foldIn(unit: number): void {
    const { index } = this.bm25;
    const out = this.vector(unit);
    for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++) {
      const term = index.forwardTerms[i]!;
      this.addTerm(out, term, weightOf(this.bm25, term, index.forwardCounts[i]!));
    }
    normalize(out);
  }

  private addTerm(out: Float32Array, term: number, weight: number): void {
    const row = this.rows[term] ?? -1;
    if (row < 0) return;
    const k = this.dimensions;
    for (let i = 0, at = row * k; i < k; i++, at++) out[i]! += weight * this.basis[at]!;
  }
}

function weightOf(bm25: Bm25, term: number, count: number): number {
  return (1 + Math.log(count)) * bm25.idf(term);
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
