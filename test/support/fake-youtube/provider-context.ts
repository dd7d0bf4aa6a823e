import type { FailedAttempt } from '../../../lib/core/errors.js';
import type { ProviderContext } from '../../../lib/content/youtube/transcript-provider.js';

/** A context for calling one provider alone; `attempts` collects what it records. */
export function providerContext(
  attempts: Omit<FailedAttempt, 'provider'>[] = [],
  {
    signal = new AbortController().signal,
    requestTimeoutMs = 6000,
  }: { signal?: AbortSignal; requestTimeoutMs?: number } = {},
): ProviderContext {
  return {
    signal,
    requestTimeoutMs,
    noCache: false,
    remainingMs: () => 20_000,
    progress: () => undefined,
    attempt: (attempt) => attempts.push(attempt),
  };
}
