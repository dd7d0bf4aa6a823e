import { Inject, Injectable, Logger, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { identityOf } from '../auth/api-key.guard.js';
import { toolOf } from '../auth/tool.decorator.js';
import { HOOKS, HTTP_OPTIONS, TELEMETRY } from '../core/injection-tokens.js';
import type { RecordValue, Telemetry } from '../core/telemetry.js';
import type { RequestEvent, ToolsHooks } from '../core/request-event.js';
import { printable } from '../core/text/printable.js';
import { rawResponse, type ToolRequest, type ToolResponse } from './http-exchange.js';
import type { HttpOptions } from './http-options.js';
import { Observation, observe } from './observation.js';
import { requestIdOf } from './request-id.js';
import { requestLine } from './request-line.js';

type Level = 'log' | 'warn' | 'error';

/**
 * Stands before every other guard and refuses nobody: begins the observation of a request, and tells the log, the metrics, the trace
 * and the host's hook when its response is closed, whoever answered and however it ended.
 */
@Injectable()
export class RequestObserver implements CanActivate {
  private readonly logger = new Logger('ToolsModule');
  private readonly duration: RecordValue;
  private readonly tokens: RecordValue;

  constructor(
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    @Inject(HOOKS) private readonly hooks: ToolsHooks,
    @Inject(HTTP_OPTIONS) private readonly options: Pick<HttpOptions, 'logRequests'>,
  ) {
    this.duration = telemetry.histogram('nestjs_tools.request.duration', {
      description: 'Time from the first guard to the end of the response.',
      unit: 's',
      boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    });
    this.tokens = telemetry.histogram('nestjs_tools.request.tokens', {
      description: 'Model tokens that a request has cost, sent and received.',
      unit: '{token}',
    });
  }

  canActivate(context: ExecutionContext): boolean {
    const tool = toolOf(context);
    if (!tool) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ToolRequest>();
    const raw = rawResponse(http.getResponse<ToolResponse>());
    const requestId = requestIdOf(request);
    const span = this.telemetry.startSpan(`nestjs_tools ${tool}`, {
      attributes: { 'nestjs_tools.tool': tool, 'nestjs_tools.request_id': requestId },
    });
    const observation = new Observation(tool, requestId, span);
    observe(request, observation);
    raw.once('close', () => {
      observation.identity = identityOf(request);
      const complete = raw.writableFinished;
      const tell = (): void => this.tell(observation.end(raw.statusCode, complete), observation);
      // Where the client left in the middle, the calls that end with it have yet to say what they cost.
      if (complete) tell();
      else setImmediate(tell);
    });
    return true;
  }

  /**
   * Tells what has ended, a request or a job. Nothing here may throw: it would be an uncaught exception of the host. One that fails does not
   * keep the others from being told.
   */
  tell(event: RequestEvent, { span }: Observation): void {
    const { outcome, usage } = event;
    attempt(() => {
      const level = levelOf(event);
      if (this.options.logRequests && Logger.isLevelEnabled(level)) this.logger[level](requestLine(event));
    });
    attempt(() => {
      const labels = { 'nestjs_tools.tool': event.tool, 'nestjs_tools.outcome': outcome };
      this.duration(event.milliseconds / 1000, labels);
      if (usage) this.tokens(usage.inputTokens + usage.outputTokens, labels);
    });
    attempt(() => {
      span.set({
        'nestjs_tools.key_name': event.key?.name,
        'nestjs_tools.outcome': outcome,
        'nestjs_tools.method': event.method,
        'nestjs_tools.provider': event.provider,
        'nestjs_tools.engine': event.engine,
        'nestjs_tools.cached': event.cached,
        'gen_ai.usage.input_tokens': usage?.inputTokens,
        'gen_ai.usage.output_tokens': usage?.outputTokens,
      });
      if (event.statusCode >= 500) span.fail(outcome);
      span.end();
    });
    if (this.hooks.onUsage) void this.callHook(event, this.hooks.onUsage);
  }

  private async callHook(event: RequestEvent, onUsage: NonNullable<ToolsHooks['onUsage']>): Promise<void> {
    try {
      await onUsage(event);
    } catch (error) {
      attempt(() => this.logger.warn(`The hook onUsage failed: ${printable(String(error))}`));
    }
  }
}

/** What is ours to fix is an error; what somebody may have to look at is a warning; a client that asks wrongly is neither. */
function levelOf({ outcome, statusCode }: RequestEvent): Level {
  if (outcome === 'internal_error') return 'error';
  const refused = statusCode === 401 || statusCode === 403 || statusCode === 429;
  const failed = outcome !== 'ok' && outcome !== 'client_closed' && (statusCode >= 500 || statusCode === 200);
  return refused || failed ? 'warn' : 'log';
}

function attempt(report: () => unknown): void {
  try {
    report();
  } catch {
    // There is nobody left to tell.
  }
}
