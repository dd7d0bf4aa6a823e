import { ContentTooLongError } from '../../core/errors.js';
import type { PromptPart } from '../../model/ai-sdk.js';
import type { Summary } from '../summarizer.js';
import { finishSummary } from './steps/finish-summary.js';
import { renderPieces } from './material.js';
import type { SummaryRun } from './summary-run.js';
import { writeCall, writeSummary } from './steps/write-summary.js';

/** The whole transcript as material. */
function wholeTranscript(run: SummaryRun): PromptPart[] {
  const text = run.header + renderPieces(run.pieces, run.content.chapters);
  return [{ type: 'text', text: run.fence.wrap(text) }];
}

/** Estimated tokens of the prompt that `simple` sends. */
export function simplePromptTokens(run: SummaryRun): number {
  return run.models.write.estimateCall(writeCall(run, { parts: wholeTranscript(run) }));
}

/**
 * One call that reads everything and writes the summary. Nothing is cut: what does not fit is refused.
 *
 * @param method what to report: a `recursive` whose transcript is a single part is this very call
 * @throws ContentTooLongError with the numbers; what the model client throws
 */
export async function summarizeSimply(
  run: SummaryRun,
  engine: string,
  method: 'simple' | 'recursive' = 'simple',
): Promise<Summary> {
  const model = run.models.write;
  const material = { parts: wholeTranscript(run) };
  const needed = model.estimateCall(writeCall(run, material));
  const room = model.promptTokens(run.size.outputTokens);
  if (needed > room) {
    throw new ContentTooLongError(
      `The content needs about ${needed} tokens in one call; the model's window of ${model.contextTokens} leaves room for ${room}. Use the method recursive.`,
      { details: { tokens: needed, room, contextTokens: model.contextTokens } },
    );
  }
  run.context.progress({ stage: 'write', done: 0, total: 1 });
  const written = await writeSummary(run, model, material);
  run.context.progress({ stage: 'write', done: 1, total: 1 });
  return finishSummary(run, { method, engine, written, coverage: 1 });
}
