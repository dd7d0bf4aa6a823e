import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { identityOf } from '../auth/api-key.guard.js';
import {
  pathOf,
  rawResponse,
  requestIdOf,
  toolOf,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { CallReporter, Observation } from '../tools/request-log.js';

const OBSERVATION = new WeakMap<object, Observation>();

/** The observation of a request; undefined for one that the observer has not seen. */
export function observationOf(request: object): Observation | undefined {
  return OBSERVATION.get(request);
}

/** The observation of a request that is answered without a tool. */
export function otherRequest(request: ToolRequest): Observation {
  const name = `${request.method ?? ''} ${pathOf(request).slice(0, 200)}`;
  return new Observation(undefined, name, requestIdOf(request));
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
    const observation = tool ? this.reporter.begin(tool, requestIdOf(request)) : otherRequest(request);
    OBSERVATION.set(request, observation);
    raw.once('close', () => {
      observation.identity = identityOf(request);
      const complete = !tool || raw.writableFinished;
      const report = (): void => this.reporter.report(observation, raw.statusCode, complete);
      // Where the client left, the calls that end with it have yet to say what they cost.
      if (complete) report();
      else setImmediate(report);
    });
    return true;
  }
}
