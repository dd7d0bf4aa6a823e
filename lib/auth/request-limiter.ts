import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { RateLimitedError } from '../core/errors/index.js';

/** What a caller has left in the running window. */
export interface LimitState {
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the window starts anew. */
  resetSeconds: number;
}

/**
 * Counts requests by caller in a fixed window (`rate-limiter-flexible`: one counter a caller, so that the cost of a request
 * does not grow with the hits in the window).
 */
export class RequestLimiter {
  private readonly limiter: RateLimiterAbstract;

  /** @param limit requests in a window, at least 1 */
  constructor(
    private readonly limit: number,
    private readonly windowSeconds = 60,
  ) {
    this.limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  /**
   * Takes one request off the caller's window. `onState` hears what is left, also when nothing is.
   * @throws RateLimitedError when the window is used up
   */
  async take(caller: string, onState: (state: LimitState) => void): Promise<void> {
    let result: RateLimiterRes;
    let exceeded = false;
    try {
      result = await this.limiter.consume(caller);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      result = error;
      exceeded = true;
    }
    const resetSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    onState({
      limit: this.limit,
      windowSeconds: this.windowSeconds,
      remaining: Math.max(0, result.remainingPoints),
      resetSeconds,
    });
    if (exceeded) throw new RateLimitedError(this.limit, this.windowSeconds, resetSeconds);
  }
}
