import { ContentTooLongError } from '../../core/errors.js';
import type { PromptPart } from '../../model/ai-sdk.js';
import { estimatePrompt } from '../../model/context-window.js';
import type { Summary } from '../summarizer.js';
import { finishSummary } from './steps/finish-summary.js';
import { renderLines } from './prompt-transcript.js';
import type { SummaryRun } from './summary-run.js';
import { dataCall } from './steps/write-data.js';
import { writeCall, writeSummary } from './steps/write-summary.js';

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
