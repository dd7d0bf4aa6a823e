import { isThenable } from './maybe-promise.js';

/**
 * What is there already comes back as it is. Else settles with `promise`, or rejects when it takes longer; the timer is cleared either
 * way. For helpers that a request must not wait for, such as a cache or a counter.
 *
 * @param ms longest wait, ms
 */
export async function raceTimeout<T>(promise: T | Promise<T>, ms: number): Promise<T> {
  if (!isThenable(promise)) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
