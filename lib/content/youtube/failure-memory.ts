import { LRUCache } from 'lru-cache';
import type { ToolsError } from '../../core/errors/index.js';
import { changed } from './video-failure.js';

const MAX_FAILURES = 1_000;

/** Failures of late, so that a video that cannot be read does not cost a round of requests each time it is asked for. */
export class FailureMemory {
  private readonly failures = new LRUCache<string, { error: ToolsError; since: number }>({
    max: MAX_FAILURES,
  });

  /** @param ttlMs how long a failure is remembered, ms; one that says when to come back no longer than that */
  constructor(private readonly ttlMs: number) {}

  /** A failure whose `Retry-After` has been counted down to now. */
  get(key: string): ToolsError | undefined {
    const held = this.failures.get(key);
    if (!held) return undefined;
    const { error, since } = held;
    const ageMs = Date.now() - since;
    if (ageMs >= this.lifeOf(error)) return undefined;
    return error.retryAfterSeconds === undefined
      ? error
      : changed(error, { retryAfterSeconds: Math.ceil(error.retryAfterSeconds - ageMs / 1000) });
  }

  set(key: string, error: ToolsError): void {
    if (this.lifeOf(error) > 0) this.failures.set(key, { error, since: Date.now() });
  }

  /** A failure of the moment (a cut connection, a timeout) is worth the very next try. */
  private lifeOf({ code, retryAfterSeconds, shouldRetry }: ToolsError): number {
    if (retryAfterSeconds !== undefined) return Math.min(this.ttlMs, retryAfterSeconds * 1000);
    return shouldRetry || code === 'not_configured' ? 0 : this.ttlMs;
  }
}
