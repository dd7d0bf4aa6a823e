import { type Evidence, type Stretch, wordsIn } from './selection.js';
import { timeOf, type Pause } from './token-table.js';
import { stemsOf } from './units.js';

/** Words on either side of a border that are compared. */
const WINDOW = 150;
/** A silence this long speaks for a new topic, in ms. */
const PAUSE = 3000;
/** How far a valley looks for its shoulders, in units. */
const SHOULDER = 40;
/** Fewest words that are cut into topics at all. */
const SHORTEST_TEXT = 400;
const MOST_TOPICS = 12;
/** A part longer than this many times the share of one more part is cut again: with two parts one of 60 %, with six one of 26 %. */
const LONGEST_PART = 1.8;

/**
 * Cuts a text where it changes its subject: at the deepest valleys of the similarity between the words before and
 * after (Hearst, TextTiling, 1997), helped by silence. The number of parts grows with the root of the length.
 */
export async function findTopics(evidence: Evidence, pause: Pause): Promise<Stretch[]> {
  const { units } = evidence;
  const words = wordsIn(evidence, { from: 0, to: units.count });
  if (words < SHORTEST_TEXT) return units.count > 0 ? [{ from: 0, to: units.count }] : [];
  const wanted = Math.max(2, Math.min(MOST_TOPICS, Math.round(Math.sqrt(words / 100))));
  const depth = await valleys(evidence, pause);
  const order = [...depth.keys()]
    .filter((u) => u > 0 && units.words[u]! > 0)
    .sort((a, b) => depth[b]! - depth[a]! || a - b);
  await pause();
  const before = new Float64Array(units.count + 1);
  for (let u = 0; u < units.count; u++) before[u + 1] = before[u]! + units.words[u]!;
  await pause();
  const room = words / (wanted * 2.5);
  const cuts = [0, units.count];
  for (const u of order) {
    if (cuts.length > wanted) break;
    if (cuts.every((c) => Math.abs(before[c]! - before[u]!) >= room)) cuts.push(u);
  }
  cuts.sort((a, b) => a - b);
  // A part that is much longer than the others has another change of subject somewhere.
  for (let k = 1; k < cuts.length && cuts.length <= MOST_TOPICS;) {
    const [from, to] = [before[cuts[k - 1]!]!, before[cuts[k]!]!];
    const inside = (u: number): boolean => before[u]! - from >= room && to - before[u]! >= room;
    const cut = to - from > (LONGEST_PART * words) / (wanted + 1) ? order.find(inside) : undefined;
    if (cut === undefined) k++;
    else cuts.splice(k, 0, cut);
  }
  return cuts.slice(1).map((to, k) => ({ from: cuts[k]!, to }));
}

/** Depth of the valley before each unit. The two windows slide, so the work is linear in the words. */
async function valleys(evidence: Evidence, pause: Pause): Promise<Float64Array> {
  const { table, units, weights } = evidence;
  const left = new Float64Array(weights.length);
  const right = new Float64Array(weights.length);
  const sums = { dot: 0, left: 0, right: 0 };
  const change = (side: 'left' | 'right', u: number, by: number): void => {
    const [own, other] = side === 'left' ? [left, right] : [right, left];
    for (const stem of stemsOf(units, u)) {
      // Words that occur once link nothing.
      if (weights[stem]! <= 1) continue;
      sums[side] += by * (2 * own[stem]! + by);
      sums.dot += by * other[stem]!;
      own[stem]! += by;
    }
  };
  const similarity = new Float64Array(units.count);
  let [leftFrom, leftWords, rightTo, rightWords] = [0, 0, 0, 0];
  for (let u = 0; u < units.count; u++) {
    while (rightTo < units.count && rightWords < WINDOW) {
      change('right', rightTo, 1);
      rightWords += units.words[rightTo++]!;
    }
    while (leftWords > WINDOW && leftFrom < u) {
      change('left', leftFrom, -1);
      leftWords -= units.words[leftFrom++]!;
    }
    similarity[u] = sums.dot / Math.sqrt(Math.max(1, sums.left) * Math.max(1, sums.right));
    change('right', u, -1);
    rightWords -= units.words[u]!;
    change('left', u, 1);
    leftWords += units.words[u]!;
    if ((u & 63) === 0) await pause();
  }
  const depth = new Float64Array(units.count);
  for (let u = 1; u < units.count; u++) {
    let [l, r] = [similarity[u]!, similarity[u]!];
    for (let k = 1; k <= SHOULDER && u - k >= 0 && similarity[u - k]! >= l; k++) l = similarity[u - k]!;
    for (let k = 1; k <= SHOULDER && u + k < units.count && similarity[u + k]! >= r; k++)
      r = similarity[u + k]!;
    depth[u] = l + r - 2 * similarity[u]!;
    const gap = timeOf(table, units.from[u]!) - timeOf(table, Math.max(0, units.to[u - 1]! - 1));
    if (gap >= PAUSE * 3) depth[u]! += 0.2;
    if ((u & 255) === 0) await pause();
  }
  return depth;
}
