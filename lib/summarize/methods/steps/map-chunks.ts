import { ToolsError } from '../../../core/errors.js';
import { fork, type ToolContext } from '../../../core/context.js';
import { BudgetExceededError } from '../../../model/options.js';
import { ContextOverflowError } from '../../../model/errors.js';
import type { ModelAnswer, ModelCall } from '../../../model/call.js';
import type { EvidenceSentence } from '../../evidence-ranker.js';
import { mapPrompt, repairPrompt } from '../../prompts/map.prompt.js';
import { askModel, askModelSideBySide } from './ask-model.js';
import { chunkCount, chunkTranscript, type Chunk } from './chunk-transcript.js';
import { renderPieces } from '../material.js';
import { parsePoints } from '../parse/points.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import type { SummaryRun } from '../summary-run.js';

/** The notes and facts of one part. */
export interface ChunkNotes {
  chunk: Chunk;
  /** Verified; in order of time. */
  points: Point[];
  /** The sentences of the transcript that say most. */
  evidence: EvidenceSentence[];
  /** False when the model could not read the part and its own sentences stand in. */
  read: boolean;
}

/** Points wanted: one for so many tokens of a part, within these bounds, and so many of all parts together. */
const TOKENS_A_POINT = 450;
const POINTS_PER_CHUNK = { least: 6, most: 16 };
const POINTS_IN_ALL = 160;
const EVIDENCE_PER_CHUNK = 2;
const STAND_IN_SENTENCES = 6;
export const MAP_TOKENS = 1500;
/** Tokens of the prompt, delimiter and time marks around a chunk, and the share by which an estimate may be off. */
const PROMPT_OVERHEAD = 350;
const SAFETY = 0.88;
/** A chunk this small that still does not fit cannot be split to any use. */
const SMALLEST_SPLIT = 200;
/** Calls that failed for good in a row, without one success between, after which the model is taken to be down. */
const FAILURES_TO_GIVE_UP = 3;
/** Words on each side of a second that a repair is shown. */
const REPAIR_WINDOW_MS = 40_000;
const REPAIR_AT_MOST = 6;

/** Tokens of transcript that one map call can take. */
function chunkRoom(run: SummaryRun): number {
  return Math.floor((run.models.map.promptTokens(MAP_TOKENS) - PROMPT_OVERHEAD) * SAFETY);
}

/** The chunks of a run, as the window is known now. */
export function planChunks(run: SummaryRun): Chunk[] {
  const count = chunkCount(run.tokens, chunkRoom(run), run.models.map.options.maxParallelCalls);
  return chunkTranscript(run.pieces, run.tokensOf, run.content.chapters, count);
}

/**
 * Reads all chunks in parallel. A chunk that cannot be read is stood in for by its own sentences; one that does not fit is split.
 *
 * @throws the model's error when no chunk could be read or the model is evidently down: nothing more is sent then
 */
export async function mapChunks(run: SummaryRun, chunks: readonly Chunk[]): Promise<ChunkNotes[]> {
  const group = fork(run.context);
  const state = { done: 0, read: 0, failuresInRow: 0, firstError: undefined as Error | undefined };
  const total = chunks.length;
  run.context.progress({ stage: 'map', done: 0, total });

  const readChunk = async (
    chunk: Chunk,
    part: number,
    answer: Promise<ModelAnswer>,
  ): Promise<ChunkNotes[]> => {
    try {
      const points = await readPoints(run, group.context, chunk, await answer);
      state.failuresInRow = 0;
      state.read++;
      return [await notesOf(run, chunk, points)];
    } catch (error) {
      group.context.signal.throwIfAborted();
      if (error instanceof ContextOverflowError) {
        const halves = split(run, chunk);
        if (!halves) throw error;
        const ask = (half: Chunk): Promise<ModelAnswer> =>
          askModel(run, run.models.map, mapCall(run, half, part, total), group.context);
        return (await Promise.all(halves.map((half) => readChunk(half, part, ask(half))))).flat();
      }
      if (!standsIn(error)) throw error;
      state.firstError ??= error;
      state.failuresInRow++;
      // With a journal all answers are there at once, and their order says nothing about the model.
      const down =
        !run.context.journal &&
        error.getStatus() >= 503 &&
        (state.read === 0 || state.failuresInRow >= FAILURES_TO_GIVE_UP);
      if (down) throw error;
      return [await notesOf(run, chunk, undefined)];
    }
  };

  try {
    const calls = chunks.map((chunk, i) => mapCall(run, chunk, i + 1, total));
    const answers = askModelSideBySide(run, run.models.map, calls, group.context);
    const notes = await Promise.all(
      chunks.map(async (chunk, i) => {
        const own = await readChunk(chunk, i + 1, answers[i]!);
        run.context.progress({ stage: 'map', done: ++state.done, total });
        return own;
      }),
    );
    if (state.read === 0 && state.firstError) throw state.firstError;
    return notes.flat();
  } catch (error) {
    group.abort(error);
    throw error;
  } finally {
    group.dispose();
  }
}

