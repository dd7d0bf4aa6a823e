import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { LimitStore } from './limit-store.js';

/**
 * A {@link LimitStore} on any limiter of `rate-limiter-flexible` (memory, Redis, Valkey, Postgres, …). One counter a caller and window:
 * the cost of a request does not grow with the hits in the window. Its `points` and `duration` are not used.
 *
 * @param limiter default: counters in this process, each dropped when its window ends
 */
export function rateLimiterStore(
  limiter: RateLimiterAbstract = new RateLimiterMemory({ points: 1, duration: 60 }),
): LimitStore {
  return {
    async add(key, amount, windowSeconds) {
      const state =
        amount === 0
          ? await limiter.get(key)
          : // Unlike `consume` it does not reject over `points`: what is too much is the caller's to say, with limits that differ by key.
            await limiter.penalty(key, amount, { customDuration: windowSeconds });
      const running = state && state.msBeforeNext > 0;
      return running
        ? { used: state.consumedPoints, resetMs: state.msBeforeNext }
        : { used: 0, resetMs: windowSeconds * 1000 };
    },
  };
}
