import type { Chapter, Content } from '../../content/content-source.js';
import { MethodUnavailableError, MissingPeerError, ToolsError } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import { findScenes, type Scene } from './find-scenes.js';
import type { FrameSource } from './frame-source.js';
import { loadSharp, type Sharp } from './image-decoder.js';
import { Storyboard } from './storyboard.js';

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
      {
        details: { reason: 'no_storyboard' },
      },
    );
  }
  const endMs = content.durationMs ?? content.segments.at(-1)?.endMs ?? 0;
  const storyboard = new Storyboard(levels, endMs, source, await decoderOf(decoder), context);
  return { scenes: findScenes(await storyboard.signatures(), endMs), storyboard };
}

async function decoderOf(decoder: () => Promise<Sharp>): Promise<Sharp> {
  try {
    return await decoder();
  } catch (error) {
    if (error instanceof MissingPeerError) {
      throw new MethodUnavailableError('multi_modal needs the optional package `sharp`: npm install sharp');
    }
    throw error;
  }
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
