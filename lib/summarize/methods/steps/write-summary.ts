import { ToolsError, UpstreamInvalidError } from '../../../core/errors.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import type { ModelClient } from '../../../model/client.js';
import { askedOf, writePrompt, type Again, type WritePromptInput } from '../../prompts/write.prompt.js';
import { MAX_LENGTH_FACTOR } from '../parse/limit-text.js';
import type { Point } from '../parse/point.js';
import { SummaryStream } from '../parse/summary-stream.js';
import type { SummaryRun } from '../summary-run.js';
import { SentenceChecker } from '../verify/check-sentences.js';
import { askModel } from './ask-model.js';
import { knownOutput, marksOf, readWritten, type Written } from './read-written.js';

/** Material for the text of a summary. */
interface WriteMaterial {
  parts: readonly PromptPart[];
  /** The notes in it; absent when it is the transcript itself. */
  notes?: readonly Point[];
}

/** The prompt of the write step, for asking and for estimating. */
export function writeCall(
  run: SummaryRun,
  material: WriteMaterial,
  again?: Again,
): { stage: string; system: string; parts: PromptPart[]; maxOutputTokens: number } {
  const prompt = writePrompt(inputOf(run, material, again), material.parts);
  return { stage: 'write', ...prompt, maxOutputTokens: run.size.outputTokens };
}

function inputOf(
  { size, request }: SummaryRun,
  { parts, notes }: WriteMaterial,
  again: Again | undefined,
): WritePromptInput {
  return {
    language: request.outputLanguage,
    size,
    material: notes ? 'notes' : 'transcript',
    pictures: parts.some(({ type }) => type === 'image'),
    ...(again === undefined ? {} : { again }),
  };
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
  const asked = askedOf(inputOf(run, material, again));
  let checker: SentenceChecker | undefined;
  const sentences = (): SentenceChecker =>
    (checker ??= new SentenceChecker(facts, known, request.outputLanguage, asked));
  const stream = new SummaryStream(
    (text) => context.progress({ stage: 'write', text }),
    {
      check: (sentence) => {
        const checked = sentences().check(sentence);
        return checked && !checked.invented && !checked.chatter ? checked.text : undefined;
      },
      begins: (text) => sentences().begins(text),
    },
    request.outputLanguage,
    size.words * MAX_LENGTH_FACTOR,
  );
  const answer = await askModel(run, model, {
    ...writeCall(run, material, again),
    onText: (delta) => stream.push(delta),
    onRestart: () => {
      stream.restart();
      checker = undefined;
      context.progress({ stage: 'rewrite' });
    },
  });
  stream.end(!answer.truncated);
  const written = await readWritten(run, answer.text, { ...material, asked }, answer.truncated);
  if (answer.truncated && !written.empty) {
    const message = "The model's answer ends in the middle: it ran out of tokens, or its connection was cut.";
    run.warnings.push({ code: 'summary_truncated', message });
  }
  return written;
}
