import type { Chapter } from '../../../content/content-source.js';
import type { Piece } from '../piece.js';

/** A part of the transcript that is read by one call: pieces `from` (inclusive) to `to` (exclusive). */
export interface Chunk {
  from: number;
  to: number;
  startMs: number;
  endMs: number;
  /** Estimated tokens of its words. */
  tokens: number;
}

/** Larger chunks are read less carefully in the middle (arXiv 2310.10570); smaller ones cost more prompts than they gain. */
const LARGEST_CHUNK = 10_000;
const SMALLEST_CHUNK = 6000;
/** A border may move by this share of a chunk to reach a better place, so chunks may grow by twice as much. */
const REACH = 0.12;

/**
 * How many chunks to make: as few as the window and careful reading allow, then filled up to whole rounds of parallel calls, for a
 * round takes as long with three calls as with eight.
 *
 * @param tokens of the transcript
 * @param room most tokens of one chunk that the window leaves
 * @param parallel calls at once
 */
export function chunkCount(tokens: number, room: number, parallel: number): number {
  const largest = Math.min(LARGEST_CHUNK, room / (1 + 2 * REACH));
  const fewest = Math.max(1, Math.ceil(tokens / largest));
  const most = Math.max(fewest, Math.floor(tokens / Math.min(SMALLEST_CHUNK, largest)));
  return Math.min(most, Math.ceil(fewest / parallel) * parallel);
}

/**
 * Cuts pieces `from`..`to` into `count` chunks of about equal length, at the best border near each cut: a chapter, else a long
 * pause, else a sentence end. Every piece is in exactly one chunk; none is empty.
 */
export function chunkTranscript(
  pieces: readonly Piece[],
  tokensOf: readonly number[],
  chapters: readonly Chapter[],
  count: number,
  from = 0,
  to = pieces.length,
): Chunk[] {
  const sums = [0];
  for (let i = from; i < to; i++) sums.push(sums.at(-1)! + tokensOf[i]!);
  const total = sums.at(-1)!;
  const size = total / count;
  const cuts = [from];
  for (let n = 1; n < count; n++) {
    const cut = bestCut(pieces, sums, chapters, from, n * size, size * REACH);
    if (cut > cuts.at(-1)! && cut < to) cuts.push(cut);
  }
  cuts.push(to);
  const chunks: Chunk[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [a, b] = [cuts[i]!, cuts[i + 1]!];
    if (a === b) continue;
    chunks.push({
      from: a,
      to: b,
      startMs: pieces[a]!.startMs,
      endMs: pieces[b - 1]!.endMs,
      tokens: sums[b - from]! - sums[a - from]!,
    });
  }
  return chunks;
}

/** The piece before which to cut, near `target` tokens from the start. */
function bestCut(
  pieces: readonly Piece[],
  sums: readonly number[],
  chapters: readonly Chapter[],
  from: number,
  target: number,
  reach: number,
): number {
  let best = from;
  let bestScore = -Infinity;
  for (let i = firstAtLeast(sums, target - reach); i < sums.length; i++) {
    const distance = Math.abs(sums[i]! - target);
    if (sums[i]! > target + reach && bestScore > -Infinity) break;
    const score = borderScore(pieces, chapters, from + i) - distance / (reach || 1);
    if (score > bestScore) {
      best = from + i;
      bestScore = score;
    }
  }
  return best;
}

/** How good it is to cut before piece `i`: 3 for a chapter, up to 2 for a pause, 0.5 for a sentence end. */
function borderScore(pieces: readonly Piece[], chapters: readonly Chapter[], i: number): number {
  const before = pieces[i - 1];
  const after = pieces[i];
  if (!before || !after) return 0;
  if (chapters.some(({ startMs }) => startMs > before.startMs && startMs <= after.startMs)) return 3;
  const pause = Math.min(2, Math.max(0, after.startMs - before.endMs) / 1000);
  return pause + (/[.!?…]["'»”)]?$/.test(before.text) ? 0.5 : 0);
}

function firstAtLeast(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
