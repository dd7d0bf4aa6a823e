import { type Evidence, type Stretch, wordsIn } from './selection.js';
import { type Pause } from './token-table.js';
import { type Unit } from './units.js';

/** Words with content on either side of a border that are compared: this share of all, and no more than that many. */
const WINDOW = { share: 0.15, most: 150 };
/** Units on either side over which the similarity is smoothed. */
const SMOOTHED = 4;
/** How many standard deviations deeper than the mean a valley must be. */
const DEEP = 0.5;
/** Fewest words between two borders: about a minute. */
const APART = 150;
const MOST_TOPICS = 12;

/**
 * Cuts a text where it changes its subject: at the deep valleys of the smoothed similarity between the words before and after (Hearst,
 * TextTiling, 1997). The depths alone decide how many there are.
 */
export async function findTopics(evidence: Evidence, pause: Pause): Promise<Stretch[]> {
  const { units } = evidence;
  const depth = valleys(smoothed(await similarities(evidence, pause)));
  const valley = [...depth.keys()].filter((u) => depth[u]! > 0);
  const mean = valley.reduce((sum, u) => sum + depth[u]!, 0) / valley.length;
  const deviation = Math.sqrt(valley.reduce((sum, u) => sum + (depth[u]! - mean) ** 2, 0) / valley.length);
  const cuts = [0, units.length];
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

/** Cosine of the words in the windows before and after each unit's beginning. */
async function similarities({ units }: Evidence, pause: Pause): Promise<number[]> {
  const count = units.reduce((sum, { stems }) => sum + stems.length, 0);
  const window = Math.min(WINDOW.most, WINDOW.share * count);
  const similarity: number[] = [];
  for (const u of units.keys()) {
    const before = countedFrom(units, u - 1, -1, window);
    const after = countedFrom(units, u, 1, window);
    let dot = 0;
    for (const [stem, times] of before) dot += times * (after.get(stem) ?? 0);
    similarity.push(dot / (lengthOf(before) * lengthOf(after) || 1));
    await pause();
  }
  return similarity;
}

/** How often each stem occurs in the units from one on, forwards or backwards, up to a number of words. */
function countedFrom(units: readonly Unit[], from: number, step: 1 | -1, most: number): Map<number, number> {
  const counts = new Map<number, number>();
  let words = 0;
  for (let u = from; words < most && units[u]; u += step) {
    for (const stem of units[u]!.stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    words += units[u]!.stems.length;
  }
  return counts;
}

const lengthOf = (counts: ReadonlyMap<number, number>): number => Math.hypot(...counts.values());

/** Means over a window that is cut at either end. */
function smoothed(values: readonly number[]): number[] {
  return values.map((_, k) => {
    const near = values.slice(Math.max(0, k - SMOOTHED), k + SMOOTHED + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

/** Depth of the valley of similarity before each unit: how far the slopes on both sides go up; 0 where there is none. */
function valleys(smooth: readonly number[]): number[] {
  const [left, right] = [[...smooth], [...smooth]];
  for (let u = 1; u < smooth.length; u++) if (smooth[u - 1]! >= smooth[u]!) left[u] = left[u - 1]!;
  for (let u = smooth.length - 2; u >= 0; u--) if (smooth[u + 1]! >= smooth[u]!) right[u] = right[u + 1]!;
  return smooth.map((value, u) =>
    smooth[u - 1]! >= value && smooth[u + 1]! > value ? left[u]! + right[u]! - 2 * value : 0,
  );
}
