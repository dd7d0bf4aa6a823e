/**
 * A value, or a promise of one. What is there at once is passed on at once: on the way of a cached answer each `await` would cost more
 * than the step it waits for.
 */
export type MaybePromise<T> = T | PromiseLike<T>;

/** True for a promise, whoever made it. */
export function isThenable<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Goes on with a value: now where it is there, else when it comes. */
export function proceed<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): R | Promise<R> {
  if (isThenable(value)) return Promise.resolve(value).then(next);
  const result = next(value);
  return isThenable(result) ? Promise.resolve(result) : result;
}
