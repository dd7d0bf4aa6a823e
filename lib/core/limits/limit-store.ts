import type { MaybePromise } from '../../core/maybe-promise.js';

/** A counter after something was added to it. */
export interface LimitCount {
  /** What has been added in the running window, this time included. */
  used: number;
  /** Milliseconds until the window ends and the counter starts anew. */
  resetMs: number;
}

/**
 * Where limits are counted. The default counts in this process; replicas that share a limit share a store, e.g.
 * `rateLimiterStore(new RateLimiterRedis({ storeClient, keyPrefix: 'nestjs-tools', points: 1, duration: 60 }))`.
 *
 * A store that fails or is slow never refuses a request: the limit is not applied, and a warning is logged.
 */
export interface LimitStore {
  /**
   * Adds to a counter and says where it stands, in one step.
   * @param key counter; names a policy and a caller, never a key in plain
   * @param amount 0 or more; 0 only asks
   * @param windowSeconds length of the window that begins when the counter is first used
   */
  add(key: string, amount: number, windowSeconds: number): MaybePromise<LimitCount>;
}
