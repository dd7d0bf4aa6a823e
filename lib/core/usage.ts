/** Model calls and tokens that were paid for. */
export interface ModelUsage {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
}

/** Nothing was paid for: another request paid, or no model was asked. */
export const NO_USAGE: Readonly<ModelUsage> = Object.freeze({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
});

/** The sum of two usages; undefined where both are. */
export function addUsage(a: ModelUsage, b: ModelUsage | undefined): ModelUsage;
export function addUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined;
export function addUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined {
  if (!a || !b) return a ?? b;
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

/** A usage minus a part of it; never below 0. */
function restOf(whole: ModelUsage, part: ModelUsage): ModelUsage {
  return {
    modelCalls: Math.max(0, whole.modelCalls - part.modelCalls),
    inputTokens: Math.max(0, whole.inputTokens - part.inputTokens),
    outputTokens: Math.max(0, whole.outputTokens - part.outputTokens),
  };
}

/** A context whose spending is tracked. */
interface TrackedSpend<C> {
  /** The same context. What is reported to its `spend` is reported to the outer one too. */
  context: C;
  /**
   * Reports the part of `usage` that was not reported while the work ran, e.g. by a summarizer of the host that tells its tokens with its
   * result only.
   */
  record(usage: ModelUsage | undefined): void;
}

/** Tracks what is spent in a context, so that a total given at the end is not counted twice. */
export function trackSpend<C extends { readonly spend?: (spent: ModelUsage) => void }>(
  outer: C,
): TrackedSpend<C> {
  let told: ModelUsage = NO_USAGE;
  const spend = (spent: ModelUsage): void => {
    told = addUsage(told, spent);
    outer.spend?.(spent);
  };
  return {
    context: { ...outer, spend },
    record: (usage) => {
      if (!usage) return;
      const rest = restOf(usage, told);
      if (rest.modelCalls + rest.inputTokens + rest.outputTokens > 0) spend(rest);
    },
  };
}
