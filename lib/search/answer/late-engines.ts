import { late } from '../../core/late.js';
import type { ModelClient } from '../../model/client.js';
import type { AnswerEngine } from '../answer-engine.js';
import type { QueryRewriter } from '../rewrite/query-rewriter.js';
import type { ModelAnswerOptions } from './model/model-answer.js';

// Engines as the module is given them: each is loaded with the first answer that is wanted of it, not with the host.

/** @param threshold below this probability the outcome is `related` or `not_found`, 0..1 */
export function embeddedAnswers(threshold: number): AnswerEngine {
  return lateEngine('extractive', async () => {
    const { ExtractiveAnswer } = await import('./extractive-answer.js');
    return new ExtractiveAnswer({ threshold });
  });
}

/** Answers that `model` writes, checked in code. */
export function modelAnswers(model: ModelClient, options: ModelAnswerOptions): AnswerEngine {
  return lateEngine(model.id, async () => {
    const { ModelAnswer } = await import('./model/model-answer.js');
    return new ModelAnswer(model, embeddedAnswers(options.threshold ?? 0.5), options);
  });
}

/** Long conversational queries in the words of `model`. */
export function modelRewriter(model: ModelClient): QueryRewriter {
  const loaded = late(async () => {
    const { ModelRewriter } = await import('../rewrite/model-rewriter.js');
    return new ModelRewriter(model);
  });
  return { rewrite: async (...query) => (await loaded()).rewrite(...query) };
}

function lateEngine(engine: string, load: () => Promise<AnswerEngine>): AnswerEngine {
  const loaded = late(load);
  return { engine, answer: async (...question) => (await loaded()).answer(...question) };
}
