/** Longest wait, ms, unless told otherwise: with more of it a caller has gone. */
const CAP_MS = 8000;

/**
 * Wait before another try, ms: exponential, less up to 25 % jitter so that callers who failed together do not come back together
 * (as `openai-node` has it).
 * @param baseMs first wait
 * @param failures how many tries have failed, from 1
 */
export function backOffMs(baseMs: number, failures: number, capMs = CAP_MS): number {
  return Math.min(capMs, baseMs * 2 ** (failures - 1)) * (1 - Math.random() * 0.25);
}
