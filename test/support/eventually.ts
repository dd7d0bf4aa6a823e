/**
 * Waits until a condition holds, looking at it on every turn of the event loop; fails with what is seen last. The time is only there to end
 * a test that would hang: how fast the machine is must not matter.
 */
export async function eventually(condition: () => boolean, what: () => string, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`still not after ${ms} ms: ${what()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
