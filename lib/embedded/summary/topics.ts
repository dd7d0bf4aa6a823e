import { type Evidence, type Stretch, wordsIn } from './selection.js';
import { type Pause } from './token-table.js';
import { stemsOf } from './units.js';

/** Words with content on either side of a border that are compared: this share of all, and no more than that many. */
const WINDOW = { share: 0.15, most: 150 };
/** Units on either side over which the similarity is smoothed. */
const SMOOTHED = 4;
/** How many standard deviations deeper than the mean a valley must be. */
const DEEP = 0.5;
/** Fewest words between two borders: about a minute. */
const APART = 150;
/** Most parts. */
const MOST_TOPICS = 12;

/**
 * Cuts a text where it changes its subject: at the deep valleys of the smoothed similarity between the words before and after (Hearst,
 * TextTiling, 1997). The depths alone decide how many there are.
 */
export async function findTopics(evidence: Evidence, pause: Pause): Promise<Stretch[]> {
  const { units } = evidence;
  const depth = await valleys(evidence, pause);
  const valley = [...depth.keys()].filter((u) => depth[u]! > 0);
  const mean = valley.reduce((sum, u) => sum + depth[u]!, 0) / valley.length;
  const deviation = Math.sqrt(valley.reduce((sum, u) => sum + (depth[u]! - mean) ** 2, 0) / valley.length);
  const cuts = [0, units.count];
  const isApart = (u: number): boolean =>
    cuts.every((c) => wordsIn(evidence, { from: Math.min(u, c), to: Math.max(u, c) }) >= APART);
  for (const u of valley.sort((a, b) => depth[b]! - depth[a]! || a - b)) {
    if (cuts.length > MOST_TOPICS || depth[u]! < mean + DEEP * deviation) break;
    if (isApart(u)) cuts.push(u);
    await pause();
  }
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((to, k) => ({ from: cuts[k]!, to }));
}

/** Depth of the valley of similarity before each unit; 0 where there is none. Linear in the words. */
async function valleys(evidence: Evidence, pause: Pause): Promise<Float64Array> {
  const { count } = evidence.units;
  const smooth = smoothed(await similarities(evidence, pause));
  await pause();
  // The height of the slope that goes up from each unit, to the left and to the right.
  const [left, right] = [Float64Array.from(smooth), Float64Array.from(smooth)];
  for (let u = 1; u < count; u++) if (smooth[u - 1]! >= smooth[u]!) left[u] = left[u - 1]!;
  for (let u = count - 2; u >= 0; u--) if (smooth[u + 1]! >= smooth[u]!) right[u] = right[u + 1]!;
  const depth = new Float64Array(count);
  for (let u = 1; u + 1 < count; u++)
    if (smooth[u - 1]! >= smooth[u]! && smooth[u + 1]! > smooth[u]!)
      depth[u] = left[u]! + right[u]! - 2 * smooth[u]!;
  return depth;
}

/** Means over a window that is cut at either end. */
function smoothed(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [k, value] of values.entries()) sums[k + 1] = sums[k]! + value;
  return values.map((_, k) => {
    const [from, to] = [Math.max(0, k - SMOOTHED), Math.min(values.length, k + SMOOTHED + 1)];
    return (sums[to]! - sums[from]!) / (to - from);
  });
}

/** Cosine of the words in the windows before and after each unit's beginning. The windows slide. */
async function similarities({ units, weights }: Evidence, pause: Pause): Promise<Float64Array> {
  const left = new Float64Array(weights.length);
  const right = new Float64Array(weights.length);
  const sums = { dot: 0, left: 0, right: 0 };
  const change = (side: 'left' | 'right', u: number, by: number): number => {
    const [own, other] = side === 'left' ? [left, right] : [right, left];
    const stems = stemsOf(units, u);
    for (const stem of stems) {
      sums[side] += by * (2 * own[stem]! + by);
      sums.dot += by * other[stem]!;
      own[stem]! += by;
    }
    return by * stems.length;
  };
  const similarity = new Float64Array(units.count);
  const window = Math.min(WINDOW.most, WINDOW.share * units.stemsFrom[units.count]!);
  let [from, to, before, after] = [0, 0, 0, 0];
  for (let u = 0; u < units.count; u++) {
    while (to < units.count && after < window) after += change('right', to++, 1);
    while (before > window && from < u) before += change('left', from++, -1);
    similarity[u] = sums.dot / Math.sqrt(Math.max(1, sums.left) * Math.max(1, sums.right));
    after += change('right', u, -1);
    before += change('left', u, 1);
    if ((u & 63) === 0) await pause();
  }
  return similarity;
}
