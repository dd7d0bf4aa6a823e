import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ClientClosedError, ShuttingDownError } from '../core/errors.js';
import { rawResponse, type ToolResponse } from '../core/http-exchange.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';

/** How long requests that were cancelled at the end of the grace time have to send their error, ms. */
const LAST_WORDS_MS = 500;

/** The part of the options that shutting down needs. */
export interface GraceOptions {
  shutdown: { graceMs: number };
}

/**
 * The requests whose answers are not complete. Each has a signal, which fires when its client leaves, and when the host is being stopped
 * and the grace time is over.
 */
@Injectable()
export class InFlight implements BeforeApplicationShutdown {
  private readonly requests = new Set<AbortController>();
  private stopping = false;
  private emptied: () => void = () => undefined;

  constructor(@Inject(RESOLVED_OPTIONS) private readonly options: GraceOptions) {}

  /** Number of requests under way. */
  get size(): number {
    return this.requests.size;
  }

  /**
   * Counts a request until its response is closed, and gives its signal.
   * @throws ShuttingDownError once the host is being stopped
   */
  begin(response: ToolResponse): AbortSignal {
    if (this.stopping) throw new ShuttingDownError();
    const raw = rawResponse(response);
    const request = new AbortController();
    // A client may leave while its key is being looked up; then no event will tell.
    if (raw.destroyed || raw.closed) {
      request.abort(new ClientClosedError());
      return request.signal;
    }
    this.requests.add(request);
    raw.once('close', () => {
      this.requests.delete(request);
      if (!raw.writableFinished) request.abort(new ClientClosedError());
      if (this.requests.size === 0) this.emptied();
    });
    return request.signal;
  }

  /** Waits for what is in flight and cancels what does not end in time. New requests are refused from now on. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.empty(this.options.shutdown.graceMs);
    for (const request of this.requests) request.abort(new ShuttingDownError());
    await this.empty(LAST_WORDS_MS);
  }

  private empty(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.requests.size === 0) return resolve();
      const timer = setTimeout(resolve, ms);
      this.emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
