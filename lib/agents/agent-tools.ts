import { Inject, Injectable } from '@nestjs/common';
import { checkTool } from '../auth/api-key.guard.js';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import { RequestLimits, type Caller } from '../auth/request-limits.js';
import { NEVER, raceTimeout } from '../core/async.js';
import { fork, type Fork, type ProgressEvent } from '../core/context.js';
import { errorResponse, logInternalError, type ErrorBody } from '../core/error-response.js';
import { ClientClosedError, ShuttingDownError, ToolsError } from '../core/errors.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { shapeOf } from '../core/openapi.js';
import { CallReporter } from '../tools/request-log.js';
import { parseRequest } from '../tools/request-fields.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { optionsOf, type HostOptions, type ToolDefinition } from '../tools/tool-definition.js';
import { TOOLS } from '../tools/tools.js';
import {
  DEFAULT_MAX_TEXT_TOKENS,
  argumentsOf,
  lenientArguments,
  fieldsOf,
  plainSchema,
  strictSchema,
  type JsonSchema,
  type ToolField,
} from './tool-arguments.js';
import { fitted, isShown, type AgentResult } from './agent-results.js';

/** One call of an agent. */
export interface AgentCall {
  /** The caller that is charged and whose place in the queue is used. */
  caller: Caller;
  /** Whose key it is; undefined where the host has replaced the guards. */
  identity?: ApiKeyIdentity;
  requestId: string;
  /** Fires when the caller leaves. Work that others wait for goes on. */
  signal?: AbortSignal;
  onProgress?: (event: ProgressEvent) => void;
  /** After this many ms the answer is "still working, call again", and the work continues. Default: the caller waits. */
  answerWithinMs?: number;
  /** Most tokens of the text. Default 6,000. */
  maxTextTokens?: number;
}

/** A tool as agents call it. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** For strict function calling, see `strictSchema`. */
  readonly strictInputSchema: JsonSchema;
  /** No member is required, since errors and shortened results must fit too. */
  readonly outputSchema: JsonSchema;
  /**
   * Never rejects: a model can only react to a result.
   * @param args an object, or its JSON as the model wrote it
   */
  call(args: unknown, call: AgentCall): Promise<AgentResult>;
}

const STILL_WORKING = 'still_working';
const CANCELLED = 'cancelled';

const ERROR_SCHEMA = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};

/** The tools of this host, for agents: described for a model, lenient about arguments, with results as text. */
@Injectable()
export class AgentTools {
  /** Every tool that is not switched off. */
  readonly list: readonly AgentTool[];
  private readonly running = new Set<Pick<Fork, 'abort'>>();

  constructor(
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(CallReporter) private readonly reporter: CallReporter,
    @Inject(RESOLVED_OPTIONS) private readonly options: HostOptions,
  ) {
    this.list = TOOLS.filter((tool) => optionsOf(tool, options).enabled).map((tool) => this.toolOf(tool));
  }

  /** Cancels all running calls, also those that continue without a caller. For the shutdown of the host. */
  cancel(): void {
    for (const call of this.running) call.abort(new ShuttingDownError());
  }

  private toolOf(tool: ToolDefinition): AgentTool {
    const { name, title, request, data, agent } = tool;
    const output = shapeOf(data, isShown).properties as JsonSchema;
    const fields = fieldsOf(request, agent.bounds?.(optionsOf(tool, this.options)));
    return {
      name,
      title,
      description: agent.description,
      inputSchema: plainSchema(fields),
      strictInputSchema: strictSchema(fields),
      outputSchema: { type: 'object', properties: { ...output, error: ERROR_SCHEMA } },
      call: (args, call) => this.call(tool, fields, args, call),
    };
  }

