import { setMaxListeners } from 'node:events';
import type { Callers } from './context.js';
import { FairQueue } from './fair-queue.js';

/** For whom the work under a signal computes. */
const COMPUTING = new WeakMap<AbortSignal, () => Callers>();
const ANYONE = (): Callers => [''];
/** The signal of a call without one. It never fires. Each call removes its listeners when it ends. */
export const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const turns = new FairQueue({ slots: 1 });

/** Computations under a signal take the turns of these callers. */
export function computeFor(callers: () => Callers, signal: AbortSignal): void {
  COMPUTING.set(signal, callers);
}

export const callersBehind = (signal: AbortSignal | undefined): (() => Callers) =>
  (signal && COMPUTING.get(signal)) ?? ANYONE;

/**
 * Resolves in a later turn of the event loop. One computation goes on in each turn, so that many together hold it no longer than one. Callers take
 * turns, however many computations each has.
 * @param work signal of the work; default: that of nobody
 */
export async function nextTurn(work?: AbortSignal): Promise<void> {
  const slot = await turns.enter({ callers: callersBehind(work), signal: NEVER });
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      resolve();
      slot.release();
    });
  });
}

export type Pause = () => Promise<void> | undefined;

/**
 * Lets other requests run during long computations. Call `await pause()` inside the loop: it yields to the event loop once the time
 * slice is used up, and costs next to nothing before. All computations of the process take turns.
 *
 * @param signal of the work, checked at each yield; its reason is thrown when it has fired
 * @param sliceMs longest computation without yielding, ms; set by hand
 */
export function yielder(signal?: AbortSignal, sliceMs = 12): Pause {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return nextTurn(signal).then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}

/**
 * Creates a value on first use and caches it, e.g. a part of this library that a host should not load before it is used. A failure is
 * not cached: the next caller tries again.
 */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (!made) {
      made = make();
      made.catch(() => (made = undefined));
    }
    return made;
  };
}

export type MaybePromise<T> = T | PromiseLike<T>;

/**
 * Settles with `promise`, or rejects when it takes longer than `ms`. For services that a request must not wait for long, such as a cache. What is
 * there already is returned as it is.
 */
export function raceTimeout<T>(promise: PromiseLike<T>, ms: number): Promise<T>;
export function raceTimeout<T>(promise: MaybePromise<T>, ms: number): MaybePromise<T>;
export function raceTimeout<T>(promise: MaybePromise<T>, ms: number): MaybePromise<T> {
  return typeof (promise as Partial<PromiseLike<T>> | undefined)?.then === 'function'
    ? raceTimer(promise as PromiseLike<T>, ms)
    : promise;
}

async function raceTimer<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const expire = (): void => reject(new Error(`no answer within ${ms} ms`));
    // One more turn: an answer that has arrived while this process was busy is not late.
    timer = setTimeout(() => setImmediate(expire), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
