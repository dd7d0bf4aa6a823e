import type { AnswerEngine } from '../../search/answer-engine.js';

/** Answers of quotations, without a model. @param threshold below this probability the outcome is `related` or `not_found`, 0..1 */
export function embeddedAnswers(threshold = 0.5): AnswerEngine {
  return {
    engine: 'extractive',
    answer: async (query, passages, { signal }) => {
      signal.throwIfAborted();
      // Loaded with the first answer, not with the host.
      const { extractiveAnswer } = await import('./extractive-answer.js');
      return extractiveAnswer(query, passages, threshold);
    },
  };
}
