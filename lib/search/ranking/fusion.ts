/** A document that has words of a query. */
export interface RankedDocument {
  /** Its number in the list that the index was built from. */
  document: number;
  /** Its units that match, best first. */
  units: number[];
  /** How much of the query its words meet, 0..1. */
  score: number;
}

/** A document that is near a query by its meaning. */
export interface NearDocument {
  document: number;
  /** 0 where it is as near as the documents are on average, 1 where it says the same as the query. */
  nearness: number;
  /** The nearest passages as Markdown or plain text, best first, at least one. */
  excerpts: string[];
}

/** A document found by its words, by its meaning, or both. */
export interface FusedDocument {
  document: number;
  /** 0..1, 3 decimals. */
  score: number;
  /** The units to show; absent where `excerpts` are shown. */
  units?: number[];
  /** The passages to show, where the meaning tells more than the words. */
  excerpts?: string[];
}

/** A document without any word of the query is shown if it is at least this near, compared with the nearest one. */
const LEAST_OF_NEAREST = 0.5;

/**
 * Fuses what words find with what vectors find, best first: the score of the words, and the nearness, which counts for as much as the words
 * of the query leave unexplained, `(1 - best word score)²`. A page that has the words of the query therefore stays first. A query that
 * shares no word with any page is answered by vectors alone.
 *
 * Compared with reciprocal rank fusion and the convex combinations of Bruch, Gai and Ingber (2023, arXiv:2210.11934): these lose 4 to 28 of
 * 167 everyday questions that words alone get right, depending on the embedding model and the weight; this rule, which has no weight to fit,
 * loses 1 to 3 and wins as many (docs/benchmarks.md).
 *
 * @param words best first
 * @param near best first
 */
export function fuse(words: readonly RankedDocument[], near: readonly NearDocument[]): FusedDocument[] {
  const fused = new Map<number, FusedDocument>(words.map((found) => [found.document, found]));
  const unexplained = (1 - (words[0]?.score ?? 0)) ** 2;
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
