import { setMaxListeners } from 'node:events';
import { ToolsError, UpstreamTimeoutError } from './errors.js';
import { callersBehind, computeFor, NEVER } from './async.js';
import type { Fallback } from './failures.js';
import type { ModelUsage } from './usage.js';
import type { DomainLists } from './domains.js';

/** A step of a request, as the event stream reports it. */
export interface ProgressEvent {
  /** Name of the step, e.g. `transcript`, `map`, `write`, `search`, `read`, `answer`. */
  stage: string;
  /** Units done and in total, where they can be counted. */
  done?: number;
  total?: number;
  /** A piece of the final text as it is written; `delta` in the event stream. */
  text?: string;
  /** Of the step `plan`: what must be known to answer, each in words. */
  needs?: readonly string[];
  /** Of the step `finding`: what was found, for which need, and the address of its source. */
  finding?: string;
  need?: string;
  url?: string;
}

/**
 * Admission control: waits for a free slot, runs `work` in it and frees it when `work` ends. What it throws while waiting is the
 * answer to the caller.
 */
export type Admit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Asked before a model call, with an estimate of its cost. The call begins when it resolves; what it throws is the answer to the caller. Its
 * result is called when the call has ended, after `spend`.
 */
export type AdmitCall = (estimate: ModelUsage, signal: AbortSignal) => Promise<() => void>;

/** What a caller of a service may pass in addition to the request. */
export interface CallOptions {
  /** Aborts the work, and every upstream call with it. */
  signal?: AbortSignal;
  /** Called with each step. Errors that it throws are ignored. */
  onProgress?: (event: ProgressEvent) => void;
  /** Appears in logs and spans. */
  requestId?: string;
  /** Id of the caller, e.g. of its key. Callers take turns, and one caller's failures do not count against others. Default: one caller for all. */
  caller?: string;
  /** Domains that the caller may read pages of, in addition to the host's own lists. Default: all. */
  domains?: DomainLists;
  /** True: neither read the cache nor share the work of an equal request. Default false. */
  noCache?: boolean;
  /** Asked before work that neither the cache nor a running equal request can answer. Default: work starts at once. */
  admit?: Admit;
  /** Called when something else answers in place of what has failed. Errors that it throws are ignored. Default: it is logged. */
  onFallback?: (fallback: Fallback) => void;
  /** Called after every model call, also when the work fails or is cancelled later. Errors that it throws are ignored. */
  spend?: (spent: ModelUsage) => void;
  /** Asked before each model call. Default: calls begin at once. */
  admitCall?: AdmitCall;
  /** Time for the work, ms. Default: the tool's own deadline. */
  deadlineMs?: number;
  /** True: nobody waits on an open connection, so that minutes of work may be done. Default false. */
  inJob?: boolean;
  /** Where work in several steps keeps how far it is, so that it goes on from there after its worker was lost. Default: nowhere. */
  checkpoint?: Checkpoint;
}

/** Keeps how far some work is. */
export interface Checkpoint {
  /** What was kept, undefined where nothing was. JSON. */
  readonly kept: unknown;
  /** Keeps a state as JSON. Never throws. */
  keep(state: object): Promise<void>;
}

export type Callers = readonly [string, ...string[]];

export const callersOf = ({ callers }: Pick<ToolContext, 'callers'>): Callers => callers?.() ?? [''];

/** What every step of one request needs. It travels with the request as one argument. */
export interface ToolContext extends Readonly<
  Pick<CallOptions, 'requestId' | 'spend' | 'admitCall' | 'inJob' | 'checkpoint'>
> {
  /** Fires when the caller leaves or the deadline passes. Its reason is the error to throw. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline, never below 0. */
  remainingMs(): number;
  /** Reports a step. Never throws. */
  progress(event: ProgressEvent): void;
  /** Ids of the callers that wait for this work now; the first bears its cost. Absent: one caller for all. */
  readonly callers?: () => Callers;
  readonly noCache: boolean;
  /** Reports that something else answers in place of what has failed. Never throws. Absent without a listener. */
  readonly fellBack?: (fallback: Fallback) => void;
  /** Money that the request has spent before, e.g. on the recognition of speech; counts against `budget.money`. Default 0. */
  readonly paid?: number;
}

/** The longest delay that `setTimeout` supports, ms (24 days). A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Forkable = Pick<ToolContext, 'signal' | 'remainingMs'> & Partial<Pick<ToolContext, 'callers'>>;

export interface Fork<C extends Forkable = ToolContext> {
  /** The parent's context with the child's `signal` and `remainingMs`; everything else is the parent's. */
  readonly context: C;
  /** Aborts the child only. The first reason counts. */
  abort(reason: unknown): void;
  /** Clears the timer and removes the listener from the parent's signal. Does not abort. Call it when the work has ended. */
  dispose(): void;
}

