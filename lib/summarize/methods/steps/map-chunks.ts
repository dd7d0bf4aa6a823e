import type { Chapter } from '../../../content/content-source.js';
import { nextTurn } from '../../../core/async.js';
import { ToolsError, UpstreamInvalidError } from '../../../core/errors.js';
import { withFork } from '../../../core/context.js';
import { roughTokens } from '../../../model/context-window.js';
import { BudgetExceededError } from '../../../model/usage-meter.js';
import { ContextOverflowError } from '../../../model/errors.js';
import { askTwice, type Flaw, type Read } from '../../../model/ask-twice.js';
import type { ModelAnswer, ModelCall } from '../../../model/call.js';
import type { SummaryLength } from '../../summarizer.js';
import { NOTES_FORM, mapPrompt, withFocus, withSchema, type ProposedPoint } from '../../prompts.js';
import { sentencesOf } from '../../../text/sentences.js';
import { checkPoints, writtenIn, type Dropped, type Point } from './check-key-points.js';
import { isRefusal } from './refusal.js';
import { renderPieces, type Piece } from '../prompt-transcript.js';
import type { SummaryRun } from '../summary-run.js';

/** A part of the transcript that is read by one call: pieces `from` (inclusive) to `to` (exclusive). */
interface Chunk {
  from: number;
  to: number;
  startMs: number;
  endMs: number;
  /** Estimated tokens of its words. */
  tokens: number;
}

/** The notes on one part. */
export interface ChunkNotes {
  chunk: Chunk;
  /** Verified; in order of time. */
  points: Point[];
  /** Share of the part that the model has read, 0..1. */
  read: number;
}

/** Points to ask for: one for this many tokens of a part, within bounds for a part and for all parts together. */
const TOKENS_A_POINT: Readonly<Record<SummaryLength, number>> = { short: 250, medium: 225, long: 200 };
const LEAST_POINTS = 6;
const POINTS_IN_ALL = 300;
/** Tokens of a point with its quotation, and of the object around them. */
const POINT_TOKENS = 70;
const FORM_TOKENS = 300;
/** A part begins with the last sentences of the part before, so that "he" has a name. At most so many words. */
const OVERLAP = { sentences: 2, words: 60 };
export const MAP_TOKENS = 1500;
/** Tokens of the prompt, delimiter and time marks around a chunk, and the share by which an estimate may be off. */
const PROMPT_OVERHEAD = 350;
const SAFETY = 0.88;
/** Splitting a chunk with fewer tokens is of no use. */
const SMALLEST_SPLIT = 200;
/** After this many calls in a row that failed for good, the model counts as down. */
const FAILURES_TO_GIVE_UP = 3;

/** Tokens of transcript that one map call can take. */
function tokensOfChunk(run: SummaryRun): number {
  const { profile } = run.models.map;
  const asked = roughTokens(run.request.schema?.json ?? '');
  return Math.floor((profile.promptTokens(MAP_TOKENS) - PROMPT_OVERHEAD - asked) * SAFETY);
}

/** The chunks of a run, as the window is known now. */
export async function planChunks(run: SummaryRun): Promise<Chunk[]> {
  // The plan reads the whole transcript.
  await nextTurn();
  const count = chunkCount(run.tokens, tokensOfChunk(run), run.models.map.maxParallelCalls);
  return chunkTranscript(run.pieces, run.tokensOf, run.content.chapters, count);
}

/**
 * Reads all chunks in parallel. A chunk that cannot be read has no notes, and a warning says so. A chunk that does not fit is split.
 *
 * @throws the model's error when no chunk could be read or the model is evidently down: nothing more is sent then
 */
export function mapChunks(run: SummaryRun, chunks: readonly Chunk[]): Promise<ChunkNotes[]> {
  return withFork(run.context, {}, (context) => readChunks({ ...run, context }, chunks));
}

