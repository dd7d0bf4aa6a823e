import { ToolsError } from '../../core/errors/index.js';
import { CircuitBreaker, CircuitOpenError } from '../../core/upstream/index.js';
import { outcomeOf, videoFailure } from './video-failure.js';

/** The failures that are about this address as a whole, whatever the video or client. */
export const BLOCKS_ADDRESS: ReadonlySet<string> = new Set(['rate_limited', 'captcha']);

/** How long an upstream that limits this address is left alone, ms; up to a quarter more, so that many hosts do not come back at once. */
const REST_MS = 60_000;
const JITTER = 0.25;

/** No `Retry-After` makes it longer than this, ms. */
const LONGEST_MS = 600_000;

/**
 * Keeps an address that has been limited (429, captcha) from asking on: each further request would only prolong the block. Opens at the
 * first such refusal and at nothing else, for about a minute or as long as the other side asks for; then one request goes through and its
 * success closes it. The work says so by throwing `rate_limited` or `captcha` with `restSeconds` as its `retryAfterSeconds`.
 */
export class RateLimitCircuit {
  private readonly breaker: CircuitBreaker;

  constructor(upstream: string) {
    this.breaker = new CircuitBreaker(upstream, {
      failures: Infinity,
      openMs: REST_MS,
      maxOpenMs: LONGEST_MS,
      now: () => Date.now(),
    });
  }

  /** @throws UpstreamUnavailableError (`rate_limited`) with the time left while it is open, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.breaker.run(() => work().then((value) => ({ value }), passOther));
      if ('other' in result) throw result.other;
      return result.value;
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) throw error;
      throw videoFailure('rate_limited', { retryAfterSeconds: error.retryAfterSeconds, cause: error });
    }
  }
}

/** Any other failure shows the breaker that the address is not blocked; it is thrown again behind it. */
function passOther(error: unknown): { other: ToolsError } {
  if (error instanceof ToolsError && !BLOCKS_ADDRESS.has(outcomeOf(error))) return { other: error };
  throw error;
}

/** Seconds for which to leave alone a side that has limited this address and asks for `askedMs` (if it does). */
export function restSeconds(askedMs = 0): number {
  const ownMs = REST_MS * (1 + Math.random() * JITTER);
  return Math.ceil(Math.max(ownMs, Math.min(askedMs, LONGEST_MS)) / 1000);
}
