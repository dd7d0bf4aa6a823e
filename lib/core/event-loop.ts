import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets other requests run in the middle of long computing: call `await pause()` inside the loop; it gives way once the
 * slice is used up and costs next to nothing before.
 *
 * @param sliceMs the longest stretch of computing without giving way, in ms
 * @param signal checked at each turn; its reason is thrown when it has fired
 */
export function yielder(sliceMs = 12, signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return nextTurn().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}
