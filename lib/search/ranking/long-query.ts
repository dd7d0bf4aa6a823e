import { TopList, type Bm25, type Scored } from './bm25.js';

/**
 * From a plateau over the shown half of the Cranfield queries, under which everyday questions and notes keep their places
 * (`npm run bench -- search`).
 */
const LONG = 7;
const LARGE_COLLECTION = 500;
const NEIGHBOURS = 5;
const SMOOTHING = 0.5;

/** How much a word of a long query counts that the larger stop list has (`given`, `using`, `various`). */
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
  const nearness = cosines(
    ranked.map(({ unit }) => vectorOf(bm25, unit)),
    bm25.index.ids.size,
  );
  const n = ranked.length;
  const mixed = ranked.map(({ score }, i) => {
    const near = new TopList(NEIGHBOURS);
    for (let j = 0; j < n; j++) if (j !== i) near.offer(j, nearness[i * n + j]!);
    let sum = 0;
    let weight = 0;
    for (const { unit: other, score: share } of near.best) {
      sum += share * ranked[other]!.score;
      weight += share;
    }
    return weight > 0 ? (1 - SMOOTHING) * score + (SMOOTHING * sum) / weight : score;
  });
  const order = [...ranked.keys()].sort((a, b) => mixed[b]! - mixed[a]! || ranked[a]!.unit - ranked[b]!.unit);
  return order.map((i) => ranked[i]!);
}

/** Score that each term of a unit adds if the query has it. */
interface Vector {
  terms: Uint32Array;
  gains: Float32Array;
}

function vectorOf(bm25: Bm25, unit: number): Vector {
  const { starts, unitTerms, unitCounts, functionTerms } = bm25.index;
  const from = starts[unit]!;
  const terms = unitTerms.subarray(from, starts[unit + 1]);
  const gains = new Float32Array(terms.length);
  for (let i = 0; i < gains.length; i++)
    if (functionTerms.size === 0 || !functionTerms.has(terms[i]!))
      gains[i] = bm25.gain(unit, terms[i]!, unitCounts[from + i]!);
  return { terms, gains };
}

/** Cosine of each pair, as a square table. */
function cosines(vectors: readonly Vector[], size: number): Float64Array {
  const n = vectors.length;
  const lengths = vectors.map(({ gains }) => Math.sqrt(gains.reduce((sum, v) => sum + v * v, 0)) || 1);
  const table = new Float64Array(n * n);
  // Entries from 1 on, linked by term: two vectors meet only in the terms that both have.
  const most = vectors.reduce((sum, { terms }) => sum + terms.length, 1);
  const last = new Uint32Array(size);
  const before = new Uint32Array(most);
  const owners = new Uint32Array(most);
  const values = new Float32Array(most);
  let used = 0;
  for (let j = 0; j < n; j++) {
    const { terms, gains } = vectors[j]!;
    for (let k = 0; k < terms.length; k++) {
      const gain = gains[k]!;
      if (gain === 0) continue;
      const term = terms[k]!;
      for (let entry = last[term]!; entry > 0; entry = before[entry]!)
        table[owners[entry]! * n + j]! += values[entry]! * gain;
      used++;
      before[used] = last[term]!;
      last[term] = used;
      owners[used] = j;
      values[used] = gain;
    }
  }
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      table[i * n + j] = table[j * n + i] = table[i * n + j]! / (lengths[i]! * lengths[j]!);
  return table;
}
