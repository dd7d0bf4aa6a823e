import { ToolsError } from '../../core/errors.js';
import { CircuitBreaker, CircuitOpenError } from '../../core/upstream/circuit-breaker.js';
import { outcomeOf, videoFailure } from './video-failure.js';

/** Failures that are about this server's address, whatever the video or client. */
export const BLOCKS_ADDRESS: ReadonlySet<string> = new Set(['rate_limited', 'captcha']);

/** How long an upstream that limits this address is left alone, ms. Up to a quarter is added, so that hosts do not return together. */
const REST_MS = 60_000;
const JITTER = 0.25;

/** Longest rest, also when `Retry-After` asks for more, ms. */
const LONGEST_MS = 600_000;

/**
 * Stops requests from an address that is limited (429, captcha), since each further request would prolong the block. It opens at the
 * first such refusal, for about a minute or as long as the other side asks. Then one request goes through, and its success closes the
 * circuit. The work signals a limit by throwing `rate_limited` or `captcha` with {@link restSeconds} as `retryAfterSeconds`.
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

  /** @throws UpstreamUnavailableError (`rate_limited`) with the remaining time while it is open; what `work` throws */
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

/** Any other failure shows that the address is not blocked. It passes the breaker as a result and is thrown again behind it. */
function passOther(error: unknown): { other: ToolsError } {
  if (ToolsError.isInstance(error) && !BLOCKS_ADDRESS.has(outcomeOf(error))) return { other: error };
  throw error;
}

/**
 * Seconds for which an upstream that limits this address is left alone.
 *
 * @param askedMs the wait that the upstream asks for, ms
 */
export function restSeconds(askedMs = 0): number {
  const ownMs = REST_MS * (1 + Math.random() * JITTER);
  return Math.ceil(Math.max(ownMs, Math.min(askedMs, LONGEST_MS)) / 1000);
}
