import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../context.js';
import { CircuitOpenError, ToolsError } from '../errors.js';

/** How a call is repeated. Everything is optional. */
export interface RetryOptions {
  /** Attempts in all, the first included. Default 3. */
  attempts?: number;
  /** Waits that the upstream names and that do not count as attempts. Default 0. */
  announced?: number;
  /** First wait, ms; doubles up to 8,000, less up to 25 % jitter. Default 500. */
  baseMs?: number;
  /** Longest wait that the upstream may name, ms. Default 8,000. One that names a longer wait fails at once. */
  longestMs?: number;
  /** Which errors to repeat. Default: all that may pass. */
  when?: (error: ToolsError) => boolean;
  /** Errors after which the next attempt may begin at once, e.g. because the caller keeps the wait itself. Default: none. */
  atOnce?: (error: ToolsError) => boolean;
}

/** The attempts of one call. */
export class Attempts {
  /** How many have begun. */
  begun = 0;
  /** Why the last one failed. */
  failure?: ToolsError;

  constructor(private allowed: number) {}

  /** Whether one more may begin. */
  get left(): boolean {
    return this.begun < this.allowed;
  }

  allowOneMore(): void {
    this.allowed++;
  }
}

/**
 * The one place that repeats calls to upstreams: search providers, YouTube, models. Repeats errors of 502, 503 and 504 whose `shouldRetry` holds.
 * Waits as long as the upstream says (`retryAfterSeconds`), else for a growing time. A wait that does not fit into the deadline is not begun.
 * An open circuit breaker is not waited for: the caller does better to ask another upstream.
 *
 * @param attempt may begin further attempts by counting them in `begun`
 * @throws the last error; the context's reason
 */
export async function withRetry<T>(
  attempt: (attempts: Attempts) => Promise<T>,
  context: ToolContext,
  options: RetryOptions = {},
): Promise<T> {
  const { baseMs = 500, longestMs = 8000, when = () => true, atOnce = () => false } = options;
  let { announced = 0 } = options;
  const attempts = new Attempts(options.attempts ?? 3);
  for (let failures = 1; ; failures++) {
    try {
      attempts.begun++;
      return await attempt(attempts);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!mayPass(error) || !when(error)) throw error;
      const named = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000;
      const wait = named ?? backOffMs(baseMs, failures);
      if ((named ?? 0) > longestMs || wait >= context.remainingMs()) throw error;
      if (named && announced-- > 0) attempts.allowOneMore();
      if (!attempts.left) throw error;
      attempts.failure = error;
      if (atOnce(error)) continue;
      await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  }
}

function mayPass(error: unknown): error is ToolsError {
  if (error instanceof CircuitOpenError) return false;
  return ToolsError.isInstance(error) && error.shouldRetry && error.getStatus() >= 502;
}

/**
 * How long an upstream asks to wait, in ms: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Undefined where it says nothing readable; never negative.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = number(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = number(value);
  if (seconds !== undefined) return seconds * 1000;
  // Only what looks like an HTTP date: `Date.parse` makes something of `-5` and of other junk.
  const date = value && /^\s*[A-Za-z]{3,9},?\s/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - upstreamTime(headers));
}

/** {@link retryAfterMs} in seconds. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const ms = retryAfterMs(headers);
  return ms === undefined ? undefined : ms / 1000;
}

/** The time by the clock of an upstream (`Date`), ms since 1970. Our own clock may be wrong by hours; it is used only without that header. */
export function upstreamTime(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}

function number(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Longest wait that is not named by the upstream, ms. */
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
