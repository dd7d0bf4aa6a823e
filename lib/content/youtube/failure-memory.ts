import { LRUCache } from 'lru-cache';
import type { ToolsError } from '../../core/errors.js';
import { changed } from './video-failure.js';

const MAX_FAILURES = 1_000;

/** Remembers recent failures, so that a video without captions does not cost requests each time it is asked for. */
export class FailureMemory {
  private readonly failures = new LRUCache<string, { error: ToolsError; since: number }>({
    max: MAX_FAILURES,
  });

  /** @param ttlMs how long a failure is remembered, ms. A failure with `retryAfterSeconds` is not remembered for longer than that. */
  constructor(private readonly ttlMs: number) {}

  /** The remembered failure, with its `Retry-After` counted down to now. */
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

  /** A transient failure (a cut connection, a timeout) is not remembered: the next try may work. */
  private lifeOf({ code, retryAfterSeconds, shouldRetry }: ToolsError): number {
    if (retryAfterSeconds !== undefined) return Math.min(this.ttlMs, retryAfterSeconds * 1000);
    return shouldRetry || code === 'not_configured' ? 0 : this.ttlMs;
  }
}
