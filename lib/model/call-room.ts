import type { CallGate, CallLimits, CallPermit } from '../core/sharing/index.js';
import type { CallLease, CallLimiter, CallOutcome } from './call-limiter.js';
import type { ModelOptions } from './model.options.js';

/** A second try of a hanging call waits so long for room among all processes, ms; then the first makes room for it. */
const SOON_MS = 150;

/** What is shared with other processes. */
export interface SharedRoom {
  gate: CallGate;
  /** Calls to the same model count together. */
  model: string;
  limits: CallLimits;
}

/** Undefined where the host has set no limit: its default is each process's own, and there is nothing to ask about. */
export function sharedRoom(gate: CallGate, model: string, options: ModelOptions): SharedRoom | undefined {
  const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
  const limited = maxParallel !== undefined || callsPerMinute !== undefined || tokensPerMinute !== undefined;
  return limited ? { gate, model, limits: { maxParallel, callsPerMinute, tokensPerMinute } } : undefined;
}

/** Room for calls to one model: in this process, and where replicas share their limits, over all of them. */
export class CallRoom {
  constructor(
    private readonly limiter: CallLimiter,
    private readonly shared?: SharedRoom,
  ) {}

  /** Milliseconds until this process may begin a call again after the server has asked for a rest. */
  get restMs(): number {
    return this.limiter.restMs;
  }

  /**
   * Waits for the right to make one call.
   * @param tokens estimate of prompt and answer
   * @param first true for a call that was refused or hung: in this process it goes before those that have not begun
   * @throws the signal's reason when it fires while waiting
   */
  async acquire(tokens: number, signal: AbortSignal, first: boolean): Promise<CallLease> {
    const lease = await this.limiter.acquire(tokens, signal, first);
    return this.shared ? this.withPermit(this.shared, lease, tokens, signal) : lease;
  }

  /** The right to make one call if it is there at once or very soon, past those who wait: for a second try of a call that hangs. */
  async acquireSoon(tokens: number, signal: AbortSignal): Promise<CallLease | undefined> {
    const lease = this.limiter.acquireNow(tokens);
    if (!lease || !this.shared) return lease;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const timer = setTimeout(stop, SOON_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.withPermit(this.shared, lease, tokens, controller.signal);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  private async withPermit(
    { gate, model, limits }: SharedRoom,
    lease: CallLease,
    tokens: number,
    signal: AbortSignal,
  ): Promise<CallLease> {
    try {
      return joined(lease, await gate.acquire(model, limits, tokens, signal));
    } catch (error) {
      lease.release({ kind: 'dropped' });
      throw error;
    }
  }
}

function joined(lease: CallLease, permit: CallPermit): CallLease {
  let released = false;
  return {
    release: (outcome) => {
      if (released) return;
      released = true;
      lease.release(outcome);
      permit.release(tokensOf(outcome));
    },
  };
}

/** Undefined: nobody knows, the estimate stands. */
function tokensOf(outcome: CallOutcome): number | undefined {
  if (outcome.kind === 'taken') return outcome.tokens;
  return outcome.kind === 'dropped' ? undefined : 0;
}
