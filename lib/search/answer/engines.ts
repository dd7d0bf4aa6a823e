import { lazy } from '../../core/async.js';
import { modelId, type LanguageModelLike } from '../../model/ai-sdk.js';
import type { ModelClient } from '../../model/client.js';
import type { ModelOptions } from '../../model/options.js';
import type { AnswerEngine, AnswerVerifier } from '../answer-engine.js';
import type { QueryRewriter } from '../rewrite/beside-search.js';
import type { ModelAnswerOptions } from './model/model-answer.js';

// Engines as the module is given them: each is loaded with the first answer that is wanted of it, not with the host.

/** @param threshold below this probability the outcome is `related` or `not_found`, 0..1 */
export function embeddedAnswers(threshold: number): AnswerEngine {
  return lazyEngine('extractive', undefined, async () => {
    const { ExtractiveAnswer } = await import('./extractive/extractive-answer.js');
    return new ExtractiveAnswer({ threshold });
  });
}

/** Answers that `model` writes, checked in code. */
export function modelAnswers(model: ModelClient, options: ModelAnswerOptions): AnswerEngine {
  const { verifier } = options;
  const version = verifier && `verified by ${verifier === 'model' ? model.id : verifier.name}`;
  return lazyEngine(model.id, version, async () => {
    const { ModelAnswer } = await import('./model/model-answer.js');
    return new ModelAnswer(model, embeddedAnswers(options.threshold ?? 0.5), options);
  });
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
      import('./model/verifier.js'),
    ]);
    const client = new ModelClient(model, options, { optionsName: 'options of modelVerifier' });
    return { client, newMeter: () => new UsageMeter(), verifyWithModel };
  });
  return {
    name: modelId(model),
    verify: async (question, claims, context, onSpent) => {
      const { client, newMeter, verifyWithModel } = await loaded();
      const meter = newMeter();
      try {
        return await verifyWithModel(client, question, claims, context, meter);
      } finally {
        const { modelCalls, inputTokens, outputTokens } = meter.usage;
        onSpent?.({ modelCalls, inputTokens, outputTokens });
      }
    },
  };
}

/** Long conversational queries in the words of `model`. */
export function modelRewriter(model: ModelClient): QueryRewriter {
  const loaded = lazy(async () => {
    const { ModelRewriter } = await import('../rewrite/model-rewriter.js');
    return new ModelRewriter(model);
  });
  return { rewrite: async (...query) => (await loaded()).rewrite(...query) };
}

function lazyEngine(
  engine: string,
  version: string | undefined,
  load: () => Promise<AnswerEngine>,
): AnswerEngine {
  const loaded = lazy(load);
  return {
    engine,
    ...(version ? { version } : {}),
    answer: async (...question) => (await loaded()).answer(...question),
  };
}
