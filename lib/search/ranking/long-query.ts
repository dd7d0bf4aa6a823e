import { TopList, type Bm25, type Scored, type WeightedTerm } from './bm25.js';

/**
 * From a plateau over the shown half of the Cranfield queries, under which everyday questions and notes keep their places
 * (`npm run bench:search`).
 */
const LONG = 7;
const LARGE_COLLECTION = 500;
const SMOOTHED = 100;
const FEEDBACK_UNITS = 10;
const FEEDBACK_TERMS = 100;
const FEEDBACK_WEIGHT = 0.7;
const NEIGHBOURS = 5;
const SMOOTHING = 0.5;

/** How much a word of a long query counts that the larger stop list has (`given`, `using`, `various`). */
export const COMMON_WORD = 0.4;

/**
 * Whether a query describes a matter in many words, over a collection that has several documents on each matter. In a small one, and where
 * one rare word decides, the neighbours of the best document only blur the order.
 *
 * @param words that occur in the collection, function words not counted
 */
export function isLongQuery(words: number, units: number): boolean {
  return words >= LONG && units >= LARGE_COLLECTION;
}

/**
 * Ranks units for a long query: by the query and the strongest terms that the best units have in common (Rocchio 1971), then each unit's score
 * is mixed with those of its nearest neighbours (score regularization, Diaz 2005).
 *
 * @param ranked the best by the query alone
 * @param accepts units that may be found. Default: all
 */
export function rankForLongQuery(
  bm25: Bm25,
  query: readonly WeightedTerm[],
  ranked: readonly Scored[],
  accepts?: (unit: number) => boolean,
): Scored[] {
  const best = ranked.slice(0, FEEDBACK_UNITS);
  const added = commonTerms(
    best,
    best.map(({ unit }) => vectorOf(bm25, unit)),
    Math.sqrt(query.length),
  );
  const head = bm25.top([...query, ...added], SMOOTHED, accepts);
  const vectors = head.map(({ unit }) => vectorOf(bm25, unit));
  const scores = smoothed(
    head.map(({ score }) => score),
    cosines(vectors, bm25.index.ids.size),
  );
  return head
    .map(({ unit }, i) => ({ unit, score: scores[i]! }))
    .sort((a, b) => b.score - a.score || a.unit - b.unit);
}

/** Score that each term of a unit adds if the query has it. */
interface Vector {
  terms: Uint32Array;
  gains: Float32Array;
}

function vectorOf(bm25: Bm25, unit: number): Vector {
  const { starts, unitTerms, unitCounts } = bm25.index;
  const from = starts[unit]!;
  const terms = unitTerms.subarray(from, starts[unit + 1]);
  return {
    terms,
    gains: Float32Array.from(terms, (term, i) => bm25.gain(unit, term, unitCounts[from + i]!)),
  };
}

/** The strongest terms of the best units, in the share of their scores. */
function commonTerms(best: readonly Scored[], vectors: readonly Vector[], length: number): WeightedTerm[] {
  const total = best.reduce((sum, { score }) => sum + score, 0) || 1;
  const sums = new Map<number, number>();
  best.forEach(({ score }, i) => {
    const { terms, gains } = vectors[i]!;
    terms.forEach((term, k) => sums.set(term, (sums.get(term) ?? 0) + (gains[k]! * score) / total));
  });
  const strongest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, FEEDBACK_TERMS);
  const norm = Math.sqrt(strongest.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  return strongest.map(([term, value]) => ({
    forms: new Map([[term, 1]]),
    weight: (FEEDBACK_WEIGHT * length * value) / norm,
  }));
}

/** @param nearness see {@link cosines} */
function smoothed(scores: readonly number[], nearness: Float64Array): number[] {
  const n = scores.length;
  return scores.map((score, i) => {
    const near = new TopList(NEIGHBOURS);
    for (let j = 0; j < n; j++) if (j !== i) near.offer(j, nearness[i * n + j]!);
    let sum = 0;
    let weight = 0;
    for (const { unit, score: share } of near.sorted()) {
      sum += share * scores[unit]!;
      weight += share;
    }
    return weight > 0 ? (1 - SMOOTHING) * score + (SMOOTHING * sum) / weight : score;
  });
}

/**
 * Cosine of each pair, as a square table.
 *
 * @param size number of all terms
 */
function cosines(vectors: readonly Vector[], size: number): Float64Array {
  const n = vectors.length;
  const lengths = vectors.map(({ gains }) => Math.sqrt(gains.reduce((sum, v) => sum + v * v, 0)) || 1);
  const table = new Float64Array(n * n);
  const dense = new Float32Array(size);
  for (let i = 0; i < n; i++) {
    const { terms, gains } = vectors[i]!;
    for (let k = 0; k < terms.length; k++) dense[terms[k]!] = gains[k]!;
    for (let j = i + 1; j < n; j++) {
      const other = vectors[j]!;
      let product = 0;
      for (let k = 0; k < other.terms.length; k++) product += dense[other.terms[k]!]! * other.gains[k]!;
      table[i * n + j] = table[j * n + i] = product / (lengths[i]! * lengths[j]!);
    }
    for (const term of terms) dense[term] = 0;
  }
  return table;
}
