import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError, UpstreamUnavailableError, type UpstreamFault } from '../errors.js';
import type { ToolContext } from '../context.js';

/** `half_open`: the time of rest is over, one call at a time is let through to see. */
export type CircuitState = 'closed' | 'open' | 'half_open';

/** What an error tells about the upstream: it has failed, it is up, or nothing. */
export type Verdict = 'failed' | 'there' | 'nothing';

/** How a breaker decides. Everything is optional. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open it. Default 5. */
  failures?: number;
  /** First time of rest, ms; doubles with each failed probe, less up to 25 % jitter. Default 5,000. */
  openMs?: number;
  /** Longest time of rest, ms, also where an upstream asks for longer: healthy again means used again by then. Default 30,000. */
  maxOpenMs?: number;
  /** Monotonic milliseconds. Default `performance.now`. */
  now?: () => number;
}

/** 503: the upstream has failed lately and is left alone; nothing was sent. `retryAfterSeconds` says until when. */
export class CircuitOpenError extends UpstreamUnavailableError {}

/**
 * A circuit breaker for one upstream, to be put around its retries: `breaker.run(() => withRetry(…))`, so that a call with
 * its retries counts once. Errors of the tools with a 5xx from 502 on are failures (no connection, time-out, 5xx,
 * unreadable); one that names a time to wait opens it at once and for that time. Anything else shows that the upstream
 * is there, except an abort by the caller, which shows nothing.
 *
 * Own code rather than cockatiel (1 MB), which does not support a time of rest that the failure names.
 */
export class CircuitBreaker {
  private readonly failuresAllowed: number;
  private readonly openMs: number;
  private readonly maxOpenMs: number;
  private readonly now: () => number;

  private current: CircuitState = 'closed';
  private failures = 0;
  private lastFault?: UpstreamFault;
  /** Failed probes since it was last closed. */
  private probesFailed = 0;
  private openUntil = 0;
  /** Until when the running probe keeps others out; one that never ends must not do so for ever. */
  private probeUntil = 0;
  /** Counts the changes: what began before one says nothing about the time after it. */
  private epoch = 0;

  constructor(
    private readonly upstream: string,
    options: CircuitBreakerOptions = {},
  ) {
    this.failuresAllowed = options.failures ?? 5;
    this.maxOpenMs = options.maxOpenMs ?? 30_000;
    this.openMs = Math.min(options.openMs ?? 5000, this.maxOpenMs);
    this.now = options.now ?? (() => performance.now());
  }

  /** The state that a call would meet now. */
  get state(): CircuitState {
    return this.current === 'open' && this.now() >= this.openUntil ? 'half_open' : this.current;
  }

  /**
   * Does `work` unless the upstream is resting.
   * @param verdict what an error says of the upstream; default as the class describes it
   * @throws CircuitOpenError; what `work` throws
   */
  async run<T>(work: () => Promise<T>, verdict: (error: unknown) => Verdict = verdictOf): Promise<T> {
    const epoch = this.admit();
    try {
      const result = await work();
      if (epoch === this.epoch) this.close();
      return result;
    } catch (error) {
      if (epoch === this.epoch) this.judge(error, verdict(error));
      throw error;
    }
  }

  private admit(): number {
    const now = this.now();
    if (this.current === 'closed') return this.epoch;
    const free = this.current === 'open' ? this.openUntil : this.probeUntil;
    if (now < free)
      throw new CircuitOpenError(`${this.upstream} has failed repeatedly and is not asked for a while.`, {
        retryAfterSeconds: (free - now) / 1000,
        upstream: this.lastFault,
      });
    this.change('half_open');
    this.probeUntil = now + this.maxOpenMs;
    return this.epoch;
  }

  private judge(error: unknown, verdict: Verdict): void {
    if (verdict === 'nothing') {
      // A probe gives its place to the next call.
      this.probeUntil = 0;
      return;
    }
    if (verdict === 'there') return this.close();
    this.failures++;
    const known = ToolsError.isInstance(error) ? error : undefined;
    this.lastFault = known?.upstream;
    const asked = (known?.retryAfterSeconds ?? 0) * 1000;
    if (this.current === 'half_open') this.probesFailed++;
    else if (this.failures < this.failuresAllowed && asked === 0) return;
    const rest = asked > 0 ? asked : backOffMs(this.openMs, this.probesFailed + 1, Infinity);
    this.openUntil = this.now() + Math.min(this.maxOpenMs, rest);
    this.change('open');
  }

  private close(): void {
    this.failures = 0;
    this.probesFailed = 0;
    if (this.current !== 'closed') this.change('closed');
  }

  private change(state: CircuitState): void {
    this.epoch++;
    this.current = state;
  }
}

/** An error that is not a `ToolsError` is an abort by the caller or a defect. */
function verdictOf(error: unknown): Verdict {
  if (!ToolsError.isInstance(error)) return 'nothing';
  return error.getStatus() < 502 ? 'there' : 'failed';
}

export interface RetryOptions {
  /** Attempts in all, the first included; default 3. */
  attempts?: number;
  /** First wait, ms; doubles each time, less up to 25 % jitter; default 500. */
  baseMs?: number;
  /** Longest single wait, ms; default 8,000. An upstream that asks for longer fails at once. */
  capMs?: number;
  /** Which of these errors to repeat. Default: all. */
  when?: (error: ToolsError) => boolean;
}

/**
 * The one retry layer: repeats `attempt` on 502, 503 and 504 errors whose `shouldRetry` holds. A wait that the upstream asks for
 * (`retryAfterSeconds`) is obeyed up to the cap; one that does not fit into the deadline is not begun. An open breaker is
 * not waited for: the caller does better to ask another upstream.
 */
export async function withRetry<T>(
  attempt: (number: number) => Promise<T>,
  context: ToolContext,
  { attempts = 3, baseMs = 500, capMs = 8000, when = () => true }: RetryOptions = {},
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt(n);
    } catch (error) {
      context.signal.throwIfAborted();
      if (n >= attempts || !isTransient(error) || !when(error)) throw error;
      const asked = error.retryAfterSeconds;
      const wait = asked === undefined ? backOffMs(baseMs, n, capMs) : asked * 1000;
      if (wait > capMs || wait >= context.remainingMs()) throw error;
      await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  }
}

function isTransient(error: unknown): error is ToolsError {
  if (error instanceof CircuitOpenError) return false;
  return ToolsError.isInstance(error) && error.shouldRetry && error.getStatus() >= 502;
}

/**
 * How long an upstream asks to wait, in ms: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Undefined where it says nothing readable; never negative.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = number(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = number(value);
  if (seconds !== undefined) return seconds * 1000;
  // Only what looks like an HTTP date: `Date.parse` makes something of `-5` and of other junk.
  const date = value && /^\s*[A-Za-z]{3,9},?\s/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Longest wait, ms, unless told otherwise: with more of it a caller has gone. */
const CAP_MS = 8000;

/**
 * Wait before another try, ms: exponential, less up to 25 % jitter so that callers who failed together do not come back together
 * (as `openai-node` has it).
 * @param baseMs first wait
 * @param failures how many tries have failed, from 1
 */
export function backOffMs(baseMs: number, failures: number, capMs = CAP_MS): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (1 - Math.random() * 0.25);
}
