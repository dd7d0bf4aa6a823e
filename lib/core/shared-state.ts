import type { MaybePromise } from './async.js';
import type { CacheStore } from './cache.js';

/** A counter after something was added to it. */
export interface LimitCount {
  /** Sum of the current window, this call included. */
  used: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/**
 * Where limits are counted. The default counts in this process; replicas that share a limit share a store.
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
   * Waits until one more call may run. Callers of one process take turns. Where the gate cannot be asked the call may begin: the limits
   * of its own process hold on.
   *
   * @param model calls to the same model count together
   * @param tokens estimate of prompt and answer; a call above the limit waits for an empty minute
   * @param caller callers take turns; default: one caller for all
   * @throws the signal's reason when it fires while waiting
   */
  acquire(
    model: string,
    limits: CallLimits,
    tokens: number,
    signal: AbortSignal,
    caller?: string,
  ): Promise<CallPermit>;
}

/** The right to do a piece of work alone; renews itself until it is released. */
export interface Lease {
  /** Gives it back and wakes those who wait for it. Never rejects. */
  release(): Promise<void>;
}

/** Leases that processes take from each other. */
export interface LeaseStore {
  /**
   * Takes the lease if it is free. Never rejects and never waits long. If the store cannot be reached, every caller gets a lease: work
   * that is done twice is better than work that is not done.
   *
   * @param ttlMs how long after the death of its owner the lease is free again, ms
   * @returns undefined if another process has it
   */
  acquire(key: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Resolves when the lease on the key has ended (released, or its owner died), when the signal fires, when the store cannot be asked
   * any more, or after a bounded time. The lease may be taken again by then. Never rejects.
   */
  released(key: string, signal: AbortSignal): Promise<void>;
}

/** Whether the shared state can be reached. */
export interface SharingHealth {
  /** False: each process works alone. */
  up: boolean;
  /** The fault, and since when; no address, no key. */
  detail?: string;
}

/**
 * What the replicas of a host share. Everything in it answers within its own bound, or the caller goes on without it: sharing that is down
 * must never be an outage.
 */
export interface SharedState {
  /** Results. */
  readonly cache: CacheStore;
  /** Counters of requests and budgets. */
  readonly limits: LimitStore;
  /** Decides which replica does work that several were asked for. */
  readonly leases: LeaseStore;
  /** Calls to models over all processes. */
  readonly calls: CallGate;
  /** The state that was seen last. Sends no request. */
  health(): SharingHealth;
  /** Called once, when the host has stopped. */
  close(): Promise<void>;
}

interface Counter {
  used: number;
  /** End of the window, ms of `performance.now()`: a system clock that is set back would lock callers out for as long. */
  endsAt: number;
}

/** Ended counters are dropped when so many are held, and again each time that their number has doubled since; set by hand. */
const FIRST_SWEEP = 1000;

export class MemoryLimitStore implements LimitStore {
  private readonly counters = new Map<string, Counter>();
  private sweepAt = FIRST_SWEEP;

  add(key: string, amount: number, windowSeconds: number): LimitCount {
    const now = Math.floor(performance.now());
    let counter = this.counters.get(key);
    if (!counter || counter.endsAt <= now) {
      const windowMs = windowSeconds * 1000;
      if (amount === 0) return { used: 0, resetMs: windowMs };
      if (this.counters.size >= this.sweepAt) this.dropEnded(now);
      counter = { used: 0, endsAt: now + windowMs };
      this.counters.set(key, counter);
    }
    counter.used += amount;
    return { used: counter.used, resetMs: counter.endsAt - now };
  }

  private dropEnded(now: number): void {
    for (const [key, { endsAt }] of this.counters) if (endsAt <= now) this.counters.delete(key);
    this.sweepAt = Math.max(FIRST_SWEEP, this.counters.size * 2);
  }
}
