import { HttpStatus, Inject, Injectable, Logger } from '@nestjs/common';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import { codeOf } from '../core/error-response.js';
import { ClientClosedError, ToolsError, upstreamFaults } from '../core/errors.js';
import { LogLine, logSideFailure, saidBy, type Fallback } from '../core/failures.js';
import { RESOLVED_OPTIONS, TELEMETRY } from '../core/injection-tokens.js';
import type { RequestEvent, ToolsHooks, WorkFacts, ToolName } from '../core/request-event.js';
import { NO_SPAN, type RecordValue, type Span, type Telemetry } from '../core/telemetry.js';
import { addUsage, type ModelUsage } from '../core/usage.js';

/** A request that has ended, of a tool or without one. */
type RequestEnd = Omit<RequestEvent, 'tool'> & { tool: ToolName | undefined };

/** What is known of one request while it runs. Reported when it has ended. */
export class Observation {
  /** What the work was; set when it has succeeded. */
  facts: WorkFacts = {};
  /** The caller; undefined until the key is checked, or if the host has its own guard. */
  identity?: Pick<ApiKeyIdentity, 'id' | 'name'>;
  private spent?: ModelUsage;
  private failure?: { error: unknown };
  private readonly fallbacks: Fallback[] = [];
  private readonly at = new Date();
  private readonly start = performance.now();

  constructor(
    /** Undefined for a request that is answered without a tool: of a job, of MCP, or one that is refused before it reaches a tool. */
    readonly tool: ToolName | undefined,
    /** The tool, or method and path. */
    readonly name: string,
    readonly requestId: string,
    /** From the first guard to the last byte. */
    readonly span: Span = NO_SPAN,
  ) {}

  spend(spent: ModelUsage): void {
    this.spent = addUsage(this.spent, spent);
  }

  /** The first failure counts. */
  fail(error: unknown): void {
    this.failure ??= { error };
  }

  fellBack(fallback: Fallback): void {
    this.fallbacks.push(fallback);
  }

  /** What failed first, in the words of the upstream; for the log. */
  get said(): string | undefined {
    const { error } = this.failure ?? this.fallbacks[0] ?? {};
    return reasonOf(error);
  }

  /** @param complete false: the client left before the answer was complete */
  event(statusCode: number, complete: boolean): RequestEnd {
    const { tool, requestId, at, identity, spent, facts } = this;
    const failed = this.failure ? [this.failure] : this.fallbacks;
    const fallback = this.failure ? '' : [...new Set(this.fallbacks.map(({ by }) => by))].join('+');
    return {
      at,
      requestId,
      tool,
      key: identity && { id: identity.id, name: identity.name },
      statusCode: complete ? statusCode : 499,
      outcome: this.outcome(complete),
      milliseconds: Math.round(performance.now() - this.start),
      upstreamFaults: upstreamFaults(...failed.map(({ error }) => error)),
      fallback: fallback || undefined,
      ...facts,
      usage: spent ?? facts.usage,
      cost: spent?.cost,
    };
  }

  private outcome(complete: boolean): RequestEvent['outcome'] {
    if (!this.failure) return complete ? 'ok' : 'client_closed';
    const { error } = this.failure;
    return error instanceof ClientClosedError ? 'client_closed' : codeOf(error);
  }
}

/** What a client was told of a limit, and what upstreams said of their failures. */
function reasonOf(error: unknown): string | undefined {
  return ToolsError.isInstance(error) && error.code === 'rate_limited' ? error.message : saidBy(error);
}

/**
 * Reports every request when it has ended, however it ended: one log line, and of a tool also metrics, the span, and the host's hook `onUsage`.
 * Nothing here throws, and a report that fails does not keep the others from being made.
 */
@Injectable()
export class CallReporter {
  private readonly logger = new Logger('ToolsModule');
  private readonly duration: RecordValue;
  private readonly tokens: RecordValue;

  constructor(
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: { hooks: ToolsHooks; logRequests: boolean },
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

  /** Begins to observe a call. @param kind `job` for work that was put off, named so in its span */
  begin(tool: ToolName, requestId: string, kind?: 'job'): Observation {
    const span = this.telemetry.startSpan(`nestjs_tools ${kind ? `${kind} ` : ''}${tool}`, {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'nestjs_tools.tool': tool,
        'nestjs_tools.request_id': requestId,
      },
    });
    return new Observation(tool, tool, requestId, span);
  }

