import { ContextOverflowError } from '../../model/errors.js';
import type { Summary } from '../summarizer.js';
import { finishSummary } from './steps/finish-summary.js';
import { mapChunks, planChunks } from './steps/map-chunks.js';
import { notesThatFit, renderNotes } from './steps/notes.js';
import { summarizeSimply } from './simple.js';
import type { SummaryRun } from './summary-run.js';
import { tokensForNotes, writeSummary } from './steps/write-summary.js';
import type { Point } from './steps/check-key-points.js';

const MAX_WRITE_ATTEMPTS = 3;

/**
 * Reads the transcript in parts, in parallel; verifies the notes of each part; writes once. After CAHM (arXiv 2502.00977): with the notes go words
 * of the source, which keep the text from drifting, and notes are not merged by the model, which amplifies what it invents.
 *
 * @throws what the model client throws when no part could be read or the text could not be written
 */
export async function summarizeRecursively(run: SummaryRun): Promise<Summary> {
  const chunks = await planChunks(run);
  if (chunks.length <= 1) return summarizeSimply(run, 'recursive');
  const model = run.models.write;
  const read = await mapChunks(run, chunks);
  let notes: readonly Point[] = read.flatMap(({ points }) => points);
  for (let attempt = 1; ; attempt++) {
    const tokensLeft = tokensForNotes(run, model, [{ type: 'text', text: run.delimiter.wrap(run.header) }]);
    notes = notesThatFit(run, notes, Math.floor(tokensLeft / attempt));
    const text = run.delimiter.wrap(run.header + renderNotes(notes, run.content.chapters));
    try {
      const material = { parts: [{ type: 'text' as const, text }], notes };
      const written = await writeSummary(run, model, material);
      return await finishSummary(run, { method: 'recursive', written, notes, chunks: read });
    } catch (error) {
      // The window turned out to be smaller than assumed: fewer notes go along.
      if (!(error instanceof ContextOverflowError) || attempt === MAX_WRITE_ATTEMPTS) throw error;
    }
  }
}
