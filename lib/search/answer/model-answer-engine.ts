import { lazy } from '../../core/async.js';
import type { ModelClient } from '../../model/client.js';
import type { AnswerEngine } from '../answer-engine.js';
import type { ModelAnswerOptions } from './model-answer.js';

/** Answers that `model` writes, checked in code. `fallback` answers where the model does not. Loaded with the first answer, not with the host. */
export function modelAnswers(
  model: ModelClient,
  fallback: AnswerEngine,
  options: ModelAnswerOptions,
): AnswerEngine {
  const { verifier } = options;
  const version = verifier && `verified by ${verifier === 'model' ? model.id : verifier.name}`;
  const loaded = lazy(async () => {
    const { ModelAnswer } = await import('./model-answer.js');
    return new ModelAnswer(model, fallback, options);
  });
  return {
    engine: model.id,
    fillsSchemas: true,
    ...(version ? { version } : {}),
    answer: async (...question) => (await loaded()).answer(...question),
  };
}
