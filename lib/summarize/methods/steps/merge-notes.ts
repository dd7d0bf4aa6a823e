import type { Chapter } from '../../../content/content-source.js';
import { ToolsError } from '../../../core/errors.js';
import type { EvidenceSentence } from '../../evidence-ranker.js';
import { mergePrompt } from '../../prompts/map.prompt.js';
import { askModel } from './ask-model.js';
import { MAP_TOKENS, type ChunkNotes } from './map-chunks.js';
import { parsePoints } from '../parse/points.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import type { SummaryRun } from '../summary-run.js';
import { shareOf } from './read-written.js';

/** Notes on a stretch of the video, of one part or merged of several. */
export type Notes = Pick<ChunkNotes, 'points' | 'evidence'>;

/** Notes beyond this are merged first even where the window has room: a long list is read as carelessly as a long text. */
const LARGEST_NOTES = 12_000;
/** A merge keeps about half; what shrinks by less than a fifth is thinned out in code. */
const KEEP = 0.5;
const MUST_SHRINK_TO = 0.8;
const MAX_DEPTH = 4;
const EVIDENCE_WORDS = 30;
const FEWEST_EVIDENCE_WORDS = 8;
const SECOND_TOLERANCE = 2;
/** Evidence this close to a note is what the note was made from, ms. */
const SAME_TIME_MS = 4000;
const SAID_SHARE = 0.7;

/** Notes as a model reads them: `[second] claim`, evidence in quotation marks, chapter titles between. */
export function renderNotes(notes: readonly Notes[], chapters: readonly Chapter[]): string {
  const lines: string[] = [];
  let chapter = -1;
  for (const { points, evidence } of notes) {
    const entries = [
      ...points.map(({ startMs, claim }) => ({ startMs, text: claim })),
      ...evidence
        .filter((one) => isEvidence(one, points))
        .map(({ startMs, text }) => ({ startMs, text: `"${shorten(text)}"` })),
    ].sort((a, b) => a.startMs - b.startMs);
    for (const { startMs, text } of entries) {
      let current = chapter;
      while (chapters[current + 1] && chapters[current + 1]!.startMs <= startMs) current++;
      if (current !== chapter) lines.push(`# ${chapters[(chapter = current)]!.title.slice(0, 200)}`);
      lines.push(`[${Math.floor(startMs / 1000)}] ${text}`);
    }
  }
  return lines.join('\n');
}

/**
 * Merges notes level by level until they fit one prompt. Every level is smaller than the one before, by the model or, where it
 * does not shrink or fails, in code; after four levels only in code. So it ends.
 *
 * @param room tokens that the notes may have in the end
 */
export async function mergeNotes(run: SummaryRun, leaves: readonly Notes[], room: number): Promise<Notes[]> {
  const model = run.models.map;
  const size = (notes: readonly Notes[]): number => model.estimate(renderNotes(notes, run.content.chapters));
  const most = Math.min(room, LARGEST_NOTES);
  let notes: Notes[] = [...leaves];
  for (let depth = 0; size(notes) > most; depth++) {
    if (notes.every(({ points, evidence }) => points.length + evidence.length <= 1) && notes.length <= 1)
      break;
    const before = size(notes);
    if (depth < MAX_DEPTH && notes.length > 1) {
      const groupRoom = Math.min(most, model.promptTokens(MAP_TOKENS) - 400);
      const groups = groupsOf(notes, (one) => size([one]), groupRoom);
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
    if (size(notes) > before * MUST_SHRINK_TO || notes.length === 1) notes = thinOut(notes);
  }
  return notes;
}

/** Neighbours together, as many as fit the room. */
function groupsOf(notes: readonly Notes[], sizeOf: (one: Notes) => number, room: number): Notes[][] {
  const groups: Notes[][] = [];
  let used = Infinity;
  for (const one of notes) {
    const size = sizeOf(one);
    if (used + size > room) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)!.push(one);
    used += size;
  }
  return groups;
}

async function mergeGroup(run: SummaryRun, group: readonly Notes[]): Promise<Notes> {
  const joined = joinNotes(group);
  const wanted = Math.max(2, Math.floor(joined.points.length * KEEP));
  const prompt = mergePrompt(run.fence, renderNotes(group, run.content.chapters), wanted);
  try {
    const call = { stage: 'merge', ...prompt, maxOutputTokens: MAP_TOKENS };
    const answer = await askModel(run, run.models.map, call);
    const points = parsePoints(answer.text, run.language).points.flatMap((point) =>
      traceBack(run, point, joined.points),
    );
    const merged = { points: points.slice(0, wanted), evidence: joined.evidence };
    return points.length >= 2 ? merged : thinOut([joined])[0]!;
  } catch (error) {
    run.context.signal.throwIfAborted();
    // The parts are already read and verified: a failed merge does not lose them.
    if (ToolsError.isInstance(error) && (error.getStatus() >= 502 || error.getStatus() === 422)) {
      return thinOut([joined])[0]!;
    }
    throw error;
  }
}

/** A merged statement keeps the time and the words of the note it rests on; one that rests on none is dropped. */
function traceBack(run: SummaryRun, { claim, second }: ProposedPoint, points: readonly Point[]): Point[] {
  const bySecond = points.find(
    ({ startMs }) => second !== undefined && Math.abs(startMs / 1000 - second) <= SECOND_TOLERANCE,
  );
  const note = bySecond ?? points.find((point) => says(point.claim, claim));
  const flaw = note ? run.facts.facts(claim).flaw : 'words';
  if (note && flaw === undefined) return [{ ...note, claim }];
  run.dropped[flaw!]++;
  return [];
}

function joinNotes(group: readonly Notes[]): Notes {
  return {
    points: group.flatMap(({ points }) => points),
    // One sentence of each child goes on, so that evidence shrinks with the tree.
    evidence: group.flatMap(({ evidence }): EvidenceSentence[] => evidence.slice(0, 1)),
  };
}

/** Every other point and no evidence beyond the first of each: always smaller, evenly over the time. */
function thinOut(notes: readonly Notes[]): Notes[] {
  return notes.map(({ points, evidence }) => ({
    points: points.length > 1 ? points.filter((_, i) => i % 2 === 0) : points.map(shortenPoint),
    evidence: evidence.slice(0, Math.floor(evidence.length / 2)),
  }));
}

function shortenPoint(point: Point): Point {
  const tokens = point.claim.split(' ');
  return { ...point, claim: tokens.slice(0, Math.max(3, Math.floor(tokens.length / 2))).join(' ') };
}

/** A whole sentence that no note says already, in the words or at the time of its own. */
function isEvidence({ text, startMs }: EvidenceSentence, points: readonly Point[]): boolean {
  const length = text.split(/\s+/).length;
  if (length < FEWEST_EVIDENCE_WORDS || /…$|^…/.test(text.trim())) return false;
  return !points.some(
    ({ claim, quote, startMs: at }) =>
      Math.abs(at - startMs) <= SAME_TIME_MS || says(claim, text) || says(text, claim) || says(text, quote),
  );
}

/** True when most words of one text are in the other. */
function says(claim: string, text: string): boolean {
  return text !== '' && shareOf(text, claim) >= SAID_SHARE;
}

function shorten(text: string): string {
  const tokens = text.split(/\s+/);
  return tokens.length <= EVIDENCE_WORDS ? text : `${tokens.slice(0, EVIDENCE_WORDS).join(' ')} …`;
}
