/** Reciprocal rank fusion with a small constant: at 60 a list of ten is nearly flat. */
export const RRF_K = 10;

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): each list gives `weight / (k + rank)`, rank from 1.
 *
 * @returns sums by key, in order of first appearance
 */
export function reciprocalRankFusion<K>(
  lists: readonly { keys: readonly K[]; weight: number }[],
  k = RRF_K,
): Map<K, number> {
  const sums = new Map<K, number>();
  for (const { keys, weight } of lists) {
    keys.forEach((key, i) => sums.set(key, (sums.get(key) ?? 0) + weight / (k + i + 1)));
  }
  return sums;
}
