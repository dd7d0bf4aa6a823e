import type { Bm25, Scored, WeightedTerm } from './bm25.js';

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
 * @param countsOf number of times that a unit has each of its terms
 */
export function rankForLongQuery(
  bm25: Bm25,
  query: readonly WeightedTerm[],
  ranked: readonly Scored[],
  countsOf: (unit: number) => ReadonlyMap<number, number>,
): Scored[] {
  const vectorOf = (unit: number): Vector =>
    new Map([...countsOf(unit)].map(([term, n]) => [term, bm25.gain(unit, term, n)]));
  const best = ranked.slice(0, FEEDBACK_UNITS);
  const added = commonTerms(
    best,
    best.map(({ unit }) => vectorOf(unit)),
    Math.sqrt(query.length),
  );
  const head = bm25.top([...query, ...added], SMOOTHED);
  const scores = smoothed(
    head.map(({ score }) => score),
    head.map(({ unit }) => vectorOf(unit)),
  );
  return head
    .map(({ unit }, i) => ({ unit, score: scores[i]! }))
    .sort((a, b) => b.score - a.score || a.unit - b.unit);
}

type Vector = ReadonlyMap<number, number>;

/** The strongest terms of the best units, in the share of their scores. */
function commonTerms(best: readonly Scored[], vectors: readonly Vector[], length: number): WeightedTerm[] {
  const total = best.reduce((sum, { score }) => sum + score, 0) || 1;
  const sums = new Map<number, number>();
  best.forEach(({ score }, i) => {
    for (const [term, gain] of vectors[i]!) sums.set(term, (sums.get(term) ?? 0) + (gain * score) / total);
  });
  const strongest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, FEEDBACK_TERMS);
  const norm = Math.sqrt(strongest.reduce((sum, [, value]) => sum + value * value, 0)) || 1;
  return strongest.map(([term, value]) => ({
    forms: new Map([[term, 1]]),
    weight: (FEEDBACK_WEIGHT * length * value) / norm,
  }));
}

function smoothed(scores: readonly number[], vectors: readonly Vector[]): number[] {
  const nearness = cosines(vectors);
  const n = vectors.length;
  return scores.map((score, i) => {
    const near = Array.from({ length: n }, (_, j) => j)
      .filter((j) => j !== i)
      .sort((a, b) => nearness[i * n + b]! - nearness[i * n + a]! || a - b)
      .slice(0, NEIGHBOURS);
    let sum = 0;
    let weight = 0;
    for (const j of near) {
      sum += nearness[i * n + j]! * scores[j]!;
      weight += nearness[i * n + j]!;
    }
    return weight > 0 ? (1 - SMOOTHING) * score + (SMOOTHING * sum) / weight : score;
  });
}

/** Cosine of each pair, as a square table. */
function cosines(vectors: readonly Vector[]): Float64Array {
  const n = vectors.length;
  const rows = new Map<number, [number, number][]>();
  vectors.forEach((vector, i) => {
    const length = Math.sqrt([...vector.values()].reduce((sum, v) => sum + v * v, 0)) || 1;
    for (const [term, value] of vector) {
      const row = rows.get(term) ?? [];
      row.push([i, value / length]);
      rows.set(term, row);
    }
  });
  const table = new Float64Array(n * n);
  for (const row of rows.values())
    for (const [i, a] of row) for (const [j, b] of row) if (i !== j) table[i * n + j]! += a * b;
  return table;
}
