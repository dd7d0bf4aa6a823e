import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolContext } from '../../core/context.js';
import { ToolsError } from '../../core/errors.js';
import { failureOf } from '../../core/failures.js';
import { NO_USAGE, trackSpend } from '../../core/usage.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { harmlessMarkdown } from '../../text/sanitize-output.js';
import type { Answer, AnswerEngine, AnswerPassage } from '../answer-engine.js';

export interface AnswerEngines {
  answers: AnswerEngine;
  /** Takes over when `answers` fails: the embedded engine, if there is a model. */
  fallbackAnswers?: AnswerEngine;
}

/**
 * The answer of the engine; where it fails, that of the embedded engine with a warning. Its text is reported as progress while it is written.
 * @param schema of the data to fill in addition; nothing takes over for an engine that fills it
 * @throws what the engine throws where nothing takes over; the context's reason when it is aborted
 */
export async function writeAnswer(
  { answers, fallbackAnswers }: AnswerEngines,
  query: string,
  passages: AnswerPassage[],
  context: ToolContext,
  schema?: OutputSchema,
): Promise<Answer> {
  context.progress({ stage: 'answer' });
  let shown = '';
  const progress: ToolContext['progress'] = (event) => {
    // Nothing was shown that could be written anew.
    if (event.stage === 'rewrite' && shown === '') return;
    shown = event.stage === 'rewrite' ? '' : shown + (event.text ?? '');
    context.progress(event);
  };
  const spending = trackSpend({ ...context, progress });
  let answer: Answer;
  try {
    answer = await answers.answer(query, passages, spending.context, schema);
  } catch (error) {
    if (!fallbackAnswers || schema || context.signal.aborted) throw error;
    const failure = failureOf(answers.engine, error);
    context.fellBack?.({ part: answers.engine, error: failure, by: fallbackAnswers.engine });
    const reason = ToolsError.isInstance(error) ? error.code : 'failed';
    const warning = {
      code: 'answer_engine_failed',
      message: `${answers.engine} did not answer (${reason}); ${fallbackAnswers.engine} did.`,
      transient: true,
    };
    const embedded = await fallbackAnswers.answer(query, passages, context);
    // A call that was given up books its tokens as it ends, a turn later.
    await nextTurn(context.signal);
    answer = { ...embedded, usage: spending.spent() ?? NO_USAGE, warnings: [warning, ...embedded.warnings] };
  }
  spending.record(answer.usage);
  const text = harmlessMarkdown(answer.text);
  if (!text.startsWith(shown)) progress({ stage: 'rewrite' });
  const rest = text.slice(shown.length);
  if (rest !== '') progress({ stage: 'answer', text: rest });
  return answer;
}
