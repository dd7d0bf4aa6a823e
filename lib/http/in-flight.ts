import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ClientClosedError, ShuttingDownError } from '../core/errors.js';
import {
  rawResponse,
  type ToolResponse,
  requestIdOf,
  RequestSlot,
  type ToolRequest,
  toolOf,
} from '../core/http-exchange.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { identityOf } from '../auth/api-key.guard.js';
import { CallReporter, type Observation, type OtherRequest } from '../tools/observation.js';

/** How long requests that were cancelled at the end of the grace time have to send their error, ms. */
const ERROR_GRACE_MS = 500;

/** The part of the options that shutting down needs. */
export interface GraceOptions {
  shutdown: { graceMs: number };
}

/** The requests whose answers are not complete. */
@Injectable()
export class InFlight implements BeforeApplicationShutdown {
  private readonly requests = new Set<AbortController>();
  private stopping = false;
  private onEmpty: () => void = () => undefined;

  constructor(@Inject(RESOLVED_OPTIONS) private readonly options: GraceOptions) {}

  get size(): number {
    return this.requests.size;
  }

  /**
   * Counts a request until its response is closed.
   * @returns its signal fires when the client leaves, or when the host is being stopped and the grace time is over
   * @throws ShuttingDownError once the host is being stopped
   */
  begin(response: ToolResponse): Pick<AbortController, 'signal'> {
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

  private whenEmpty(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.requests.size === 0) return resolve();
      const timer = setTimeout(resolve, ms);
      this.onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const OBSERVATION = new RequestSlot<Observation>('observation');

/** The observation of a request; undefined for one that did not come to a tool. */
export function observationOf(request: object): Observation | undefined {
  return OBSERVATION.get(request);
}

const OTHER = new RequestSlot<OtherRequest>('other');

/** What is known of a request that is answered without a tool: of a job, of MCP, or one that is refused before it reaches a tool. */
function otherRequest(request: ToolRequest): OtherRequest {
  const { method = '', originalUrl, url } = request;
  const path = (originalUrl ?? url).split('?', 1)[0]!;
  return {
    request: `${method} ${path.slice(0, 200)}`,
    requestId: requestIdOf(request),
    startedAt: performance.now(),
  };
}

/** Records the failure of a request. @returns what is left to be reported: a request that no observer has seen */
export function recordFailure(request: object, error: unknown): OtherRequest | undefined {
  const observation = OBSERVATION.get(request);
  if (observation) return void observation.fail(error);
  const seen = OTHER.get(request);
  if (seen) return void (seen.error = error);
  return { ...otherRequest(request as ToolRequest), error };
}

/**
 * Observes every request of a tool, a job and the MCP endpoint. It is a guard that refuses no request, and runs before every other guard: an interceptor would not
 * see the requests that guards refuse.
 */
@Injectable()
export class RequestObserver implements CanActivate {
  constructor(@Inject(CallReporter) private readonly reporter: CallReporter) {}

  canActivate(context: ExecutionContext): boolean {
    const tool = toolOf(context);
    const http = context.switchToHttp();
    const request = http.getRequest<ToolRequest>();
    const raw = rawResponse(http.getResponse<ToolResponse>());
    if (!tool) {
      const other = otherRequest(request);
      OTHER.set(request, other);
      raw.once('close', () =>
        this.reporter.reportOther({ ...other, statusCode: raw.statusCode, key: identityOf(request)?.name }),
      );
      return true;
    }
    const observation = this.reporter.begin(tool, requestIdOf(request));
    OBSERVATION.set(request, observation);
    raw.once('close', () => {
      observation.identity = identityOf(request);
      const complete = raw.writableFinished;
      const report = (): void => this.reporter.report(observation, raw.statusCode, complete);
      // Where the client left, the calls that end with it have yet to say what they cost.
      if (complete) report();
      else setImmediate(report);
    });
    return true;
  }
}
