import { TopList, type Bm25, type Scored } from './bm25.js';

/**
 * From a plateau over the shown half of the Cranfield queries, under which everyday questions and notes keep their places
 * (`npm run bench -- search`).
 */
const LONG = 7; // words
const LARGE_COLLECTION = 500; // units
const NEIGHBOURS = 5;
const SMOOTHING = 0.5;

/** How much a word of a long query counts that the larger stop list has (`given`, `using`, `various`); set by hand. */
export const COMMON_WORD = 0.4;

/**
 * Whether a query describes a matter in many words, over a collection that has several documents on each matter. In a small one, and where
 * one rare word decides, the neighbours of the best document only blur the order.
 */
export function isLongQuery(words: number, units: number): boolean {
  return words >= LONG && units >= LARGE_COLLECTION;
}

/**
 * The units that a long query has found, in the order of their scores mixed with those of their nearest neighbours (score regularization,
 * Diaz 2005). They keep their own scores.
 */
export function smoothed(bm25: Bm25, ranked: readonly Scored[]): Scored[] {
  const vectors = ranked.map(({ unit }) => vectorOf(bm25, unit));
  const dense = new Float32Array(bm25.index.ids.size);
  const mixed = ranked.map(({ score }, i) => {
    const { terms, gains } = vectors[i]!;
    terms.forEach((term, k) => (dense[term] = gains[k]!));
    const near = new TopList(NEIGHBOURS);
    vectors.forEach((other, j) => {
      if (j !== i) near.offer(j, product(dense, other));
    });
    for (const term of terms) dense[term] = 0;
    const weight = near.best.reduce((sum, { score: share }) => sum + share, 0);
    const sum = near.best.reduce(
      (all, { unit: other, score: share }) => all + share * ranked[other]!.score,
      0,
    );
    return weight > 0 ? (1 - SMOOTHING) * score + (SMOOTHING * sum) / weight : score;
  });
  const order = [...ranked.keys()].sort((a, b) => mixed[b]! - mixed[a]! || ranked[a]!.unit - ranked[b]!.unit);
  return order.map((i) => ranked[i]!);
}

/** Score that each term of a unit adds if the query has it, as a vector of length 1. */
interface Vector {
  terms: Uint32Array;
  gains: Float32Array;
}

function vectorOf(bm25: Bm25, unit: number): Vector {
  const { starts, unitTerms, unitCounts, functionTerms } = bm25.index;
  const from = starts[unit]!;
  const terms = unitTerms.subarray(from, starts[unit + 1]);
  const gains = Float32Array.from(terms, (term, i) =>
    functionTerms.has(term) ? 0 : bm25.gain(unit, term, unitCounts[from + i]!),
  );
  const length = Math.sqrt(gains.reduce((sum, gain) => sum + gain * gain, 0)) || 1;
  return { terms, gains: gains.map((gain) => gain / length) };
}

function product(dense: Float32Array, { terms, gains }: Vector): number {
  let sum = 0;
  for (let k = 0; k < terms.length; k++) sum += dense[terms[k]!]! * gains[k]!;
  return sum;
}
