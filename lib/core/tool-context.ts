import { setMaxListeners } from 'node:events';
import { ToolsError, UpstreamTimeoutError } from './errors/index.js';
import type { Journal } from './journal.js';

/** A step on a request's way, as the event stream reports it. */
export interface ProgressEvent {
  /** What is being done, e.g. `transcript`, `map`, `write`, `search`, `read`, `answer`. */
  stage: string;
  /** Units done and in all, where they can be counted. */
  done?: number;
  total?: number;
  /** A piece of the final text as it is written; `delta` in the event stream. */
  text?: string;
}

/** Lets a piece of work begin when there is room for it, and knows when it has ended. What it throws is the caller's answer. */
export type Admit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Model calls and tokens that have been paid for. */
export interface Spent {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
}

/** What a caller of a service may pass besides the request itself. */
export interface CallOptions {
  /** Aborts the work, and every call upstream with it. */
  signal?: AbortSignal;
  /** Called with each step; what it throws is ignored. */
  onProgress?: (event: ProgressEvent) => void;
  /** Goes into logs and spans. */
  requestId?: string;
  /** True: neither read from the cache nor share work with equal requests. */
  noCache?: boolean;
  /** Asked before work that the cache cannot answer and that nobody else is doing. Default: everything may begin. */
  admit?: Admit;
  /**
   * Hears of every model call when it has ended, however it did: work that fails or is cancelled has cost what it has cost. What it
   * throws is ignored.
   */
  spend?: (spent: Spent) => void;
  /** Time for the work in place of the tool's own, ms; `summarize_content` heeds it. */
  deadlineMs?: number;
  /** Remembers the steps of work that may be begun again in another process. Default: nothing is remembered. */
  journal?: Journal;
}

/** What every step of one request needs; travels with it as one argument. */
export interface ToolContext {
  /** Fires when the caller leaves or the deadline passes; its reason is then the error to throw. */
  readonly signal: AbortSignal;
  /** Milliseconds left until the deadline, never below 0. */
  remainingMs(): number;
  progress(event: ProgressEvent): void;
  readonly requestId?: string;
  readonly noCache: boolean;
  readonly admit?: Admit;
  /** Tells what has been paid for, as soon as it is known; absent where nobody wants to hear it. */
  readonly spend?: (spent: Spent) => void;
  readonly journal?: Journal;
}

/** The longest that `setTimeout` can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` under one deadline and one signal. The timer is cleared and the listener removed when the work ends,
 * however it ends. Deliberately not `AbortSignal.any([AbortSignal.timeout(n), …])`: on Node 20 that never fires once
 * the timeout signal has been garbage-collected.
 *
 * @param deadlineMs time for the whole work, in milliseconds; `Infinity` for none
 * @throws UpstreamTimeoutError when the deadline passes; the caller's own abort reason when it aborts
 */
export async function withContext<T>(
  deadlineMs: number,
  options: CallOptions,
  work: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  // As many steps may listen as run side by side; from the eleventh on Node would warn of a leak.
  setMaxListeners(0, controller.signal);
  const outer = options.signal;
  const onAbort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  const end = performance.now() + deadlineMs;
  const timer = setTimeout(
    () =>
      controller.abort(
        new UpstreamTimeoutError(`The request took longer than its deadline of ${deadlineMs} ms.`),
      ),
    // A longer timer would overflow and fire at once; 24 days are as good as for ever.
    Math.min(deadlineMs, MAX_TIMER_MS),
  );
  const context: ToolContext = {
    signal: controller.signal,
    remainingMs: () => Math.max(0, end - performance.now()),
    progress: (event) => quietly(() => options.onProgress?.(event)),
    spend: options.spend && ((spent) => quietly(() => options.spend?.(spent))),
    requestId: options.requestId,
    noCache: options.noCache ?? false,
    admit: options.admit,
    journal: options.journal,
  };
  try {
    context.signal.throwIfAborted();
    return await raceAbort(work(context), context.signal);
  } catch (error) {
    // Whatever an aborted step threw (DOMException, socket error, …), the reason for the abort is the truth.
    if (controller.signal.aborted && !(error instanceof ToolsError)) throw controller.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

/** A reporter that throws must not cost the caller the result. */
function quietly(report: () => void): void {
  try {
    report();
  } catch {
    // Nobody is left to tell.
  }
}

/** Settles with `promise`, or rejects with the signal's reason as soon as it fires; leaves no listener behind. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
