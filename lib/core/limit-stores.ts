import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitCount, LimitStore } from './shared-state.js';

interface Counter {
  used: number;
  /** End of the window, ms of `performance.now()`: a system clock that is set back would lock callers out for as long. */
  endsAt: number;
}

/** Counters that are looked at whenever a new one begins. More than one, so that dropping keeps up with adding. */
const LOOKED_AT = 2;

/** Counters in this process. Counters whose window has ended are dropped as new ones begin. */
export class MemoryLimitStore implements LimitStore {
  private readonly counters = new Map<string, Counter>();
  /** Goes round all counters. An iterator of a map continues where it is, whatever is added and dropped meanwhile. */
  private round = this.counters.entries();

  /** Number of counters that are held. */
  get size(): number {
    return this.counters.size;
  }

  add(key: string, amount: number, windowSeconds: number): LimitCount {
    const now = Math.floor(performance.now());
    let counter = this.counters.get(key);
    if (!counter || counter.endsAt <= now) {
      const windowMs = windowSeconds * 1000;
      if (amount === 0) return { used: 0, resetMs: windowMs };
      counter = { used: 0, endsAt: now + windowMs };
      this.counters.set(key, counter);
      this.dropEnded(now);
    }
    counter.used += amount;
    return { used: counter.used, resetMs: counter.endsAt - now };
  }

  private dropEnded(now: number): void {
    for (let looked = 0; looked < LOOKED_AT; looked++) {
      const next = this.round.next();
      if (next.done) {
        this.round = this.counters.entries();
        return;
      }
      const [key, { endsAt }] = next.value;
      if (endsAt <= now) this.counters.delete(key);
    }
  }
}

/** The default store of limits. */
export function memoryLimitStore(): MemoryLimitStore {
  return new MemoryLimitStore();
}

/** A counter as the limiters of `rate-limiter-flexible` report it. */
type CounterState = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'> | null;

/**
 * A {@link LimitStore} on any limiter of `rate-limiter-flexible` (Redis, Valkey, Postgres, …). There is one counter for each caller and
 * window, so the cost of a request does not grow with the hits in the window. The limiter's `points` and `duration` are not used.
 */
export function rateLimiterStore(limiter: RateLimiterAbstract): LimitStore {
  return {
    async add(key, amount, windowSeconds) {
      const state =
        amount === 0
          ? await limiter.get(key)
          : // Unlike `consume`, `penalty` does not reject above `points`: limits differ by key and are judged by the caller.
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
