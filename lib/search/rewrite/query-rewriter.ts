import type { ToolContext } from '../../core/context.js';
import type { AnswerUsage } from '../answer-engine.js';

/** Turns a query that was written to a person into one for a search engine. Asked for long conversational queries only. */
export interface QueryRewriter {
  /**
   * Never awaited by the search itself: what it gives is used if it comes in time.
   * @param onSpent told of what was used, also when nothing comes of it
   * @returns undefined when there is nothing better to ask
   */
  rewrite(
    query: string,
    context: ToolContext,
    onSpent: (usage: AnswerUsage) => void,
  ): Promise<string | undefined>;
}
