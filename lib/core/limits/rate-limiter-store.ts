import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitCount, LimitStore } from './limit-store.js';

/** What the limiters of `rate-limiter-flexible` say of a counter. */
type CounterState = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'> | null;

/**
 * A {@link LimitStore} on any limiter of `rate-limiter-flexible` (Redis, Valkey, Postgres, …). One counter a caller and window: the cost
 * of a request does not grow with the hits in the window. Its `points` and `duration` are not used.
 */
export function rateLimiterStore(limiter: RateLimiterAbstract): LimitStore {
  return {
    async add(key, amount, windowSeconds) {
      const state =
        amount === 0
          ? await limiter.get(key)
          : // Unlike `consume` it does not reject over `points`: what is too much is the caller's to say, with limits that differ by key.
            await limiter.penalty(key, amount, { customDuration: windowSeconds });
      return countOf(state, windowSeconds);
    },
  };
}

function countOf(state: CounterState, windowSeconds: number): LimitCount {
  const running = state && state.msBeforeNext > 0;
  return running
    ? { used: state.consumedPoints, resetMs: state.msBeforeNext }
    : { used: 0, resetMs: windowSeconds * 1000 };
}
