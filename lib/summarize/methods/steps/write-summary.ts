import { UpstreamInvalidError } from '../../../core/errors.js';
import { countWords, detectLanguage, WHOLE_TEXT, type Language } from '../../../core/text/index.js';
import type { ModelClient } from '../../../model/client.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import { SUMMARY_WORDS, writePrompt } from '../../prompts/write.prompt.js';
import { askModel } from './ask-model.js';
import { cleanOutput, dropUnfinished, limitWords } from '../parse/clean-output.js';
import type { SummaryRun } from '../summary-run.js';
import { SummaryStream } from '../parse/summary-stream.js';
import { parseWritten, type WrittenSummary } from '../parse/written-summary.js';

/** Tokens that a written answer may have: prose, key points and sections, in the wordiest of the six languages. */
export const WRITE_TOKENS = { short: 1200, medium: 1600, long: 2400 } as const;
const MIN_WORDS = 5;

/** A written answer with the language it is really in. */
export interface Written extends WrittenSummary {
  language: Language;
}

/** The prompt of the write step, for asking and for estimating. */
export function writeCall(
  run: SummaryRun,
  kind: 'transcript' | 'notes',
  material: readonly PromptPart[],
  again = false,
): { stage: string; system: string; parts: PromptPart[]; maxOutputTokens: number } {
  const { length, outputLanguage: language } = run.request;
  const pictures = material.some(({ type }) => type === 'image');
  const prompt = writePrompt(
    { fence: run.fence, language, length, material: kind, pictures, again },
    material,
  );
  return { stage: 'write', ...prompt, maxOutputTokens: WRITE_TOKENS[length] };
}

/**
 * Has the summary written, streams it, and checks it: no fence, no address that the source has not, no more than twice the length
 * asked for, in the language asked for (one more try where it is not).
 *
 * @throws UpstreamInvalidError when nothing usable is left; what the model client throws
 */
export async function writeSummary(
  run: SummaryRun,
  model: ModelClient,
  kind: 'transcript' | 'notes',
  material: readonly PromptPart[],
): Promise<Written> {
  const first = await writeOnce(run, model, kind, material, false);
  if (first.language === run.request.outputLanguage) return first;
  run.context.progress({ stage: 'rewrite' });
  const second = await writeOnce(run, model, kind, material, true);
  return second;
}

async function writeOnce(
  run: SummaryRun,
  model: ModelClient,
  kind: 'transcript' | 'notes',
  material: readonly PromptPart[],
  again: boolean,
): Promise<Written> {
  const { context, request } = run;
  const stream = new SummaryStream((text) => context.progress({ stage: 'write', text }), run.hasAddress);
  const answer = await askModel(run, model, {
    ...writeCall(run, kind, material, again),
    onText: (delta) => stream.push(delta),
    onRestart: () => {
      stream.restart();
      context.progress({ stage: 'rewrite' });
    },
  });
  stream.end();
  const written = parseWritten(answer.text);
  const unfinished = answer.truncated && written.keyPoints.length === 0;
  const clean = cleanOutput(unfinished ? dropUnfinished(written.text) : written.text, run.hasAddress);
  const text = limitWords(clean, SUMMARY_WORDS[request.length]);
  if (countWords(text) < MIN_WORDS) {
    throw new UpstreamInvalidError('The language model gave no usable summary.');
  }
  if (answer.truncated) {
    const message = "The model's answer ends in the middle: it ran out of tokens, or its connection was cut.";
    run.warnings.push({ code: 'summary_truncated', message });
  }
  return { ...written, text, language: detectLanguage(text, WHOLE_TEXT) ?? request.outputLanguage };
}
