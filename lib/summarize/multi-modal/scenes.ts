import type { Chapter, Content } from '../../content/content-source.js';
import { MethodUnavailableError, MissingPeerError, ToolsError } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import {
  distance,
  loadSharp,
  Storyboard,
  type FrameSignature,
  type FrameSource,
  type Sharp,
} from './storyboard.js';

/** A stretch in which the picture stays about the same. */
export interface Scene {
  startMs: number;
  endMs: number;
  /** The last frame of it that does not change any more: a slide is complete there. */
  frame: FrameSignature;
}

/** Frames with a lower deviation of brightness show nothing. */
const FLAT = 6;
/** Bits of 64 in which two frames around a cut differ: always at least `least`; `most` are always enough. */
const CUT = { least: 10, most: 24 };
const MAD_FACTOR = 3;
/** Frames this close show the same. */
const SAME = 6;

/**
 * Finds scenes by jumps between neighbouring frames. What counts as a jump is set by the video itself (median and median absolute
 * deviation of all steps), for a talking head moves less than a hand-held camera. Black and empty frames belong to no scene.
 *
 * @param endMs end of the content
 */
function findScenes(frames: readonly FrameSignature[], endMs: number): Scene[] {
  const shown = frames.filter(({ deviation }) => deviation >= FLAT);
  const steps = shown.slice(1).map((frame, i) => distance(shown[i]!, frame));
  const middle = median(steps);
  const deviation = median(steps.map((step) => Math.abs(step - middle)));
  const threshold = Math.min(CUT.most, Math.max(CUT.least, middle + MAD_FACTOR * deviation));
  const scenes: Scene[] = [];
  for (let from = 0; from < shown.length;) {
    let to = from + 1;
    while (to < shown.length && steps[to - 1]! < threshold) to++;
    const next = shown[to];
    scenes.push({
      startMs: shown[from]!.startMs,
      endMs: next ? next.startMs : endMs,
      frame: lastSettled(shown, steps, from, to),
    });
    from = to;
  }
  return scenes;
}

/** The first of the scenes that show the same picture. */
export function distinctScenes(scenes: readonly Scene[]): Scene[] {
  const distinct: Scene[] = [];
  for (const scene of scenes) {
    if (!distinct.some(({ frame }) => distance(frame, scene.frame) <= SAME)) distinct.push(scene);
  }
  return distinct;
}

function lastSettled(
  frames: readonly FrameSignature[],
  steps: readonly number[],
  from: number,
  to: number,
): FrameSignature {
  for (let i = to - 1; i > from; i--) {
    if (steps[i - 1]! <= SAME) return frames[i]!;
  }
  return frames[to - 1]!;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A minute of time counts like this many bits of difference. */
const BITS_PER_MINUTE = 2;
const MOST_TIME_BITS = 24;

/**
 * Chooses scenes that cover the content, farthest first: each next one differs most, in picture and in time, from those chosen
 * (Gonzalez 1985). Deterministic; in order of time.
 */
export function chooseScenes(scenes: readonly Scene[], count: number): Scene[] {
  if (scenes.length <= count) return [...scenes];
  const chosen = new Set([0]);
  const nearest = scenes.map((scene) => apart(scenes[0]!, scene));
  while (chosen.size < count) {
    let next = 0;
    for (let i = 1; i < scenes.length; i++) if (nearest[i]! > nearest[next]!) next = i;
    if (chosen.has(next)) break;
    chosen.add(next);
    scenes.forEach((scene, i) => (nearest[i] = Math.min(nearest[i]!, apart(scenes[next]!, scene))));
  }
  return [...chosen].sort((a, b) => a - b).map((i) => scenes[i]!);
}

function apart(a: Scene, b: Scene): number {
  if (a === b) return -1;
  const minutes = Math.abs(a.frame.startMs - b.frame.startMs) / 60_000;
  return distance(a.frame, b.frame) + Math.min(MOST_TIME_BITS, minutes * BITS_PER_MINUTE);
}

/** The scenes of a content, and the storyboard to get their frames from. */
interface ContentScenes {
  scenes: Scene[];
  storyboard: Storyboard;
}

/** Chapters made of scenes are at least this long. */
const SHORTEST_CHAPTER_MS = 60_000;

/**
 * Finds the scenes of a content in its storyboard.
 *
 * @throws ToolsError 422 `content_unavailable` with `details.reason: no_storyboard`; MethodUnavailableError without `sharp`;
 *   upstream errors
 */
export async function contentScenes(
  content: Content,
  source: FrameSource,
  context: ToolContext,
  decoder: () => Promise<Sharp> = loadSharp,
): Promise<ContentScenes> {
  const levels =
    content.storyboard?.filter(({ count, sheetUrls }) => count > 0 && sheetUrls.length > 0) ?? [];
  if (levels.length === 0) {
    throw new ToolsError(
      'content_unavailable',
      'The video has no storyboard, so multi_modal has no pictures to read. Use the method auto.',
      { details: { reason: 'no_storyboard' } },
    );
  }
  const sharp = await decoder().catch((error: unknown) => {
    if (!(error instanceof MissingPeerError)) throw error;
    throw new MethodUnavailableError('multi_modal needs the optional package `sharp`: npm install sharp');
  });
  const endMs = content.durationMs ?? content.segments.at(-1)?.endMs ?? 0;
  const storyboard = new Storyboard(levels, endMs, source, sharp, context);
  return { scenes: findScenes(await storyboard.signatures(), endMs), storyboard };
}

/** Scenes as chapters for content that has none: a chapter takes in scenes until it is long enough. */
export function scenesAsChapters(scenes: readonly Scene[]): Chapter[] {
  const chapters: Chapter[] = [];
  for (const { startMs, endMs } of scenes) {
    const last = chapters.at(-1);
    if (last && last.endMs - last.startMs < SHORTEST_CHAPTER_MS) last.endMs = endMs;
    else chapters.push({ title: `Scene ${chapters.length + 1}`, startMs, endMs });
  }
  const [before, last] = chapters.slice(-2);
  if (before && last && last.endMs - last.startMs < SHORTEST_CHAPTER_MS) {
    before.endMs = last.endMs;
    chapters.pop();
  }
  return chapters;
}