  /**
   * Reports a request that has ended. One that was answered without a tool is only logged.
   * @param complete false: the client left before the answer was complete
   */
  report(observation: Observation, statusCode: number, complete: boolean): void {
    const { tool, span } = observation;
    const ended = observation.event(statusCode, complete);
    // Clients look at jobs often.
    const level = !tool && statusCode < 400 ? 'debug' : levelOf(ended);
    attempt(() => {
      // `Logger.isLevelEnabled` is not asked: on NestJS 10 and 11 it denies levels that are written.
      if (this.options.logRequests) this.logger[level](requestLine(observation, ended));
    });
    if (!tool) return;
    const event = ended as RequestEvent;
    attempt(() => this.measure(event));
    attempt(() => endSpan(span, event));
    const { onUsage } = this.options.hooks;
    // A request that became a job is reported when the job has ended.
    if (onUsage && statusCode !== HttpStatus.ACCEPTED) void this.callHook(event, onUsage);
  }

  private measure({ tool, outcome, milliseconds, usage }: RequestEvent): void {
    const labels = { 'nestjs_tools.tool': tool, 'nestjs_tools.outcome': outcome };
    this.duration(milliseconds / 1000, labels);
    if (usage) this.tokens(usage.inputTokens + usage.outputTokens, labels);
  }

  private async callHook(event: RequestEvent, onUsage: NonNullable<ToolsHooks['onUsage']>): Promise<void> {
    try {
      await onUsage(event);
    } catch (error) {
      attempt(() => logSideFailure('The hook onUsage failed', error, event.requestId));
    }
  }
}

function endSpan(span: Span, event: RequestEvent): void {
  const { outcome, usage } = event;
  span.set({
    'nestjs_tools.key_name': event.key?.name,
    'nestjs_tools.outcome': outcome,
    'nestjs_tools.upstream_fault': event.upstreamFaults,
    'nestjs_tools.method': event.method,
    'nestjs_tools.provider': event.provider,
    'nestjs_tools.engine': event.engine,
    'nestjs_tools.cached': event.cached,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
  });
  if (event.statusCode >= 500) span.fail(outcome);
  span.end();
}

/** Our own faults are errors. What an operator may have to look at is a warning. A client's mistake is neither. */
function levelOf({ outcome, statusCode, fallback }: RequestEnd): 'log' | 'warn' | 'error' {
  if (outcome === 'internal_error') return 'error';
  const refused = statusCode === 401 || statusCode === 403 || statusCode === 429;
  const failed = outcome !== 'ok' && outcome !== 'client_closed' && (statusCode >= 500 || statusCode === 200);
  return refused || failed || fallback !== undefined ? 'warn' : 'log';
}

/**
 * One line of the log: `search_web 200 ok 123 ms request_id=… key=billing method=answer provider=tavily engine=… cached=false
 * tokens=1200+85`, or `search_web 503 upstream_unavailable 53 ms request_id=… upstream="searxng 403"`. Unknown fields are left out.
 */
function requestLine({ name, said }: Observation, event: RequestEnd): LogLine {
  const { tool, statusCode, outcome, milliseconds, usage, cost } = event;
  const isFailed = outcome !== 'ok' && outcome !== 'client_closed';
  return new LogLine(
    `${name} ${statusCode}${isFailed && statusCode === 200 ? ' (stream)' : ''} ${outcome} ${milliseconds} ms`,
    {
      request_id: event.requestId,
      key: event.key?.name,
      upstream: event.upstreamFaults,
      fallback: event.fallback,
      error: said,
      method: event.method,
      provider: event.provider,
      engine: event.engine,
      cached: event.cached,
      tokens: usage && `${usage.inputTokens}+${usage.outputTokens}`,
      searches: usage?.searches?.map(({ provider, calls }) => `${provider}:${calls}`).join('+'),
    },
    {
      tool,
      request: tool ? undefined : name,
      status: statusCode,
      outcome,
      milliseconds,
      input_tokens: usage?.inputTokens,
      output_tokens: usage?.outputTokens,
      cost,
    },
  );
}

function attempt(report: () => unknown): void {
  try {
    report();
  } catch {
    // Nobody is left to tell.
  }
}
