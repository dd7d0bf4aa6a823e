/** How many calls to one model may run, and how fast they may start. */
export interface CallLimits {
  /** Calls at the same time, from 1. Default: no limit. */
  maxParallel?: number;
  /** Calls that start within any minute, from 1. Default: no limit. */
  callsPerMinute?: number;
  /** Tokens within any minute, prompt and answer together, from 1. Default: no limit. */
  tokensPerMinute?: number;
}

/** The right to make one call; must be given back exactly once, and comes back by itself when its process dies. */
export interface CallPermit {
  /** @param tokensUsed what the call has really cost; without it the estimate stands */
  release(tokensUsed?: number): void;
}

/** Lets calls to models begin, counted over all processes. */
export interface CallGate {
  /**
   * Waits until there is room for one call, roughly in the order of asking. Where the gate cannot be asked the call may begin: the limits
   * of its own process hold on.
   *
   * @param model calls to the same model count together
   * @param tokens estimate of prompt and answer; what is larger than the limit waits for an empty minute
   * @throws the signal's reason when it fires while waiting
   */
  acquire(model: string, limits: CallLimits, tokens: number, signal: AbortSignal): Promise<CallPermit>;
}