async function readChunks(run: SummaryRun, chunks: readonly Chunk[]): Promise<ChunkNotes[]> {
  const state = { done: 0, read: 0, failuresInRow: 0, firstError: undefined as Error | undefined };
  const total = chunks.length;
  run.context.progress({ stage: 'map', done: 0, total });

  const readChunk = async (chunk: Chunk, part: number): Promise<ChunkNotes[]> => {
    const ask = async (again?: Flaw): Promise<ModelAnswer> => {
      // Sending a call takes milliseconds. All calls in one turn would hold the event loop.
      await nextTurn();
      return run.models.map.generate(mapCall(run, chunk, part, total, again), run.context, run.meter);
    };
    try {
      const { value } = await askTwice(run.context, ask, (answer) => readPart(run, chunk, answer));
      state.failuresInRow = 0;
      state.read++;
      run.dropped.push(...value.dropped);
      return [value.notes];
    } catch (error) {
      run.context.signal.throwIfAborted();
      if (error instanceof ContextOverflowError) {
        const halves = split(run, chunk);
        if (!halves) throw error;
        return (await Promise.all(halves.map((half) => readChunk(half, part)))).flat();
      }
      if (!mayBeLeftOut(error)) throw error;
      state.firstError ??= error;
      state.failuresInRow++;
      const isInRow = state.read === 0 || state.failuresInRow >= FAILURES_TO_GIVE_UP;
      if (error.getStatus() >= 503 && isInRow) throw error;
      return [{ chunk, points: [], read: 0 }];
    }
  };

  const notes = await Promise.all(
    chunks.map(async (chunk, i) => {
      const own = await readChunk(chunk, i + 1);
      run.context.progress({ stage: 'map', done: ++state.done, total });
      return own;
    }),
  );
  const all = notes.flat();
  if (all.every(({ points }) => points.length === 0))
    throw (
      state.firstError ??
      new UpstreamInvalidError('The language model noted nothing that the transcript says.', {
        shouldRetry: false,
      })
    );
  warnOfUnread(run, all);
  return all;
}

function warnOfUnread(run: SummaryRun, notes: readonly ChunkNotes[]): void {
  const unread = notes.filter(({ read }) => read === 0).length;
  const cut = notes.filter(({ read }) => read > 0 && read < 1).length;
  if (unread + cut === 0) return;
  const faults = [
    ...(unread > 0 ? [`${unread} could not be read by the model`] : []),
    ...(cut > 0 ? [`${cut} were read in part, because the reply ended in the middle`] : []),
  ];
  run.warnings.push({
    code: 'partial_coverage',
    message: `Of ${notes.length} parts ${faults.join(', and ')}.`,
  });
}

/** Share of the transcript that the model has read, by tokens. */
export function coverageOf(notes: readonly ChunkNotes[]): number {
  const all = notes.reduce((sum, { chunk }) => sum + chunk.tokens, 0);
  const read = notes.reduce((sum, { chunk, read }) => sum + read * chunk.tokens, 0);
  return all === 0 ? 1 : read / all;
}

/** Errors of one call that a request survives. */
function mayBeLeftOut(error: unknown): error is ToolsError {
  if (error instanceof BudgetExceededError) return true;
  return (
    ToolsError.isInstance(error) &&
    error.getStatus() >= 502 &&
    (error.shouldRetry || error.getStatus() === 502)
  );
}

function mapCall(run: SummaryRun, chunk: Chunk, part: number, parts: number, again?: Flaw): ModelCall {
  const words = renderPieces(run.pieces.slice(chunk.from, chunk.to), run.content.chapters);
  const before = endOf(run.pieces.slice(0, chunk.from));
  const fair = Math.round(chunk.tokens / TOKENS_A_POINT[run.request.length]);
  const points = Math.max(LEAST_POINTS, Math.min(fair, Math.floor(POINTS_IN_ALL / parts)));
  const prompt = mapPrompt({
    material: run.delimiter.wrap(`${run.header}${before && `(${before})\n`}${words}`),
    overlaps: before !== '',
    part,
    parts,
    points,
    unspaced: run.isUnspaced,
    again,
  });
  return {
    stage: 'map',
    ...withSchema(withFocus(prompt, run.request), run.request),
    maxOutputTokens: Math.max(MAP_TOKENS, FORM_TOKENS + points * POINT_TOKENS),
  };
}

/** The last sentences of some pieces. */
function endOf(pieces: readonly Piece[]): string {
  const text = pieces
    .slice(-OVERLAP.words)
    .map((piece) => piece.text)
    .join(' ');
  const sentences = sentencesOf(text).slice(-OVERLAP.sentences).join(' ');
  return sentences.split(/\s+/).slice(-OVERLAP.words).join(' ');
}

