/** Calls of one search provider with a price (option `search.prices`). */
interface SearchCalls {
  provider: string;
  /** Those that were sent, also where they failed or another provider was faster. */
  calls: number;
  cost: number;
}

export interface RecognizedSpeech {
  /** Minutes of sound that were sent, those of answered and of aborted calls. */
  minutes: number;
  /** In the unit of the price; 0 without one (option `pricePerMinute`). */
  cost: number;
}

/** Model calls and tokens, and search calls with a price, that were paid for. */
export interface ModelUsage {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** Those of the input tokens that the provider had in its cache. Absent where it does not say so. */
  cachedInputTokens?: number;
  /** By provider; absent where no call had a price. */
  searches?: readonly SearchCalls[];
  /** Absent where no speech was recognized. */
  speech?: RecognizedSpeech;
  /** Of all of this, in the unit of the host's prices; absent where nothing of it has a price. */
  cost?: number;
}

/** Nothing was paid for: another request paid, or no model was asked. */
export const NO_USAGE: Readonly<ModelUsage> = Object.freeze({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
});

export function addUsage(a: ModelUsage, b: ModelUsage | undefined): ModelUsage;
export function addUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined;
export function addUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined {
  if (!a || !b) return a ?? b;
  const sum = (first?: number, other?: number): number | undefined =>
    first === undefined ? other : first + (other ?? 0);
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: sum(a.cachedInputTokens, b.cachedInputTokens),
    searches:
      a.searches && b.searches ? byProvider([...a.searches, ...b.searches]) : (a.searches ?? b.searches),
    speech:
      a.speech && b.speech
        ? { minutes: a.speech.minutes + b.speech.minutes, cost: a.speech.cost + b.speech.cost }
        : (a.speech ?? b.speech),
    cost: sum(a.cost, b.cost),
  };
}

function byProvider(all: readonly SearchCalls[]): SearchCalls[] {
  const sums = new Map<string, SearchCalls>();
  for (const { provider, calls, cost } of all) {
    const sum = sums.get(provider) ?? { provider, calls: 0, cost: 0 };
    sums.set(provider, { provider, calls: sum.calls + calls, cost: sum.cost + cost });
  }
  return [...sums.values()];
}

export interface TrackedSpend<C> {
  context: C;
  /**
   * Reports the part of `usage` that was not reported while the work ran, e.g. by a summarizer of the host that tells its tokens with its
   * result only.
   */
  record(usage: ModelUsage | undefined): void;
  /** Everything that was reported so far; undefined where nothing was. */
  spent(): ModelUsage | undefined;
}

/** Tracks the spending in a context, so that a total given at the end is not counted twice. */
export function trackSpend<C extends { readonly spend?: (spent: ModelUsage) => void }>(
  outer: C,
): TrackedSpend<C> {
  let total: ModelUsage | undefined;
  const spend = (spent: ModelUsage): void => {
    total = addUsage(total, spent);
    outer.spend?.(spent);
  };
  return {
    context: { ...outer, spend },
    spent: () => total,
    record: (usage) => {
      if (!usage) return;
      const reported = total ?? NO_USAGE;
      const rest: ModelUsage = {
        modelCalls: Math.max(0, usage.modelCalls - reported.modelCalls),
        inputTokens: Math.max(0, usage.inputTokens - reported.inputTokens),
        outputTokens: Math.max(0, usage.outputTokens - reported.outputTokens),
        ...(usage.cost === undefined ? {} : { cost: Math.max(0, usage.cost - (reported.cost ?? 0)) }),
      };
      if (Object.values(rest).some((amount) => amount > 0)) spend(rest);
    },
  };
}
