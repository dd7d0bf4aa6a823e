import { nextTurn } from '../core/async.js';
import { ToolsError, UpstreamInvalidError } from '../core/errors.js';
import type { Warning } from '../core/warning.js';
import { withFork } from '../core/context.js';
import { roughTokens } from '../model/model-profile.js';
import { BudgetExceededError } from '../model/usage-meter.js';
import { ContextOverflowError } from '../model/errors.js';
import { askTwice, readReply, type Flaw } from '../model/ask-twice.js';
import type { Chapter } from '../content/content-source.js';
import { evenly } from '../content/transcript-formats.js';
import type { ModelReply, ModelCall } from '../model/call.js';
import { NOTES_FORM, mapPrompt, withFocus, withOutputSchema, type ProposedPoint } from './prompts.js';
import { sentencesOf } from '../text/sentences.js';
import type { Problem } from '../data/prompts.js';
import { checkPoints, isRefusal, writtenIn, type Point } from './key-points.js';
import { chapterHeadings, renderLines, type PromptLine } from './prompt-transcript.js';
import type { SummaryRun } from './summary-run.js';

/** A part of the transcript that is read by one call: pieces `from` (inclusive) to `to` (exclusive). */
interface Chunk {
  from: number;
  to: number;
  startMs: number;
  endMs: number;
  /** Estimated tokens of its words. */
  tokens: number;
}

export interface ChunkNotes {
  chunk: Chunk;
  /** Verified; in order of time. */
  points: Point[];
  /** Statements that do not hold. */
  dropped: Problem[];
  /** Share of the part that the model has read, 0..1. */
  read: number;
  /** What is wrong with the model's reply. */
  flaw?: Flaw | undefined;
}

