import { lazy } from '../../core/async.js';
import { modelId, type LanguageModelLike } from '../../model/ai-sdk.js';
import type { ModelClient } from '../../model/client.js';
import type { ModelOptions } from '../../model/options.js';
import type { AnswerEngine, AnswerVerifier } from '../answer-engine.js';
import type { ModelAnswerOptions } from './model/model-answer.js';

/** Answers that `model` writes, checked in code. `fallback` answers where the model does not. Loaded with the first answer, not with the host. */
export function modelAnswers(
  model: ModelClient,
  fallback: AnswerEngine,
  options: ModelAnswerOptions,
): AnswerEngine {
  const { verifier } = options;
  const version = verifier && `verified by ${verifier === 'model' ? model.id : verifier.name}`;
  const loaded = lazy(async () => {
    const { ModelAnswer } = await import('./model/model-answer.js');
    return new ModelAnswer(model, fallback, options);
  });
  return {
    engine: model.id,
    ...(version ? { version } : {}),
    answer: async (...question) => (await loaded()).answer(...question),
  };
}

/**
 * An {@link AnswerVerifier} on a language model: one call for each answer. A cheaper model than the one that writes will do.
 *
 * @param options of the model, as `modelOptions`
 * @throws InvalidOptionError with the first answer
 */
export function modelVerifier(model: LanguageModelLike, options?: ModelOptions): AnswerVerifier {
  const loaded = lazy(async () => {
    const [{ ModelClient }, { UsageMeter }, { verifyWithModel }] = await Promise.all([
      import('../../model/client.js'),
      import('../../model/options.js'),
      import('./model/prompts.js'),
    ]);
    const client = new ModelClient(model, options, { optionsName: 'options of modelVerifier' });
    const verify: AnswerVerifier['verify'] = async (question, claims, context, onSpent) => {
      const meter = new UsageMeter();
      try {
        return await verifyWithModel(client, question, claims, context, meter);
      } finally {
        onSpent?.(meter.usage);
      }
    };
    return verify;
  });
  return { name: modelId(model), verify: async (...question) => (await loaded())(...question) };
}
