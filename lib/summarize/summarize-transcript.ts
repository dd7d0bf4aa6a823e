import { ContentTooLongError } from '../core/errors.js';
import { estimatePrompt } from '../model/model-profile.js';
import type { PromptPart } from '../model/ai-sdk.js';
import { ContextOverflowError } from '../model/errors.js';
import { finishSummary } from './finish-summary.js';
import type { Point } from './key-points.js';
import { mapChunks, notesThatFit, planChunks, renderNotes } from './chunks.js';
import { renderLines } from './prompt-transcript.js';
import type { Summary } from './summarizer.js';
import { dataCall } from './summary-data.js';
import type { SummaryRun } from './summary-run.js';
import { tokensForNotes, writeCall, writeSummary } from './summary-text.js';

/** With half and a third of the notes; a plain bound. */
const MAX_WRITE_ATTEMPTS = 3;
function wholeTranscript(run: SummaryRun): PromptPart[] {
  const text = run.header + renderLines(run.pieces, run.content.chapters);
  return [{ type: 'text', text: run.delimiter.wrap(text) }];
}

/** Estimated tokens of the longest prompt, and how many the window leaves for it. */
function promptSize(run: SummaryRun): { needed: number; left: number } {
  const { profile } = run.models.write;
  const sizes = [writeCall(run, { parts: wholeTranscript(run) }), dataCall(run) ?? []].flat().map((call) => ({
    needed: estimatePrompt(call),
    left: profile.promptTokens(call.maxOutputTokens),
  }));
  return sizes.reduce((a, b) => (b.left - b.needed < a.left - a.needed ? b : a));
}

export function fitsOneCall(run: SummaryRun): boolean {
  const { needed, left } = promptSize(run);
  return needed <= left;
}

/**
 * One call that reads everything and writes the summary. Nothing is cut: a transcript that does not fit is refused.
 *
 * @param method what to report: a `recursive` whose transcript is a single part is this very call
 * @throws ContentTooLongError with the numbers; what the model client throws
 */
export async function summarizeSimply(
  run: SummaryRun,
  method: 'simple' | 'recursive' = 'simple',
): Promise<Summary> {
  const model = run.models.write;
  const { needed, left } = promptSize(run);
  if (needed > left) {
    throw new ContentTooLongError(
      `The content needs about ${needed} tokens in one call; the model's window of ${model.profile.contextTokens} leaves ${left}. Use the method recursive.`,
      { details: { tokens: needed, room: left, contextTokens: model.profile.contextTokens } },
    );
  }
  const written = await writeSummary(run, model, { parts: wholeTranscript(run) });
  return finishSummary(run, { method, written });
}

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
