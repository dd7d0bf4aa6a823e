import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two looks, ms: without it, a test that waits takes a core from those that work. */
const LOOK_MS = 2;

/**
 * Waits until a condition holds; fails with what is seen last. The time is only there to end a test that would hang: how fast the
 * machine is must not matter.
 */
export async function eventually(condition: () => boolean, what: () => string, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`still not after ${ms} ms: ${what()}`);
    await sleep(LOOK_MS);
  }
}
