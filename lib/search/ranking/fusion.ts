export interface NearDocument<Key = number> {
  document: Key;
  /** 0 where it is as near as the documents are on average, 1 where it says the same as the query. */
  nearness: number;
  /** The nearest passages as Markdown or plain text, best first, at least one. */
  excerpts: string[];
}

export interface RankedDocument {
  /** Its number in the list that the index was built from. */
  document: number;
  score: number;
  /** Its units that have words of the query, best first; absent where `excerpts` are shown. */
  units?: number[];
  /** The passages to show, where the meaning tells more than the words. */
  excerpts?: string[];
}

export const MOST_EXCERPTS = 2; // shown of a document; a plain bound
/** A document without any word of the query is shown if it is at least this near, compared with the nearest one; set by hand. */
const LEAST_OF_NEAREST = 0.5;

/**
 * Fuses what words find with what vectors find, best first: the score of the words, plus the nearness times `1 - 2 × best word score`, never
 * below 0. Vectors count where the words of the query explain less than half of it. A page that has the words of the query therefore stays
 * first, and a query that shares no word with any page is answered by vectors alone.
 *
 * Reciprocal rank fusion and fitted convex combinations (Bruch, Gai and Ingber 2023, arXiv:2210.11934) lost more of the questions that words
 * alone get right. This rule has no weight to fit (docs/benchmarks.md).
 */
export function fuse(words: readonly RankedDocument[], near: readonly NearDocument[]): RankedDocument[] {
  const fused = new Map<number, RankedDocument>(words.map((found) => [found.document, found]));
  const unexplained = Math.max(0, 1 - 2 * (words[0]?.score ?? 0));
  const least = LEAST_OF_NEAREST * (near[0]?.nearness ?? 0);
  for (const { document, nearness, excerpts } of near) {
    const known = fused.get(document);
    const gain = unexplained * nearness;
    if (gain === 0 || (!known && nearness < least)) continue;
    const shown = known && known.score >= gain ? { units: known.units } : { excerpts };
    fused.set(document, { document, score: (known?.score ?? 0) + gain, ...shown });
  }
  return (
    [...fused.values()]
      // The order of equal scores is that of the words.
      .sort((a, b) => b.score - a.score)
      .map((found) => ({
        ...found,
        score: Math.max(0.001, Math.round(Math.min(1, found.score) * 1000) / 1000),
      }))
  );
}

/**
 * The documents of the passages that are nearest to a query, best first.
 *
 * @param passages best first, with the cosine of their vectors and the query's
 * @param mean cosine of all passages
 */
export function nearDocuments<Key>(
  passages: readonly { document: Key; cosine: number; excerpt: string }[],
  mean: number,
): NearDocument<Key>[] {
  const found = new Map<Key, NearDocument<Key>>();
  for (const { document, cosine, excerpt } of passages) {
    const known = found.get(document);
    if (known) {
      if (known.excerpts.length < MOST_EXCERPTS) known.excerpts.push(excerpt);
      continue;
    }
    const nearness = Math.max(0, (cosine - mean) / (1 - mean || 1));
    found.set(document, { document, nearness, excerpts: [excerpt] });
  }
  return [...found.values()];
}