async function readPart(
  run: SummaryRun,
  chunk: Chunk,
  answer: ModelAnswer,
): Promise<Read<{ notes: ChunkNotes; dropped: Dropped[] }>> {
  // Many answers may come at once.
  await nextTurn();
  const { value, unstructured } = NOTES_FORM.read(answer.text);
  // Sentences of prose were not proposed as points.
  const proposed: ProposedPoint[] = unstructured
    ? value.points.flatMap(({ text }) => sentencesOf(text).map((sentence) => ({ text: sentence })))
    : value.points;
  const { points, dropped } = await checkPoints(run, proposed, {
    language: run.content.language,
    range: chunk,
  });
  const written = writtenIn(proposed.map(({ text }) => text).join(' '));
  const isOther = run.language !== undefined && written !== undefined && written !== run.language;
  const isEmpty = proposed.length === 0 || (unstructured && isRefusal(run, value.points[0]!.text));
  // Where the reply is cut off, the part was read up to the last note.
  const lastMs = answer.truncated ? (points.at(-1)?.startMs ?? chunk.startMs) : chunk.endMs;
  const read = points.length === 0 ? 0 : (lastMs - chunk.startMs) / Math.max(1, chunk.endMs - chunk.startMs);
  return {
    value: { notes: { chunk, points, read }, dropped: unstructured ? [] : dropped },
    flaw: isOther ? 'language' : isEmpty ? 'empty' : answer.truncated ? 'cut' : undefined,
  };
}

/** Two or more smaller chunks in place of one, as the window is known now. */
function split(run: SummaryRun, chunk: Chunk): Chunk[] | undefined {
  if (chunk.tokens < SMALLEST_SPLIT || chunk.to - chunk.from < 2) return undefined;
  const count = Math.max(2, Math.ceil(chunk.tokens / Math.max(1, tokensOfChunk(run))));
  const parts = chunkTranscript(run.pieces, run.tokensOf, run.content.chapters, count, chunk.from, chunk.to);
  return parts.length > 1 ? parts : undefined;
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
 * @param most tokens of one chunk for which the window has space
 * @param parallel calls at once
 */
export function chunkCount(tokens: number, most: number, parallel: number): number {
  const largest = Math.min(LARGEST_CHUNK, most / (1 + 2 * REACH));
  const fewest = Math.max(1, Math.ceil(tokens / largest));
  const highest = Math.max(fewest, Math.floor(tokens / Math.min(SMALLEST_CHUNK, largest)));
  return Math.min(highest, Math.ceil(fewest / parallel) * parallel);
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
  const size = sums.at(-1)! / count;
  const cuts = new Set([from, to]);
  for (let n = 1; n < count; n++) cuts.add(bestCut(pieces, sums, chapters, from, n * size, size * REACH));
  const borders = [...cuts].sort((a, b) => a - b);
  return borders.slice(1).map((end, i) => {
    const begin = borders[i]!;
    return {
      from: begin,
      to: end,
      startMs: pieces[begin]!.startMs,
      endMs: pieces[end - 1]!.endMs,
      tokens: sums[end - from]! - sums[begin - from]!,
    };
  });
}

/** The piece before which to cut, near `target` tokens from the start: the best border in reach, else the nearest. */
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
  for (let i = 1; i < sums.length - 1; i++) {
    const distance = Math.abs(sums[i]! - target) / (reach || 1);
    const score = (distance <= 1 ? borderScore(pieces, chapters, from + i) : 0) - distance;
    if (score > bestScore) [best, bestScore] = [from + i, score];
  }
  return best;
}

/** How good it is to cut before piece `i`: 3 for a chapter, up to 2 for a pause, 0.5 for a sentence end. */
function borderScore(pieces: readonly Piece[], chapters: readonly Chapter[], i: number): number {
  const before = pieces[i - 1]!;
  const after = pieces[i]!;
  if (chapters.some(({ startMs }) => startMs > before.startMs && startMs <= after.startMs)) return 3;
  const pause = Math.min(2, Math.max(0, after.startMs - before.endMs) / 1000);
  return pause + (/[.!?…]["'»”)]?$/.test(before.text) ? 0.5 : 0);
}