interface ForkOptions {
  /** Time for the child, ms. The parent's deadline still counts. Default and `Infinity`: only the parent's deadline. */
  ms?: number;
  /** Makes the error for a child whose own time is up. Default: an `UpstreamTimeoutError`. */
  onTimeout?: () => unknown;
  /** True: the timer does not keep the process alive. For work in the background. Default false. */
  unref?: boolean;
}

/**
 * Makes a child of a context: its own deadline, its own abort, and it is aborted with its parent. Use it wherever a step has a time of
 * its own or can be cancelled alone, and call `dispose` in a `finally`.
 *
 * Node 20 has two traps that this avoids. `AbortSignal.any([AbortSignal.timeout(n), …])` never fires once the timeout signal has been
 * garbage-collected; hence one `AbortController` and one timer. And `fetch` with `redirect: 'error'` can lose an abort; callers of
 * `fetch` use `redirect: 'manual'` (see `core/upstream`).
 */
export function fork<C extends Forkable>(
  parent: C,
  { ms, onTimeout, unref = false }: ForkOptions = {},
): Fork<C> {
  const controller = new AbortController();
  // Many steps may listen at the same time; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, controller.signal);
  computeFor(parent.callers ?? callersBehind(parent.signal), controller.signal);
  const abort = (reason: unknown): void => controller.abort(reason);
  const onParentAbort = (): void => abort(parent.signal.reason);
  if (parent.signal.aborted) onParentAbort();
  else parent.signal.addEventListener('abort', onParentAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  let remainingMs = (): number => parent.remainingMs();
  if (ms !== undefined && ms < Infinity) {
    const end = performance.now() + ms;
    remainingMs = () => Math.max(0, Math.min(parent.remainingMs(), end - performance.now()));
    const timeout = (): unknown =>
      onTimeout?.() ?? new UpstreamTimeoutError(`No answer within ${Math.round(ms)} ms.`);
    timer = setTimeout(() => abort(timeout()), Math.min(ms, MAX_TIMER_MS));
    if (unref) timer.unref();
  }
  return {
    context: { ...parent, signal: controller.signal, remainingMs },
    abort,
    dispose: () => {
      clearTimeout(timer);
      parent.signal.removeEventListener('abort', onParentAbort);
    },
  };
}

/**
 * Runs `work` in a child context and disposes of it when the work ends. Rejects as soon as the child is aborted, also when `work`
 * ignores its signal. When a step of the work fails, its other steps are aborted: nobody waits for them.
 *
 * @throws what `work` throws; the abort reason when the child is aborted
 */
export async function withFork<C extends Forkable, T>(
  parent: C,
  options: ForkOptions,
  work: (context: C) => Promise<T>,
): Promise<T> {
  const { context, abort, dispose } = fork(parent, options);
  try {
    context.signal.throwIfAborted();
    return await raceAbort(work(context), context.signal);
  } catch (error) {
    // An aborted step may throw anything (a DOMException, a socket error). The reason for the abort is the truth.
    const reason: unknown =
      context.signal.aborted && !ToolsError.isInstance(error) ? context.signal.reason : error;
    abort(reason);
    throw reason;
  } finally {
    dispose();
  }
}

/**
 * Runs `work` as the first step of a call: one deadline, the caller's signal, progress and spending that cannot fail.
 *
 * @param deadlineMs time for the whole work, ms; `Infinity` for no deadline
 * @throws UpstreamTimeoutError when the deadline passes; the caller's own abort reason when it aborts; what `work` throws
 */
export function withContext<T>(
  deadlineMs: number,
  call: CallOptions,
  work: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const { signal = NEVER, onProgress, onFallback, spend, caller } = call;
  const root: ToolContext = {
    signal,
    remainingMs: () => Infinity,
    progress: (event) => quietly(() => onProgress?.(event)),
    fellBack: onFallback && ((fallback) => quietly(() => onFallback(fallback))),
    spend: spend && ((spent) => quietly(() => spend(spent))),
    admitCall: call.admitCall,
    requestId: call.requestId,
    callers: caller === undefined ? callersBehind(signal) : () => [caller],
    noCache: call.noCache ?? false,
    inJob: call.inJob,
    checkpoint: call.checkpoint,
  };
  const onTimeout = (): Error =>
    new UpstreamTimeoutError(`The request took longer than its deadline of ${Math.round(deadlineMs)} ms.`);
  return withFork(root, { ms: deadlineMs, onTimeout }, work);
}

/** A listener that throws must not cost the caller the result. */
function quietly(report: () => void): void {
  try {
    report();
  } catch {
    // Nobody is left to tell.
  }
}

/** Settles with `promise`, or rejects with the signal's reason as soon as it fires. Leaves no listener behind. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
