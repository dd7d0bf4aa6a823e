import { roughTokens } from '../../../model/context-window.js';
import type { Chapter } from '../../../content/content-source.js';
import { ToolsError } from '../../../core/errors.js';
import type { ModelCall } from '../../../model/call.js';
import { words } from '../../../text/tokens.js';
import { MERGED_FORM, mergePrompt, withFocus, withSchema, type ProposedPoint } from '../../prompts.js';
import { MAP_TOKENS } from './map-chunks.js';
import { chapterHeadings } from '../prompt-transcript.js';
import type { SummaryRun } from '../summary-run.js';
import { checkPoints, type Point } from './check-key-points.js';

/** Notes on a stretch of the video, of one part or merged of several. */
export type Notes = readonly Point[];

/** Longer notes are merged first even if they fit the window: models read a long list as carelessly as a long text. Tokens. */
const LARGEST_NOTES = 12_000;
/** A merge asks for about half of the points. Notes that shrink by less than a fifth are thinned out in code. */
const MERGED_SHARE = 0.5;
const MUST_SHRINK_TO = 0.8;
const MAX_DEPTH = 4;
const SECOND_TOLERANCE = 2;
/** A statement rests on a note that has more than this share of its words. */
const ALIKE_SHARE = 0.5;
/** Tokens of the prompt around the notes. */
const PROMPT_OVERHEAD = 400;

/** Notes as a model reads them: `[second] statement "words of the video"`, chapter titles between. */
export function renderNotes(notes: readonly Notes[], chapters: readonly Chapter[]): string {
  const lines: string[] = [];
  const headingAt = chapterHeadings(chapters);
  for (const { startMs, text, quote } of notes.flat()) {
    const heading = headingAt(startMs);
    if (heading !== undefined) lines.push(heading);
    lines.push(`[${Math.floor(startMs / 1000)}] ${text}${quote ? ` "${quote}"` : ''}`);
  }
  return lines.join('\n');
}

/**
 * Merges notes level by level until they fit one prompt. Every level is smaller than the one before, by the model or, where it
 * does not shrink or fails, in code; after four levels only in code. So it ends.
 *
 * @param mostTokens that the notes may have in the end
 */
export async function mergeNotes(
  run: SummaryRun,
  leaves: readonly Notes[],
  mostTokens: number,
): Promise<Notes[]> {
  const model = run.models.map;
  const size = (notes: readonly Notes[]): number =>
    Math.ceil(roughTokens(renderNotes(notes, run.content.chapters)));
  const most = Math.min(mostTokens, LARGEST_NOTES);
  let notes: Notes[] = [...leaves];
  for (let depth = 0; size(notes) > most && notes.flat().length > 1; depth++) {
    const before = size(notes);
    if (depth < MAX_DEPTH && notes.length > 1) {
      const groupTokens = Math.min(most, model.profile.promptTokens(MAP_TOKENS) - PROMPT_OVERHEAD);
      const groups = groupsOf(notes, (one) => size([one]), groupTokens);
      let done = 0;
      run.context.progress({ stage: 'merge', done, total: groups.length });
      notes = await Promise.all(
        groups.map(async (group) => {
          const merged = await mergeGroup(run, group);
          run.context.progress({ stage: 'merge', done: ++done, total: groups.length });
          return merged;
        }),
      );
    }
    if (size(notes) > before * MUST_SHRINK_TO) notes = [thinOut(notes)];
  }
  return notes;
}

/** Neighbours together, as many as fit. */
function groupsOf(notes: readonly Notes[], sizeOf: (one: Notes) => number, most: number): Notes[][] {
  const groups: Notes[][] = [];
  let used = Infinity;
  for (const one of notes) {
    const size = sizeOf(one);
    if (used + size > most) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)!.push(one);
    used += size;
  }
  return groups;
}

async function mergeGroup(run: SummaryRun, group: readonly Notes[]): Promise<Notes> {
  const points = group.flat();
  const wanted = Math.max(2, Math.floor(points.length * MERGED_SHARE));
  const prompt = mergePrompt(run.delimiter.wrap(renderNotes(group, run.content.chapters)), wanted);
  try {
    const call: ModelCall = {
      stage: 'merge',
      ...withSchema(withFocus(prompt, run.request), run.request),
      maxOutputTokens: MAP_TOKENS,
    };
    const answer = await run.models.map.generate(call, run.context, run.meter);
    const { value, unstructured } = MERGED_FORM.read(answer.text);
    const { points: merged, dropped } = await checkPoints(run, unstructured ? [] : value.points, {
      language: run.content.language,
      noted: (point) => noteOf(point, points),
    });
    run.dropped.push(...dropped);
    if (merged.length >= 2) return merged.slice(0, wanted);
  } catch (error) {
    run.context.signal.throwIfAborted();
    // The parts are already read and verified: a failed merge does not lose them.
    if (!ToolsError.isInstance(error) || (error.getStatus() < 502 && error.getStatus() !== 422)) throw error;
  }
  return thinOut(group);
}

/** Every other point, evenly over the time. */
function thinOut(notes: readonly Notes[]): Notes {
  return notes.flat().filter((_, i) => i % 2 === 0);
}

/** The note that a statement rests on: the one whose second it names, else the one that says the same. */
export function noteOf({ text, t }: ProposedPoint, notes: readonly Point[]): Point | undefined {
  const atSecond = notes.find(
    ({ startMs }) => t !== undefined && Math.abs(Math.floor(startMs / 1000) - t) <= SECOND_TOLERANCE,
  );
  return atSecond ?? mostAlike(text, notes);
}

/** The note that has most of the words of a statement, if it has enough. */
function mostAlike(text: string, notes: readonly Point[]): Point | undefined {
  let best: Point | undefined;
  let most = ALIKE_SHARE;
  for (const note of notes) {
    const share = shareOf(text, note.text);
    if (share > most) [best, most] = [note, share];
  }
  return best;
}

/** Share of the words of a text that another one has. */
export function shareOf(text: string, other: string): number {
  const has = new Set(words(other));
  const own = words(text);
  return own.length === 0 ? 0 : own.filter((word) => has.has(word)).length / own.length;
}
