import { nextTurn } from '../../../core/async.js';
import { ToolsError, UpstreamInvalidError } from '../../../core/errors.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import type { ModelCall } from '../../../model/call.js';
import type { ModelClient } from '../../../model/client.js';
import { writePrompt, type Again } from '../../prompts.js';
import type { Point } from '../verify/fact-checker.js';
import { SummaryStream } from '../parse/summary-stream.js';
import type { SummaryRun } from '../summary-run.js';
import { SentenceChecker } from '../verify/check-sentences.js';
import { askModel } from './ask-model.js';
import { knownOutput, marksOf, MAX_LENGTH_FACTOR, readWritten, type Written } from './read-written.js';

interface WriteMaterial {
  parts: readonly PromptPart[];
  /** The notes in it; absent when it is the transcript itself. */
  notes?: readonly Point[];
}

/** The call of the write step, for asking and for estimating. */
export function writeCall(
  { size, request }: SummaryRun,
  { parts, notes }: WriteMaterial,
  again?: Again,
): ModelCall & { asked: string } {
  const prompt = writePrompt(parts, {
    language: request.outputLanguage,
    size,
    material: notes ? 'notes' : 'transcript',
    pictures: parts.some(({ type }) => type === 'image'),
    again,
  });
  return { stage: 'write', ...prompt, maxOutputTokens: size.outputTokens };
}

/** Rounding of the estimate between notes alone and notes in their prompt, tokens. */
const MARGIN = 100;

/** Tokens that notes may have in the prompt. @param parts the rest of its material */
export function roomForNotes(
  run: SummaryRun,
  { profile }: ModelClient,
  parts: readonly PromptPart[],
): number {
  const prompt = profile.estimatePrompt(writeCall(run, { parts, notes: [] }));
  return profile.promptTokens(run.size.outputTokens) - prompt - MARGIN;
}

/**
 * Has the summary written, streams it, reads and checks it. Once more is asked for a text that says nothing of the video, such as a refusal,
 * and for one in another language than asked for.
 *
 * @throws UpstreamInvalidError when the model does not summarize, also when asked again; what the model client throws
 */
export async function writeSummary(
  run: SummaryRun,
  model: ModelClient,
  material: WriteMaterial,
): Promise<Written> {
  const first = await writeOnce(run, model, material);
  const flaw = flawOf(run, first);
  if (flaw === undefined) return first;
  run.context.progress({ stage: 'rewrite' });
  let second: Written;
  try {
    second = await writeOnce(run, model, material, flaw);
  } catch (error) {
    run.context.signal.throwIfAborted();
    if (flaw === 'empty' || !(error instanceof ToolsError)) throw error;
    return first;
  }
  if (!second.empty) return second;
  if (!first.empty) return first;
  throw new UpstreamInvalidError(
    'The language model did not summarize the video, even when asked again. It refused, or its text has nothing to do with the transcript.',
    { shouldRetry: false },
  );
}

/** Why a text is asked for again; undefined where it is good. */
function flawOf({ request }: SummaryRun, { empty, language, otherLanguage }: Written): Again | undefined {
  if (empty) return 'empty';
  return language === request.outputLanguage && otherLanguage === undefined ? undefined : 'language';
}

async function writeOnce(
  run: SummaryRun,
  model: ModelClient,
  material: WriteMaterial,
  again?: Again,
): Promise<Written> {
  const { context, facts, request, size } = run;
  const known = knownOutput(run, marksOf(material.parts));
  const { asked, ...call } = writeCall(run, material, again);
  const begin = (): SummaryStream =>
    new SummaryStream(
      (text) => context.progress({ stage: 'write', text }),
      new SentenceChecker(facts, known, request.outputLanguage, asked),
      request.outputLanguage,
      size.words * MAX_LENGTH_FACTOR,
    );
  let stream = begin();
  context.progress({ stage: 'write', done: 0, total: 1 });
  const answer = await askModel(run, model, {
    ...call,
    onText: (delta) => stream.push(delta),
    onRestart: () => {
      stream = begin();
      context.progress({ stage: 'rewrite' });
    },
  });
  // The end of the answer and its check are work of their own.
  await nextTurn();
  stream.end(!answer.truncated);
  await nextTurn();
  context.progress({ stage: 'write', done: 1, total: 1 });
  const written = await readWritten(run, answer.text, { ...material, asked }, answer.truncated);
  if (answer.truncated && !written.empty) {
    const message = "The model's answer ends in the middle: it ran out of tokens, or its connection was cut.";
    run.warnings.push({ code: 'summary_truncated', message });
  }
  return written;
}
