import type { CallLimits } from '../core/sharing/index.js';
import { MinuteWindow } from './minute-window.js';

/** Limits of one process: how much may run at once is always set; the limiter goes below it by itself while the server takes fewer. */
export type ProcessCallLimits = CallLimits & Required<Pick<CallLimits, 'maxParallel'>>;

/** How a call ended, as the limiter needs to know it. */
export type CallOutcome =
  /** The server took it. */
  | { kind: 'taken'; tokens?: number }
  /** 429 or 529; `waitMs` as the server asked. */
  | { kind: 'limited'; waitMs: number }
  /** Down or unreachable. */
  | { kind: 'failed' }
  /** Ended by us before the server said anything. */
  | { kind: 'dropped' };

/** The right to make one call; must be given back exactly once. */
export interface CallLease {
  release(outcome: CallOutcome): void;
}

interface Waiter {
  tokens: number;
  start: (lease: CallLease) => void;
}

/** So many failures in a row, over all calls, and only one call at a time is let through until one succeeds. */
const FAILURES_TO_BRAKE = 3;
/** A refused probe doubles the successes needed for the next one, up to this many times. */
const MAX_PROBE_DOUBLINGS = 3;
/** An idle limiter starts afresh this long after the last 429. */
const FORGET_REFUSALS_MS = 30_000;

/**
 * Lets calls start in order, at most so many at once and so many a minute. It finds the server's own pace: on a 429 it goes down
 * towards what the server is evidently carrying at that moment and starts nothing before the time the server named; after a round of
 * successes it tries one more (additive increase), more rarely the more often that was refused. Nothing is lost: who was refused
 * queues again, at the front.
 */
export class CallLimiter {
  private readonly waiters: Waiter[] = [];
  private readonly calls: MinuteWindow;
  private readonly tokens: MinuteWindow;
  private parallel: number;
  private running = 0;
  private notBefore = 0;
  private successes = 0;
  private probeDoublings = 0;
  /** True from an increase until the next refusal. */
  private probing = false;
  private lastRefusal = -Infinity;
  private failuresInRow = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ProcessCallLimits) {
    this.parallel = limits.maxParallel;
    this.calls = new MinuteWindow(limits.callsPerMinute ?? Infinity);
    this.tokens = new MinuteWindow(limits.tokensPerMinute ?? Infinity);
  }

  /** Calls that the limiter lets run at once just now, 1..maxParallel. */
  get currentParallel(): number {
    return this.failuresInRow >= FAILURES_TO_BRAKE ? 1 : this.parallel;
  }

  /** Milliseconds until the server is ready for calls again, as it said with its last 429; 0 when it is. */
  get restMs(): number {
    return Math.max(0, this.notBefore - performance.now());
  }

  /**
   * Waits for the right to make one call.
   * @param tokens estimate of prompt and answer
   * @param first true for a call that was refused or hung: it goes before those that have not begun
   * @throws the signal's reason when it fires while waiting
   */
  acquire(tokens: number, signal: AbortSignal, first = false): Promise<CallLease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      this.forgetOldRefusals();
      const onAbort = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
        this.pump();
      };
      const waiter: Waiter = {
        tokens,
        start: (lease) => {
          signal.removeEventListener('abort', onAbort);
          resolve(lease);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (first) this.waiters.unshift(waiter);
      else this.waiters.push(waiter);
      this.pump();
    });
  }

  /** The right to make one call if it is there at once, past those who wait: for a second try of a call that hangs. */
  acquireNow(tokens: number): CallLease | undefined {
    const free =
      this.running < this.currentParallel &&
      this.notBefore <= performance.now() &&
      this.calls.waitMs(1) === 0 &&
      this.tokens.waitMs(tokens) === 0;
    return free ? this.lease(tokens) : undefined;
  }

  private pump(): void {
    clearTimeout(this.timer);
    for (;;) {
      const next = this.waiters[0];
      if (!next || this.running >= this.currentParallel) return;
      const wait = Math.max(
        this.notBefore - performance.now(),
        this.calls.waitMs(1),
        this.tokens.waitMs(next.tokens),
      );
      if (wait > 0) {
        this.timer = setTimeout(() => this.pump(), Math.ceil(wait));
        return;
      }
      this.waiters.shift();
      next.start(this.lease(next.tokens));
    }
  }

  private lease(tokens: number): CallLease {
    this.running++;
    this.calls.spend(1);
    const correct = this.tokens.spend(tokens);
    let released = false;
    return {
      release: (outcome) => {
        if (released) return;
        released = true;
        this.running--;
        if (outcome.kind === 'taken') correct(outcome.tokens ?? tokens);
        else if (outcome.kind !== 'dropped') correct(0);
        this.adapt(outcome);
        this.pump();
      },
    };
  }

  private adapt(outcome: CallOutcome): void {
    if (outcome.kind === 'limited') this.slowDown(outcome.waitMs);
    else if (outcome.kind === 'failed') this.failuresInRow++;
    else if (outcome.kind === 'taken') this.speedUp();
  }

  private slowDown(waitMs: number): void {
    if (this.probing) this.probeDoublings = Math.min(MAX_PROBE_DOUBLINGS, this.probeDoublings + 1);
    this.probing = false;
    // A burst is refused one by one, which ends at what the server carries; a single refusal at the tail halves at most.
    this.parallel = Math.max(
      1,
      Math.min(this.parallel, Math.max(this.running, Math.floor(this.parallel / 2))),
    );
    this.successes = 0;
    this.lastRefusal = performance.now();
    this.notBefore = Math.max(this.notBefore, this.lastRefusal + waitMs);
  }

  private speedUp(): void {
    this.failuresInRow = 0;
    if (this.parallel >= this.limits.maxParallel) return;
    this.successes++;
    if (this.successes < this.parallel * 2 ** this.probeDoublings) return;
    this.parallel++;
    this.probing = true;
    this.successes = 0;
  }

  /** What the server bore half a minute ago says nothing of what it bears now. */
  private forgetOldRefusals(): void {
    if (this.running > 0 || this.waiters.length > 0) return;
    if (performance.now() - this.lastRefusal < FORGET_REFUSALS_MS) return;
    this.parallel = this.limits.maxParallel;
    this.probeDoublings = 0;
    this.probing = false;
  }
}
