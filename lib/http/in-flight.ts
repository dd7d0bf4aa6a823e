import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ShuttingDownError } from '../core/errors.js';
import { HTTP_OPTIONS } from '../core/injection-tokens.js';
import { rawResponse, type ToolResponse } from './http-exchange.js';
import type { HttpOptions } from './http-options.js';

/** How long what was cancelled at the end of the grace time has for writing its error, ms. */
const LAST_WORDS_MS = 500;

/** Why the work was given up: the client has gone, so there is nobody left to answer. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  constructor() {
    super('The client closed the connection.');
  }
}

/**
 * The signal of one request, made when something first asks for it: an answer from the cache never does, and a signal costs more than
 * the look-up.
 */
export class RequestSignal {
  private controller?: AbortController;
  private reason?: Error;

  /** Fires when the request is given up. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.reason) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** Gives the request up; the first reason counts. */
  abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}

/**
 * The requests whose answers are not complete. Each has a signal, which fires when its client leaves, and when the host is being
 * stopped and the time for finishing is over.
 */
@Injectable()
export class InFlight implements BeforeApplicationShutdown {
  private readonly requests = new Set<RequestSignal>();
  private stopping = false;
  private emptied: () => void = () => undefined;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: Pick<HttpOptions, 'graceMs'>) {}

  /** Number of requests under way. */
  get size(): number {
    return this.requests.size;
  }

  /** @throws ShuttingDownError once the host is being stopped */
  refuseWhenStopping(): void {
    if (this.stopping) throw new ShuttingDownError();
  }

  /**
   * Counts a request until its response is closed.
   * @throws ShuttingDownError once the host is being stopped
   */
  begin(response: ToolResponse): RequestSignal {
    this.refuseWhenStopping();
    const raw = rawResponse(response);
    const request = new RequestSignal();
    // A client may leave while its key is being looked up; then there is no event any more to wait for.
    if (raw.destroyed || raw.closed) {
      request.abort(new ClientClosedError());
      return request;
    }
    this.requests.add(request);
    raw.once('close', () => {
      this.requests.delete(request);
      if (!raw.writableFinished) request.abort(new ClientClosedError());
      if (this.requests.size === 0) this.emptied();
    });
    return request;
  }

  /** Waits for what is in flight and cancels what does not end in time. New requests are refused from now on. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.empty(this.options.graceMs);
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
