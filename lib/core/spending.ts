import type { Spent, ToolContext } from './tool-context.js';

/** A context whose spending is counted. */
export interface CountedContext {
  context: ToolContext;
  /**
   * Tells the caller what a part says that it has used and has not told while it worked, such as a summarizer of the host's own that
   * reports its tokens with its result only.
   */
  settle(usage: Spent | undefined): void;
}

/** The same context, remembering what is told to it as spent. */
export function counted(outer: ToolContext): CountedContext {
  const told = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  const spend = (spent: Spent): void => {
    told.modelCalls += spent.modelCalls;
    told.inputTokens += spent.inputTokens;
    told.outputTokens += spent.outputTokens;
    outer.spend?.(spent);
  };
  return {
    context: { ...outer, spend },
    settle: (usage) => {
      if (!usage) return;
      const rest = {
        modelCalls: Math.max(0, usage.modelCalls - told.modelCalls),
        inputTokens: Math.max(0, usage.inputTokens - told.inputTokens),
        outputTokens: Math.max(0, usage.outputTokens - told.outputTokens),
      };
      if (rest.modelCalls + rest.inputTokens + rest.outputTokens > 0) spend(rest);
    },
  };
}
