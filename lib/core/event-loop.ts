/** Computations that wait to go on, in order. */
const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop. One computation goes on in each turn, so that many together hold it no longer than one. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}

/**
 * Lets other requests run during a long computation: call `await pause()` inside the loop. It gives way once the slice is used up, and
 * costs next to nothing before. All computations of the process take turns.
 *
 * @param sliceMs the longest stretch of computing without giving way, ms
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
