import type { Chapter } from '../../../content/content-source.js';
import { roughTokens } from '../../../model/context-window.js';
import type { ProposedPoint } from '../../prompts.js';
import { chapterHeadings } from '../prompt-transcript.js';
import type { SummaryRun } from '../summary-run.js';
import type { Point } from './check-key-points.js';

/** Most tokens of notes: models read a long list as carelessly as a long text. */
export const LARGEST_NOTES = 12_000;
const SECOND_TOLERANCE = 2;

/** Notes as a model reads them: `[second] statement "words of the video"`, chapter titles between. */
export function renderNotes(notes: readonly Point[], chapters: readonly Chapter[]): string {
  const lines: string[] = [];
  const headingAt = chapterHeadings(chapters);
  for (const { startMs, text, quote } of notes) {
    const heading = headingAt(startMs);
    if (heading !== undefined) lines.push(heading);
    lines.push(`[${Math.floor(startMs / 1000)}] ${text}${quote ? ` "${quote}"` : ''}`);
  }
  return lines.join('\n');
}

/**
 * As many of the notes as fit, from all over the content. More were seldom asked for.
 * @param mostTokens that the notes may have
 */
export function notesThatFit(run: SummaryRun, notes: readonly Point[], mostTokens: number): readonly Point[] {
  const sizeOf = (some: readonly Point[]): number => roughTokens(renderNotes(some, run.content.chapters));
  const most = Math.min(mostTokens, LARGEST_NOTES);
  let left = notes;
  for (let size = sizeOf(left); size > most && left.length > 1; size = sizeOf(left))
    left = evenly(left, Math.min(left.length - 1, Math.max(1, Math.floor((left.length * most) / size))));
  return left;
}

/** Points from all over the content. */
export function evenly(points: readonly Point[], most: number): Point[] {
  const step = Math.max(1, points.length / most);
  return points.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** The note whose second a statement names. */
export function noteOf({ t: second = NaN }: ProposedPoint, notes: readonly Point[]): Point | undefined {
  return notes.find(({ startMs }) => Math.abs(Math.floor(startMs / 1000) - second) <= SECOND_TOLERANCE);
}
