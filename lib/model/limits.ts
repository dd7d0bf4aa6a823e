import type { CallGate, CallLimits } from '../core/shared-state.js';
import type { ModelOptions } from './options.js';

/** Limits of one process. `maxParallel` is always set; `CallSlots` goes below it while the server takes fewer calls. */
type ProcessCallLimits = CallLimits & Required<Pick<CallLimits, 'maxParallel'>>;

/** Limits that are counted over all processes. */
interface SharedLimits {
  gate: CallGate;
  /** Calls to the same model count together. */
  model: string;
  limits: CallLimits;
}

/** Undefined where the host has set no limit: the defaults are each process's own, so there is nothing to share. */
export function sharedLimits(gate: CallGate, model: string, options: ModelOptions): SharedLimits | undefined {
  const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
  const limited = maxParallel !== undefined || callsPerMinute !== undefined || tokensPerMinute !== undefined;
  return limited ? { gate, model, limits: { maxParallel, callsPerMinute, tokensPerMinute } } : undefined;
}

/** How a call ended, as far as the limits need to know. */
export type CallOutcome =
  /** The server accepted it. `tokens`: what it has really used; without them the estimate stands. */
  | { kind: 'taken'; tokens?: number }
  /** 429 or 529; `waitMs` as the server asked. */
  | { kind: 'limited'; waitMs: number }
  /** The server is down or unreachable. */
  | { kind: 'failed' }
  /** We ended the call before the server answered. */
  | { kind: 'dropped' };

/** The right to make one call; must be released exactly once. */
export interface CallLease {
  release(outcome: CallOutcome): void;
}

interface Waiter {
  tokens: number;
  start: (lease: CallLease) => void;
}

/** After this many failures in a row, over all calls, only one call at a time is let through until one succeeds. */
const FAILURES_TO_BRAKE = 3;
/** A refused probe doubles the successes needed for the next one, up to this many times. */
const MAX_PROBE_DOUBLINGS = 3;
/** Refusals are forgotten this long after the last 429, once no call runs or waits. */
const FORGET_REFUSALS_MS = 30_000;
/** How long a hedge waits for a slot among all processes, ms; then it takes the slot of the call that hangs. */
const SOON_MS = 150;

/**
 * Slots for calls to one model. Calls start in order, at most so many at once and so many a minute, in this process and, where replicas
 * share their limits, over all of them.
 *
 * Within the process it finds the server's own pace. On a 429 it goes down towards the number of calls that the server is carrying at that
 * moment, and starts nothing before the time that the server named. After a round of successes it tries one more (additive increase), more
 * rarely the more often that was refused. A refused call queues again, at the front.
 */
export class CallSlots {
  private readonly waiters: Waiter[] = [];
  private readonly minute: MinuteWindow;
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

  constructor(
    private readonly limits: ProcessCallLimits,
    private readonly shared?: SharedLimits,
  ) {
    this.parallel = limits.maxParallel;
    this.minute = new MinuteWindow(limits.callsPerMinute, limits.tokensPerMinute);
  }

  /** Calls that may run at once at present in this process, 1..maxParallel. */
  get currentParallel(): number {
    return this.failuresInRow >= FAILURES_TO_BRAKE ? 1 : this.parallel;
  }

  /** Milliseconds until the server takes calls again, as it said with its last 429; 0 when it does. */
  get restMs(): number {
    return Math.max(0, this.notBefore - performance.now());
  }

  /**
   * Waits for a slot.
   * @param tokens estimate of prompt and answer
   * @param first true for a call that was refused or hung: in this process it goes before those that have not started
   * @throws the signal's reason when it fires while waiting
   */
  async acquire(tokens: number, signal: AbortSignal, first = false): Promise<CallLease> {
    const lease = await this.queue(tokens, signal, first);
    return this.withPermit(lease, tokens, signal);
  }

