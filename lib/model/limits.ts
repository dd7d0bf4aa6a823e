import { fork, type ToolContext } from '../core/context.js';
import type { CallGate, CallLimits } from '../core/shared-state.js';
import { DEFAULT_PARALLEL_CALLS } from './options.js';

/** How a call ended, as far as the limits need to know. */
export interface CallOutcome {
  /** Tokens that it has really used; absent where nobody knows, e.g. because we ended it: the estimate stands. */
  tokens?: number;
  /** Set when the server refused it (429 or 529): how long it wants to be left alone, ms. */
  refusedForMs?: number;
}

/** The right to make one call; must be released exactly once. */
export interface CallLease {
  release(outcome: CallOutcome): void;
}

type SlotContext = Pick<ToolContext, 'signal' | 'remainingMs'>;

interface Waiter {
  tokens: number;
  start: (lease: CallLease) => void;
}

/** After a 429 one more call at a time is tried each time that this long has passed without another, ms. */
const REGAIN_MS = 10_000;
/** How long a hedge waits for a slot among all processes, ms; then it takes the slot of the call that hangs. */
const SOON_MS = 150;

/**
 * Slots for calls to one model. Calls start in order and within the limits: calls at once, calls a minute, tokens a minute. They hold in this
 * process and, where replicas share their limits, over all replicas.
 *
 * Within the process it finds the server's own pace. On a 429 it goes down towards the number of calls that the server is carrying at that
 * moment, and starts nothing before the time that the server named. Then it tries one more every ten seconds (additive increase,
 * multiplicative decrease). A refused call queues again, at the front.
 */
export class CallSlots {
  private readonly waiters: Waiter[] = [];
  private readonly minute: MinuteWindow;
  private readonly gate?: CallGate;
  private readonly maxParallel: number;
  /** Calls at once that the server took when it last refused one, and when that was. */
  private carried: number;
  private lastRefusal = -Infinity;
  private running = 0;
  private notBefore = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param gate counts the calls of all processes, where the host has set a limit: the defaults are each process's own
   * @param model calls to the same model count together
   */
  constructor(
    private readonly limits: CallLimits,
    gate?: CallGate,
    private readonly model = '',
  ) {
    const isLimited = Object.values(limits).some((limit) => limit !== undefined);
    this.gate = isLimited ? gate : undefined;
    this.maxParallel = limits.maxParallel ?? DEFAULT_PARALLEL_CALLS;
    this.carried = this.maxParallel;
    this.minute = new MinuteWindow(limits.callsPerMinute, limits.tokensPerMinute);
  }

  /** Calls that may run at once at present in this process, 1..maxParallel. */
  get currentParallel(): number {
    const regained = Math.floor((performance.now() - this.lastRefusal) / REGAIN_MS);
    return Math.min(this.maxParallel, this.carried + regained);
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
  async acquireSoon(tokens: number, context: SlotContext): Promise<CallLease | undefined> {
    const free = this.running < this.currentParallel && this.restMs === 0 && this.minute.waitMs(tokens) === 0;
    if (!free) return undefined;
    const { context: own, dispose } = fork(context, { ms: SOON_MS });
    try {
      return await this.withPermit(this.lease(tokens), tokens, own.signal);
    } catch {
      return undefined;
    } finally {
      dispose();
    }
  }

  private queue(tokens: number, signal: AbortSignal, first: boolean): Promise<CallLease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
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
    if (!this.gate) return lease;
    try {
      const permit = await this.gate.acquire(this.model, this.limits, tokens, signal);
      const release = (outcome: CallOutcome): void => {
        lease.release(outcome);
        permit.release(outcome.tokens);
      };
      return { release };
    } catch (error) {
      lease.release({});
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
    const release = ({ tokens: used, refusedForMs }: CallOutcome): void => {
      this.running--;
      if (used !== undefined) correct(used);
      if (refusedForMs !== undefined) this.slowDown(refusedForMs);
      this.pump();
    };
    return { release };
  }

  private slowDown(waitMs: number): void {
    // The refusals of a burst end at the number of calls that the server carries. A single refusal at the tail only halves the number.
    const parallel = this.currentParallel;
    this.carried = Math.max(1, Math.min(parallel, Math.max(this.running, Math.floor(parallel / 2))));
    this.lastRefusal = performance.now();
    this.notBefore = Math.max(this.notBefore, this.lastRefusal + waitMs);
  }
}

const MINUTE_MS = 60_000;

/** Counts the calls and tokens of the last sixty seconds, exactly, so that no minute holds more than the limits. */
export class MinuteWindow {
  private entries: { at: number; tokens: number }[] = [];

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

  /** Milliseconds until a call with these tokens fits, 0 if it fits now. A call that is larger than the limit waits for an empty window. */
  waitMs(tokens: number): number {
    const now = this.now();
    this.entries = this.entries.filter(({ at }) => at + MINUTE_MS > now);
    let callsLeft = this.entries.length;
    let tokensLeft = this.entries.reduce((sum, entry) => sum + entry.tokens, 0);
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
    const entry = { at: this.now(), tokens };
    this.entries.push(entry);
    return (actual) => void (entry.tokens = actual);
  }
}
