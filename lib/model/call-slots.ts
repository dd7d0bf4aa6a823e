import { callersOf, type Callers, type ToolContext } from '../core/context.js';
import { FairQueue, type Rate } from '../core/fair-queue.js';
import type { CallGate, CallLimits } from '../core/shared-state.js';
import { DEFAULT_PARALLEL_CALLS } from './options.js';

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

/**
 * Slots for calls to one model: calls at once, calls a minute, tokens a minute, and the {@link Pace} of its server. The limits hold in this process
 * and, where replicas share them, over all replicas. Callers take turns.
 */
export class CallSlots {
  readonly pace: Pace;
  private readonly queue: FairQueue;
  private readonly gate?: CallGate;

  /**
   * @param gate counts the calls of all processes, where the host has set a limit: the defaults are each process's own
   * @param model calls to the same model count together
   */
  constructor(
    private readonly limits: CallLimits,
    gate?: CallGate,
    private readonly model = '',
  ) {
    const { maxParallel = DEFAULT_PARALLEL_CALLS, callsPerMinute, tokensPerMinute } = limits;
    const isLimited = Object.values(limits).some((limit) => limit !== undefined);
    this.gate = isLimited ? gate : undefined;
    this.pace = new Pace(maxParallel);
    const minute = new MinuteWindow(callsPerMinute, tokensPerMinute);
    this.queue = new FairQueue({
      slots: () => this.pace.parallel,
      rate: {
        waitMs: (tokens) => Math.max(this.pace.restMs, minute.waitMs(tokens)),
        add: (tokens) => minute.add(tokens),
      },
    });
  }

  /**
   * Waits for a slot, and for the permit of the other processes where limits are shared.
   * @param tokens estimate of prompt and answer
   * @throws the signal's reason when it fires while waiting
   */
  async acquire(tokens: number, context: Pick<ToolContext, 'signal' | 'callers'>): Promise<CallLease> {
    const { signal } = context;
    const callers = (): Callers => callersOf(context);
    const slot = await this.queue.enter({ callers, signal, size: tokens });
    try {
      const permit = await this.gate?.acquire(this.model, this.limits, tokens, signal, callers()[0]);
      return {
        release: ({ tokens: used, refusedForMs }) => {
          if (refusedForMs !== undefined) this.pace.refused(refusedForMs, this.queue.load.running - 1);
          slot.release(used);
          permit?.release(used);
        },
      };
    } catch (error) {
      slot.release();
      throw error;
    }
  }
}

/** After a 429 one more call at a time is tried each time that this long has passed without another, ms; set by hand. */
const REGAIN_MS = 10_000;

/**
 * The pace that a model's server takes, for all calls to it. After a 429 nothing starts before the time that it named, and the number of calls at once
 * goes down towards what it carries. Then one more is tried every ten seconds (additive increase, multiplicative decrease).
 */
class Pace {
  /** Calls at once that the server took when it last refused one, and when that was. */
  private carried: number;
  private refusedAt = -Infinity;
  private notBefore = 0;

  constructor(private readonly most: number) {
    this.carried = most;
  }

  get parallel(): number {
    return Math.min(this.most, this.carried + Math.floor((performance.now() - this.refusedAt) / REGAIN_MS));
  }

  /** Time until calls may start, ms; 0 if they may now. */
  get restMs(): number {
    return Math.max(0, this.notBefore - performance.now());
  }

  /**
   * Notes a 429.
   * @param waitMs how long nothing may start, ms
   * @param running calls that the server still carries
   */
  refused(waitMs: number, running: number): void {
    // The refusals of a burst end at the number of calls that the server carries. A single refusal at the tail only halves the number.
    const { parallel } = this;
    this.carried = Math.max(1, Math.min(parallel, Math.max(running, Math.floor(parallel / 2))));
    this.refusedAt = performance.now();
    this.notBefore = Math.max(this.notBefore, this.refusedAt + waitMs);
  }
}

const MINUTE_MS = 60_000;

/** Counts the calls and tokens of the last sixty seconds, exactly, so that no minute holds more than the limits. */
export class MinuteWindow implements Rate {
  private entries: { at: number; tokens: number }[] = [];

  /**
   * @param callLimit calls a minute; default no limit
   * @param tokenLimit tokens a minute; default no limit
   */
  constructor(
    private readonly callLimit = Infinity,
    private readonly tokenLimit = Infinity,
  ) {}

  /** Milliseconds until a call with these tokens fits, 0 if it fits now. A call that is larger than the limit waits for an empty window. */
  waitMs(tokens: number): number {
    const now = performance.now();
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
    const entry = { at: performance.now(), tokens };
    this.entries.push(entry);
    return (actual) => void (entry.tokens = actual);
  }
}
