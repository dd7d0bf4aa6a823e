import { videoFailure } from './video-failure.js';

/** How long YouTube is left alone after it has refused this address, ms; up to a quarter more, so that many hosts do not come back at once. */
const OPEN_MS = 60_000;
const JITTER = 0.25;

/** No `Retry-After` keeps the circuit open for longer than this, ms. */
const LONGEST_MS = 600_000;

/** Time for the one request that finds out whether it is over, ms. */
const PROBE_MS = 10_000;

/**
 * Keeps an address that YouTube limits from asking on: each further request would only make the block last longer. When the time is over
 * one request goes through; its success closes the circuit.
 */
export class Circuit {
  /** 0 while closed. */
  private openUntil = 0;

  /**
   * To be called before a request.
   * @returns true where this request is the one that finds out; `close` is then to be called after its success
   * @throws UpstreamUnavailableError (`rate_limited`) with the time left as `Retry-After`
   */
  enter(): boolean {
    if (this.openUntil === 0) return false;
    const leftMs = this.openUntil - Date.now();
    if (leftMs > 0) throw videoFailure('rate_limited', { retryAfterSeconds: Math.ceil(leftMs / 1000) });
    this.openUntil = Date.now() + PROBE_MS;
    return true;
  }

  close(): void {
    this.openUntil = 0;
  }

  /**
   * @param retryAfterMs what the other side asks for; counts where it is longer
   * @returns seconds until the circuit lets a request through again
   */
  open(retryAfterMs = 0): number {
    const ownMs = OPEN_MS * (1 + Math.random() * JITTER);
    const ms = Math.max(ownMs, Math.min(retryAfterMs, LONGEST_MS));
    this.openUntil = Math.max(this.openUntil, Date.now() + ms);
    return Math.ceil((this.openUntil - Date.now()) / 1000);
  }
}