  private async call(
    tool: ToolDefinition,
    fields: readonly ToolField[],
    args: unknown,
    call: AgentCall,
  ): Promise<AgentResult> {
    const { signal = NEVER, answerWithinMs } = call;
    const run = fork({ signal, remainingMs: () => Infinity });
    this.running.add(run);
    const working = this.answer(tool, fields, args, { ...call, signal: run.context.signal }).finally(() => {
      run.dispose();
      this.running.delete(run);
    });
    if (answerWithinMs === undefined) return working;
    return raceTimeout(working, answerWithinMs).catch(() => {
      // The caller gets its answer and hangs up; the work goes on for its next call.
      run.dispose();
      return stillWorking(answerWithinMs);
    });
  }

  /** Permission → limits → validation → work → text; reported under the tool's own name however it ends. */
  private async answer(
    tool: ToolDefinition,
    fields: readonly ToolField[],
    args: unknown,
    call: AgentCall,
  ): Promise<AgentResult> {
    const { caller, identity, requestId, signal, onProgress, maxTextTokens = DEFAULT_MAX_TEXT_TOKENS } = call;
    const observation = this.reporter.begin(tool.name, requestId);
    observation.identity = identity;
    let status = 200;
    try {
      if (identity) checkTool(identity, tool.name);
      await this.limits.take(caller, tool.name, () => undefined);
      const { input, notes } = lenientArguments(argumentsOf(args), fields);
      const dto = parseRequest(tool, input);
      const how = { caller, client: { signal }, requestId, onProgress, observation };
      const data = await this.calls.run(tool, dto, how);
      return resultOf(tool, data, notes, maxTextTokens);
    } catch (error) {
      if (signal?.aborted && !ToolsError.isInstance(signal.reason)) {
        observation.fail(new ClientClosedError());
        const message = 'The call was cancelled by its caller.';
        const next = 'Call again if the result is still wanted.';
        return failure({ code: CANCELLED, message, next, request_id: requestId });
      }
      observation.fail(error);
      const { body, headers } = errorResponse(error, requestId);
      logInternalError(error, body, `${requestId} ${tool.name}`);
      status = body.statusCode;
      return errorResult(body, headers);
    } finally {
      this.reporter.report(observation, status, !signal?.aborted);
    }
  }
}

function resultOf(
  tool: ToolDefinition,
  result: object,
  notes: readonly string[],
  maxTextTokens: number,
): AgentResult {
  const data: { warnings?: object[] } = { ...result };
  // As warnings, so that text and structured result both name the ignored arguments.
  const noted = notes.map((message) => ({ code: 'unknown_arguments', message }));
  if (noted.length > 0) data.warnings = [...(data.warnings ?? []), ...noted];
  return { ...fitted(tool.data, { ...data }, maxTextTokens, tool.agent.advice), isError: false };
}

/** An error as a model can use it: what went wrong, and what to do next. */
function errorResult(body: ErrorBody, headers: Record<string, string>): AgentResult {
  const message = [body.message].flat().join('; ');
  const seconds = headers['Retry-After'];
  const next =
    body.code === 'invalid_request' || body.code === 'invalid_content_id'
      ? 'Change the arguments and call again.'
      : headers['X-Should-Retry'] === 'true'
        ? `Call again ${seconds ? `in ${seconds} seconds` : 'later'}.`
        : 'The same call would fail again.';
  return failure({
    code: body.code,
    message,
    ...(seconds ? { retry_after_seconds: Number(seconds) } : {}),
    next,
    request_id: body.request_id,
  });
}

function stillWorking(ms: number): AgentResult {
  return failure({
    code: STILL_WORKING,
    message: `The work takes longer than ${Math.round(ms / 1000)} seconds and continues.`,
    retry_after_seconds: 5,
    next: 'Call again with the same arguments to get the result.',
  });
}

function failure(error: {
  code: string;
  message: string;
  next: string;
  [field: string]: unknown;
}): AgentResult {
  const text = `Error (${error.code}): ${error.message}\n${error.next}`;
  return { text, structured: { error }, isError: true };
}