  /** A slot if there is one now or very soon, ahead of the queue: for the hedge of a call that hangs. */
  async acquireSoon(tokens: number, signal: AbortSignal): Promise<CallLease | undefined> {
    const free = this.running < this.currentParallel && this.restMs === 0 && this.minute.waitMs(tokens) === 0;
    if (!free) return undefined;
    const lease = this.lease(tokens);
    if (!this.shared) return lease;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const timer = setTimeout(stop, SOON_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.withPermit(lease, tokens, controller.signal);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  private queue(tokens: number, signal: AbortSignal, first: boolean): Promise<CallLease> {
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

  /** Adds the permit of the other processes, where limits are shared. */
  private async withPermit(lease: CallLease, tokens: number, signal: AbortSignal): Promise<CallLease> {
    if (!this.shared) return lease;
    const { gate, model, limits } = this.shared;
    try {
      const permit = await gate.acquire(model, limits, tokens, signal);
      return once((outcome) => {
        lease.release(outcome);
        permit.release(usedTokens(outcome));
      });
    } catch (error) {
      lease.release({ kind: 'dropped' });
      throw error;
    }
  }

  private pump(): void {
    clearTimeout(this.timer);
    for (;;) {
      const next = this.waiters[0];
      if (!next || this.running >= this.currentParallel) return;
      const wait = Math.max(this.restMs, this.minute.waitMs(next.tokens));
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
    const correct = this.minute.add(tokens);
    return once((outcome) => {
      this.running--;
      const used = usedTokens(outcome);
      if (used !== undefined) correct(used);
      this.adapt(outcome);
      this.pump();
    });
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

  /** The pace that the server kept half a minute ago says nothing about its pace now. */
  private forgetOldRefusals(): void {
    if (this.running > 0 || this.waiters.length > 0) return;
    if (performance.now() - this.lastRefusal < FORGET_REFUSALS_MS) return;
    this.parallel = this.limits.maxParallel;
    this.probeDoublings = 0;
    this.probing = false;
  }
}

function once(release: CallLease['release']): CallLease {
  let released = false;
  return {
    release: (outcome) => {
      if (released) return;
      released = true;
      release(outcome);
    },
  };
}

/** Undefined where nobody knows: the estimate stands. */
function usedTokens(outcome: CallOutcome): number | undefined {
  if (outcome.kind === 'taken') return outcome.tokens;
  return outcome.kind === 'dropped' ? undefined : 0;
}

const MINUTE_MS = 60_000;

/** Counts the calls and tokens of the last sixty seconds, exactly, so that no minute holds more than the limits. */
export class MinuteWindow {
  private readonly entries: { at: number; tokens: number; left: boolean }[] = [];
  private tokens = 0;

  /**
   * @param callLimit calls a minute; default no limit
   * @param tokenLimit tokens a minute; default no limit
   * @param now clock in ms, for tests
   */
  constructor(
    private readonly callLimit = Infinity,
    private readonly tokenLimit = Infinity,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until a call of so many tokens fits, 0 when it does now. One that is larger than the limit waits for an empty window. */
  waitMs(tokens: number): number {
    const now = this.now();
    while (this.entries[0] && this.entries[0].at + MINUTE_MS <= now) {
      const old = this.entries.shift()!;
      old.left = true;
      this.tokens -= old.tokens;
    }
    let callsLeft = this.entries.length;
    let tokensLeft = this.tokens;
    let wait = 0;
    for (const entry of this.entries) {
      if (callsLeft < this.callLimit && tokensLeft + tokens <= this.tokenLimit) break;
      callsLeft--;
      tokensLeft -= entry.tokens;
      wait = entry.at + MINUTE_MS - now;
    }
    return wait;
  }

  /** Books a call and returns a function that corrects its tokens once the true number is known. */
  add(tokens: number): (actual: number) => void {
    if (this.callLimit === Infinity && this.tokenLimit === Infinity) return () => undefined;
    const entry = { at: this.now(), tokens, left: false };
    this.entries.push(entry);
    this.tokens += tokens;
    return (actual) => {
      if (!entry.left) this.tokens += actual - entry.tokens;
      entry.tokens = actual;
    };
  }
}
