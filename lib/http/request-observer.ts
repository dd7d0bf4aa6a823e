import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { identityOf } from '../auth/api-key.guard.js';
import { toolOf } from '../auth/tool.decorator.js';
import {
  rawResponse,
  requestIdOf,
  RequestSlot,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { CallReporter, type Observation } from '../tools/observation.js';

const OBSERVATION = new RequestSlot<Observation>('observation');

/** The observation of a request; undefined for one that did not come to a tool. */
export function observationOf(request: object): Observation | undefined {
  return OBSERVATION.get(request);
}

/**
 * Observes every request of a tool, whoever answers it. It is a guard that refuses nobody, and stands before every other guard: an
 * interceptor would not see the requests that guards refuse.
 */
@Injectable()
export class RequestObserver implements CanActivate {
  constructor(@Inject(CallReporter) private readonly reporter: CallReporter) {}

  canActivate(context: ExecutionContext): boolean {
    const tool = toolOf(context);
    if (!tool) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ToolRequest>();
    const raw = rawResponse(http.getResponse<ToolResponse>());
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
