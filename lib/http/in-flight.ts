import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { raceTimeout } from '../core/async.js';
import { ClientClosedError, ShuttingDownError } from '../core/errors.js';
import { rawResponse, type ToolResponse } from '../core/http-exchange.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';

/** How long requests that were cancelled at the end of the grace time have to send their error, ms; set by hand. */
const ERROR_GRACE_MS = 500;

export interface GraceOptions {
  shutdown: { graceMs: number };
}

/** The requests whose answers are not complete. A request is cancelled when its client leaves, and all of them when the host stops. */
@Injectable()
export class InFlight implements BeforeApplicationShutdown {
  /** A controller makes its signal when it is asked for: an answer from the cache needs none. */
  private readonly requests = new Set<AbortController>();
  private stopping = false;
  private onEmpty: () => void = () => undefined;

  constructor(@Inject(RESOLVED_OPTIONS) private readonly options: GraceOptions) {}

  /**
   * Counts a request until its response is closed.
   * @returns its signal fires when the client leaves, or when the host is being stopped and the grace time is over
   * @throws ShuttingDownError once the host is being stopped
   */
  begin(response: ToolResponse): { readonly signal: AbortSignal } {
    if (this.stopping) throw new ShuttingDownError();
    const raw = rawResponse(response);
    const request = new AbortController();
    // A client may leave while its key is being looked up; then no event will tell.
    if (raw.destroyed || raw.closed) {
      request.abort(new ClientClosedError());
      return request;
    }
    this.requests.add(request);
    raw.once('close', () => {
      this.requests.delete(request);
      if (!raw.writableFinished) request.abort(new ClientClosedError());
      if (this.requests.size === 0) this.onEmpty();
    });
    return request;
  }

  /** Waits for the requests under way, and cancels those that do not end in time. New requests are refused from now on. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.whenEmpty(this.options.shutdown.graceMs);
    for (const request of this.requests) request.abort(new ShuttingDownError());
    await this.whenEmpty(ERROR_GRACE_MS);
  }

  private async whenEmpty(ms: number): Promise<void> {
    if (this.requests.size === 0) return;
    const empty = new Promise<void>((resolve) => (this.onEmpty = resolve));
    await raceTimeout(empty, ms).catch(() => undefined);
  }
}