/** Points to ask for: one for this many tokens of a part, this many at least, and no more than the notes may have together; set by hand. */
const TOKENS_A_POINT = 225;
const LEAST_POINTS = 5;
/** Tokens of a point with its quotation, and of the object around them; set by hand. */
const POINT_TOKENS = 70;
const FORM_TOKENS = 300;
/** Words of the part before with which a part begins, so that "he" has a name; set by hand. */
const OVERLAP_WORDS = 40;
/** Plain bound of the notes on a part. */
const MAP_TOKENS = 1500;
/** Tokens of the prompt, delimiter and time marks around a chunk, and the share by which an estimate may be off; set by hand. */
const PROMPT_OVERHEAD = 350;
const SAFETY = 0.88;
/** Splitting a chunk with fewer tokens is of no use. A plain bound. */
const SMALLEST_SPLIT = 200;
/** After this many calls in a row that failed for good, the model counts as down; set by hand. */
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
  await nextTurn(run.context.signal);
  const count = Math.ceil(run.tokens / Math.max(1, Math.min(LARGEST_CHUNK, tokensOfChunk(run))));
  return chunkTranscript(run.pieces, run.tokensOf, count);
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
    try {
      const notes = await askTwice(run.context, async (again) => {
        // Sending a call takes milliseconds. All calls in one turn would hold the event loop.
        await nextTurn(run.context.signal);
        const call = mapCall(run, chunk, part, total, again);
        return readPart(run, chunk, await run.models.map.generate(call, run.context, run.meter));
      });
      state.failuresInRow = 0;
      state.read++;
      return [notes];
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
      return [{ chunk, points: [], dropped: [], read: 0 }];
    }
  };

  const notes = await Promise.all(
    chunks.map(async (chunk, i) => {
      const chunkNotes = await readChunk(chunk, i + 1);
      run.context.progress({ stage: 'map', done: ++state.done, total });
      return chunkNotes;
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
  return all;
}

/** A warning about parts that were not read. */
export function unreadWarnings(notes: readonly ChunkNotes[]): Warning[] {
  const unread = notes.filter(({ read }) => read < 1).length;
  const message = `Of ${notes.length} parts ${unread} could not be read by the model, or only in part.`;
  return unread === 0 ? [] : [{ code: 'partial_coverage', message, transient: true }];
}

/** Share of the transcript that the model has read, by tokens. */
export function shareRead(notes: readonly ChunkNotes[]): number {
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
  const words = renderLines(run.pieces.slice(chunk.from, chunk.to), run.content.chapters);
  const before = run.pieces
    .slice(Math.max(0, chunk.from - OVERLAP_WORDS), chunk.from)
    .flatMap(({ text }) => text.split(' '))
    .slice(-OVERLAP_WORDS)
    .join(' ');
  const fair = Math.round(chunk.tokens / TOKENS_A_POINT);
  const { profile } = run.models.write;
  const inAll = Math.min(LARGEST_NOTES, profile.promptTokens(run.size.outputTokens)) / POINT_TOKENS;
  const points = Math.max(LEAST_POINTS, Math.min(fair, Math.floor(inAll / parts)));
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
    ...withOutputSchema(withFocus(prompt, run.request), run.request),
    maxOutputTokens: Math.max(MAP_TOKENS, FORM_TOKENS + points * POINT_TOKENS),
  };
}

async function readPart(run: SummaryRun, chunk: Chunk, reply: ModelReply): Promise<ChunkNotes> {
  // Many answers may come at once.
  await nextTurn(run.context.signal);
  const { value, unstructured, end } = readReply(NOTES_FORM, reply);
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
  // Where the reply is cut off or broken, the part was read up to the last note.
  const lastMs = end ? (points.at(-1)?.startMs ?? chunk.startMs) : chunk.endMs;
  const read = points.length === 0 ? 0 : (lastMs - chunk.startMs) / Math.max(1, chunk.endMs - chunk.startMs);
  const flaw = isOther ? 'language' : isEmpty ? 'empty' : end;
  return { chunk, points, dropped: unstructured ? [] : dropped, read, flaw };
}

/** Two or more smaller chunks in place of one, as the window is known now. */
function split(run: SummaryRun, chunk: Chunk): Chunk[] | undefined {
  if (chunk.tokens < SMALLEST_SPLIT || chunk.to - chunk.from < 2) return undefined;
  const count = Math.max(2, Math.ceil(chunk.tokens / Math.max(1, tokensOfChunk(run))));
  const parts = chunkTranscript(run.pieces, run.tokensOf, count, chunk.from, chunk.to);
  return parts.length > 1 ? parts : undefined;
}

/** Larger chunks are read less carefully in the middle (arXiv 2310.10570); smaller ones cost more prompts than they gain. */
const LARGEST_CHUNK = 8000;

/** Cuts pieces `from`..`to` into `count` chunks of about as many tokens. Every piece is in exactly one chunk; none is empty. */
export function chunkTranscript(
  pieces: readonly PromptLine[],
  tokensOf: readonly number[],
  count: number,
  from = 0,
  to = pieces.length,
): Chunk[] {
  const size = tokensOf.slice(from, to).reduce((sum, tokens) => sum + tokens, 0) / count;
  const chunks: Chunk[] = [];
  let before = 0;
  for (let i = from; i < to; i++) {
    const { startMs, endMs } = pieces[i]!;
    if (before >= size * chunks.length) chunks.push({ from: i, to: i, startMs, endMs, tokens: 0 });
    const chunk = chunks.at(-1)!;
    chunk.to = i + 1;
    chunk.endMs = endMs;
    chunk.tokens += tokensOf[i]!;
    before += tokensOf[i]!;
  }
  return chunks;
}

/** Most tokens of notes: models read a long list as carelessly as a long text; set by hand. */
const LARGEST_NOTES = 12_000;
/** Models round the second of a note; a plain bound. */
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

/** The note whose second a statement names. */
export function noteOf({ t: second = NaN }: ProposedPoint, notes: readonly Point[]): Point | undefined {
  return notes.find(({ startMs }) => Math.abs(Math.floor(startMs / 1000) - second) <= SECOND_TOLERANCE);
}
