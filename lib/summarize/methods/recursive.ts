import { ContextOverflowError } from '../../model/errors.js';
import type { Summary } from '../summarizer.js';
import { finishSummary } from './steps/finish-summary.js';
import { coverageOf, mapChunks, planChunks, type ChunkNotes } from './steps/map-chunks.js';
import { mergeNotes, renderNotes, type Notes } from './steps/merge-notes.js';
import { summarizeSimply } from './simple.js';
import type { SummaryRun } from './summary-run.js';
import type { Point } from './parse/point.js';
import type { Written } from './steps/read-written.js';
import { writeCall, writeSummary } from './steps/write-summary.js';

/** Rounding of the estimate between notes alone and notes in their prompt. */
const MARGIN = 100;
const MAX_WRITE_ATTEMPTS = 3;

/**
 * Reads the transcript in parts, in parallel; verifies what each part gives; merges it as far as needed; writes once.
 * After CAHM (arXiv 2502.00977): sentences of the source go along to the merge, which keeps it from drifting.
 *
 * @throws what the model client throws when no part could be read or the text could not be written
 */
export async function summarizeRecursively(run: SummaryRun, engine: string): Promise<Summary> {
  const chunks = await run.decide('chunks', () => planChunks(run));
  if (chunks.length <= 1) return summarizeSimply(run, engine, 'recursive');
  const leaves = await mapChunks(run, chunks);
  const coverage = coverageOf(leaves);
  if (coverage < 1) {
    const unread = leaves.filter(({ read }) => !read).length;
    run.warnings.push({
      code: 'partial_coverage',
      message: `${unread} of ${leaves.length} parts could not be read by the model; sentences of the transcript stand in for them.`,
    });
  }
  run.context.progress({ stage: 'write', done: 0, total: 1 });
  const { written, notes } = await writeFromNotes(run, leaves);
  run.context.progress({ stage: 'write', done: 1, total: 1 });
  return finishSummary(run, {
    method: 'recursive',
    engine,
    written,
    notes: pointsOf(notes),
    coverage,
  });
}

/** Merges as far as the window demands and writes; a window that turns out smaller is met by merging further. */
async function writeFromNotes(
  run: SummaryRun,
  leaves: readonly ChunkNotes[],
): Promise<{ written: Written; notes: Notes[] }> {
  const model = run.models.write;
  let notes: Notes[] = [...leaves];
  for (let attempt = 1; ; attempt++) {
    const empty = writeCall(run, { parts: [{ type: 'text', text: run.fence.wrap(run.header) }], notes: [] });
    const room = model.promptTokens(run.size.outputTokens) - model.estimateCall(empty) - MARGIN;
    notes = await mergeNotes(run, notes, Math.floor(room / attempt));
    const text = run.fence.wrap(run.header + renderNotes(notes, run.content.chapters));
    try {
      const material = { parts: [{ type: 'text' as const, text }], notes: pointsOf(notes) };
      return { written: await writeSummary(run, model, material), notes };
    } catch (error) {
      if (!(error instanceof ContextOverflowError) || attempt === MAX_WRITE_ATTEMPTS) throw error;
    }
  }
}

/** Everything in the notes that a key point may rest on: their points, and the evidence, which is not a point itself. */
function pointsOf(notes: readonly Notes[]): Point[] {
  return notes.flatMap(({ points, evidence }) => [
    ...points,
    ...evidence.map(({ text, startMs }) => ({ claim: text, startMs, quote: text, standIn: true })),
  ]);
}