/** Share of the transcript that the model has read, by tokens. */
export function coverageOf(notes: readonly ChunkNotes[]): number {
  const all = notes.reduce((sum, { chunk }) => sum + chunk.tokens, 0);
  const read = notes.reduce((sum, { chunk, read }) => sum + (read ? chunk.tokens : 0), 0);
  return all === 0 ? 1 : read / all;
}

/** Errors of one call that a request survives. */
function standsIn(error: unknown): error is ToolsError {
  if (error instanceof BudgetExceededError) return true;
  return (
    ToolsError.isInstance(error) &&
    error.getStatus() >= 502 &&
    (error.shouldRetry || error.getStatus() === 502)
  );
}

/** The call that reads one part. */
function mapCall(run: SummaryRun, chunk: Chunk, part: number, parts: number): ModelCall {
  const { fence } = run;
  const material = run.header + renderPieces(run.pieces.slice(chunk.from, chunk.to), run.content.chapters);
  const fair = Math.min(Math.round(chunk.tokens / TOKENS_A_POINT), Math.floor(POINTS_IN_ALL / parts));
  const points = Math.min(POINTS_PER_CHUNK.most, Math.max(POINTS_PER_CHUNK.least, fair));
  const prompt = mapPrompt({ fence, material, part, parts, points });
  return { stage: 'map', ...prompt, maxOutputTokens: MAP_TOKENS };
}

async function readPoints(
  run: SummaryRun,
  context: ToolContext,
  chunk: Chunk,
  answer: ModelAnswer,
): Promise<Point[]> {
  const parsed = parsePoints(answer.text, run.language);
  const range = run.index.rangeOfPieces(chunk.from, chunk.to);
  let { points, rejected } = run.facts.verifyPoints(parsed.points, range);
  // Sentences of prose were not proposed as points.
  if (parsed.form === 'prose') return points;
  if (rejected.length >= 2 && rejected.length > points.length) {
    const repaired = await repair(run, context, chunk, rejected.slice(0, REPAIR_AT_MOST));
    const all = run.facts.verifyPoints([...points, ...repaired], range).points;
    rejected = rejected.slice(all.length - points.length);
    points = all;
  }
  for (const { flaw } of rejected) run.dropped[flaw]++;
  return points;
}

/** Asks once for the points that did not hold; a repair that fails costs nothing but itself. */
async function repair(
  run: SummaryRun,
  context: ToolContext,
  chunk: Chunk,
  rejected: readonly ProposedPoint[],
): Promise<ProposedPoint[]> {
  const pieces = run.pieces.slice(chunk.from, chunk.to);
  const near = pieces.filter((piece) =>
    rejected.some(({ second }) => Math.abs(piece.startMs - (second ?? -Infinity) * 1000) <= REPAIR_WINDOW_MS),
  );
  if (near.length === 0) return [];
  const prompt = repairPrompt(run.fence, renderPieces(near, []), rejected);
  try {
    const call = { stage: 'repair', ...prompt, maxOutputTokens: MAP_TOKENS };
    const answer = await askModel(run, run.models.map, call, context);
    return parsePoints(answer.text, run.language).points;
  } catch (error) {
    context.signal.throwIfAborted();
    if (ToolsError.isInstance(error)) return [];
    throw error;
  }
}

async function notesOf(run: SummaryRun, chunk: Chunk, points: Point[] | undefined): Promise<ChunkNotes> {
  const pieces = run.pieces.slice(chunk.from, chunk.to);
  const read = points !== undefined && points.length > 0;
  const count = read ? EVIDENCE_PER_CHUNK : STAND_IN_SENTENCES;
  const evidence = await run.evidence.topSentences(pieces, count, run.language);
  if (read) return { chunk, points, evidence, read };
  const standIns = evidence.map(({ text, startMs }) => ({
    claim: text,
    startMs,
    quote: text,
    standIn: true,
  }));
  return { chunk, points: standIns, evidence: [], read };
}

/** Two or more smaller chunks in place of one, as the window is known now. */
function split(run: SummaryRun, chunk: Chunk): Chunk[] | undefined {
  if (chunk.tokens < SMALLEST_SPLIT || chunk.to - chunk.from < 2) return undefined;
  const count = Math.max(2, Math.ceil(chunk.tokens / Math.max(1, chunkRoom(run))));
  const parts = chunkTranscript(run.pieces, run.tokensOf, run.content.chapters, count, chunk.from, chunk.to);
  return parts.length > 1 ? parts : undefined;
}
