/**
 * Runs at most `limit` tasks at the same time. The others wait in order. A waiting task whose signal fires leaves the queue and
 * rejects with the signal's reason. (p-limit 7 is ESM only, which a host's Jest cannot load.)
 */
export function concurrencyGate(
  limit: number,
): <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = (signal: AbortSignal): Promise<void> | undefined => {
    signal.throwIfAborted();
    if (running < limit) {
      running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.delete(onTurn);
        reject(signal.reason as Error);
      };
      // The slot is handed over, so `running` does not change.
      const onTurn = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      waiting.add(onTurn);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  };

  return async (task, signal) => {
    await enter(signal);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
