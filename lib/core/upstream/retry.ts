import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitOpenError, ToolsError } from '../errors.js';
import type { ToolContext } from '../context.js';

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
