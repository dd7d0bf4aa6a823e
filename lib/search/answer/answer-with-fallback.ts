import type { ToolContext } from '../../core/context.js';
import { ToolsError } from '../../core/errors.js';
import { failureOf } from '../../core/failures.js';
import { trackSpend, type ModelUsage } from '../../core/usage.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { harmlessMarkdown } from '../../text/clean-output.js';
import type { Answer, AnswerEngine, AnswerPassage } from '../answer-engine.js';

/** What writes answers. */
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
  engines: AnswerEngines,
  query: string,
  passages: AnswerPassage[],
  context: ToolContext,
  schema?: OutputSchema,
): Promise<Answer> {
  context.progress({ stage: 'answer' });
  const shown = new ShownText(context);
  const answer = await answerFrom(engines, query, passages, shown.context, schema);
  shown.end(harmlessMarkdown(answer.text));
  return answer;
}

async function answerFrom(
  { answers, fallbackAnswers }: AnswerEngines,
  query: string,
  passages: AnswerPassage[],
  context: ToolContext,
  schema: OutputSchema | undefined,
): Promise<Answer> {
  const own = trackSpend(context);
  let spent: ModelUsage | undefined;
  try {
    const answer = await answers.answer(query, passages, own.context, (usage) => (spent = usage), schema);
    own.record(answer.usage);
    return answer;
  } catch (error) {
    own.record(spent);
    if (!fallbackAnswers || schema || context.signal.aborted) throw error;
    const answer = await fallbackAnswers.answer(query, passages, context);
    const failure = failureOf(answers.engine, error);
    context.fellBack?.({ part: answers.engine, error: failure, by: fallbackAnswers.engine });
    const reason = ToolsError.isInstance(error) ? error.code : 'failed';
    const warning = {
      code: 'answer_engine_failed',
      message: `${answers.engine} did not answer (${reason}); ${fallbackAnswers.engine} did.`,
    };
    return { ...answer, ...(spent ? { usage: spent } : {}), warnings: [warning, ...answer.warnings] };
  }
}

/** The text of an answer as callers have seen it so far. */
class ShownText {
  readonly context: ToolContext;
  private text = '';

  constructor(parent: ToolContext) {
    const progress: ToolContext['progress'] = (event) => {
      if (event.stage === 'rewrite') {
        if (this.text === '') return;
        this.text = '';
      } else this.text += event.text ?? '';
      parent.progress(event);
    };
    this.context = { ...parent, progress };
  }

  /** Shows the rest of the final text; anew where it differs from what was shown. */
  end(text: string): void {
    if (!text.startsWith(this.text)) this.context.progress({ stage: 'rewrite' });
    const rest = text.slice(this.text.length);
    if (rest !== '') this.context.progress({ stage: 'answer', text: rest });
  }
}
