import { type Evidence } from './selection.js';

/** Sentences of a paragraph, on average. */
const SENTENCES = 3.5;

/**
 * Groups the sentences of a summary into paragraphs: breaks where most was left out between two of them, and leaves
 * no sentence alone.
 *
 * @param order chosen units in order of the text
 */
export function paragraphs(evidence: Evidence, order: readonly number[]): number[][] {
  const { units } = evidence;
  const wanted = Math.max(1, Math.round(order.length / SENTENCES));
  const gaps = order.slice(1).map((u, k) => ({ at: k + 1, gap: units.from[u]! - units.to[order[k]!]! }));
  gaps.sort((a, b) => b.gap - a.gap || a.at - b.at);
  const breaks = [0, order.length];
  for (const { at } of gaps) {
    if (breaks.length > wanted) break;
    if (breaks.every((b) => Math.abs(b - at) >= 2)) breaks.push(at);
  }
  breaks.sort((a, b) => a - b);
  return breaks
    .slice(1)
    .map((to, k) => order.slice(breaks[k], to))
    .filter((group) => group.length > 0);
}
