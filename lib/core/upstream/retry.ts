import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError } from '../errors/index.js';
import type { ToolContext } from '../tool-context.js';
import { backOffMs } from './back-off.js';
import { CircuitOpenError } from './circuit-breaker.js';

export interface RetryOptions {
  /** Attempts in all, the first included; default 3. */
  attempts?: number;
  /** First wait, ms; doubles each time, less up to 25 % jitter; default 500. */
  baseMs?: number;
  /** Longest single wait, ms; default 8,000. An upstream that asks for longer fails at once. */
  capMs?: number;
}

/**
 * The one retry layer: repeats `attempt` on 502, 503 and 504 errors whose `shouldRetry` holds. A wait that the upstream asks for
 * (`retryAfterSeconds`) is obeyed up to the cap; one that does not fit into the deadline is not begun. An open breaker is
 * not waited for: the caller does better to ask another upstream.
 */
export async function withRetry<T>(
  attempt: (number: number) => Promise<T>,
  context: ToolContext,
  { attempts = 3, baseMs = 500, capMs = 8000 }: RetryOptions = {},
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt(n);
    } catch (error) {
      context.signal.throwIfAborted();
      if (n >= attempts || !isTransient(error)) throw error;
      const asked = error.retryAfterSeconds;
      const wait = asked === undefined ? backOffMs(baseMs, n, capMs) : asked * 1000;
      if (wait > capMs || wait >= context.remainingMs()) throw error;
      await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  }
}

function isTransient(error: unknown): error is ToolsError {
  if (error instanceof CircuitOpenError) return false;
  return error instanceof ToolsError && error.shouldRetry && error.getStatus() >= 502;
}
