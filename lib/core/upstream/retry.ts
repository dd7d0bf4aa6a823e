import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../context.js';
import { CircuitOpenError, ToolsError } from '../errors.js';

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
}

export interface Attempt {
  /** From 1. */
  number: number;
  /** True: it is repeated only where the upstream names a time. */
  isLast: boolean;
  /** Why the one before failed. */
  failure?: ToolsError;
}

/**
 * The one place that repeats calls to upstreams: search providers, YouTube, models. Repeats errors of 502, 503 and 504 whose `shouldRetry` holds.
 * Waits as long as the upstream says (`retryAfterSeconds`), else for a growing time. A wait that does not fit into the deadline is not begun.
 * An open circuit breaker is not waited for: the caller does better to ask another upstream.
 *
 * @throws the last error; the context's reason
 */
export async function withRetry<T>(
  work: (attempt: Attempt) => Promise<T>,
  context: ToolContext,
  { attempts = 3, announced = 0, baseMs = 500, longestMs = 8000, when = () => true }: RetryOptions = {},
): Promise<T> {
  let failure: ToolsError | undefined;
  for (let number = 1, counted = 1; ; number++) {
    const isLast = counted >= attempts;
    try {
      return await work({ number, isLast, failure });
    } catch (error) {
      context.signal.throwIfAborted();
      if (!mayPass(error) || !when(error)) throw error;
      const named = error.retryAfterSeconds === undefined ? undefined : error.retryAfterSeconds * 1000;
      const wait = named ?? backOffMs(baseMs, number);
      if ((named ?? 0) > longestMs || wait >= context.remainingMs()) throw error;
      if (named && announced > 0) announced--;
      else if (isLast) throw error;
      else counted++;
      failure = error;
      await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  }
}

function mayPass(error: unknown): error is ToolsError {
  if (error instanceof CircuitOpenError) return false;
  return ToolsError.isInstance(error) && error.shouldRetry && error.getStatus() >= 502;
}

/**
 * How long an upstream asks to wait, in seconds: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Undefined where it says nothing readable; never negative.
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const milliseconds = number(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const value = headers.get('retry-after');
  // Only what looks like an HTTP date: `Date.parse` makes something of `-5` and of other junk.
  const date = value && /^\s*[A-Za-z]{3,9},?\s/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(date)) return number(value);
  return Math.max(0, date - upstreamTime(headers)) / 1000;
}

/** The time by the clock of an upstream (`Date`), ms since 1970. Our own clock may be wrong by hours; it is used only without that header. */
export function upstreamTime(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}

function number(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Longest wait that is not named by the upstream, ms; a plain bound. */
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
