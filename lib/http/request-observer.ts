import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { identityOf } from '../auth/api-key.guard.js';
import {
  rawResponse,
  requestIdOf,
  toolOf,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { CallReporter, type Observation, type OtherRequest } from '../tools/request-log.js';

const OBSERVATION = new WeakMap<object, Observation>();

/** The observation of a request; undefined for one that did not come to a tool. */
export function observationOf(request: object): Observation | undefined {
  return OBSERVATION.get(request);
}

const OTHER = new WeakMap<object, OtherRequest>();

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
