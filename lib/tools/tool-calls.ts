import { Inject, Injectable, Optional } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RequestLimits, type Caller } from '../auth/request-limits.js';
import type { Admit, CallOptions, ProgressEvent } from '../core/context.js';
import type { Fallback } from '../core/failures.js';
import { FairQueue } from '../core/fair-queue.js';
import { TELEMETRY } from '../core/injection-tokens.js';
import type { WorkFacts } from '../core/request-event.js';
import type { Span, Telemetry } from '../core/telemetry.js';
import { NO_USAGE, type ModelUsage } from '../core/usage.js';
import type { Observation } from './request-log.js';
import { onTheWire, requestOf } from './request-fields.js';
import type { ToolDefinition, ToolResult } from './tool-definition.js';
import { wireOf } from './result-fields.js';

/** A call of a tool from outside: an HTTP request, a job, or a call of an agent. */
export interface ToolCall extends Pick<
  CallOptions,
  'requestId' | 'noCache' | 'onProgress' | 'deadlineMs' | 'checkpoint'
> {
  /** The caller that is charged and whose place in the queue is used. */
  caller: Caller;
  /** Who waits for the answer. Its signal is asked for when work begins: an answer from the cache needs none. */
  client?: { readonly signal?: AbortSignal };
  /** Hears what the call has cost and how it ended; undefined where the host has replaced the guards. */
  observation?: Observation;
  /** True for a job: it has its slot in the worker already. Default false. */
  queued?: boolean;
}

/** The signal of a call, when it is asked for. It is a class, because V8 makes a hidden class of its own for every literal with a getter. */
class CallSignal {
  constructor(private readonly client: ToolCall['client']) {}

  get signal(): AbortSignal | undefined {
    return this.client?.signal;
  }
}

/** Runs tools for callers: in their place of the queue, at their cost, with a span for each step. */
@Injectable()
export class ToolCalls {
  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    @Optional() @Inject(FairQueue) private readonly queue?: FairQueue,
  ) {}

  /**
   * Everything that a result depends on, whoever asks. Requests with equal identities are one job.
   * @throws the errors that the tool throws before it starts to work
   */
  identityOf(tool: ToolDefinition, dto: object): readonly unknown[] {
    const request = requestOf(tool.request, dto);
    // A host's tests may put a plain object in place of the service.
    const service = this.serviceOf(tool) as { identityOf?(request: object): readonly unknown[] };
    try {
      return service.identityOf?.(request) ?? [request];
    } catch (error) {
      throw onTheWire(tool.request, error);
    }
  }

  /** Runs a tool with a validated request. @returns the `data` of the answer @throws what its service throws */
  async run(tool: ToolDefinition, dto: object, call: ToolCall): Promise<object> {
    const { caller, observation, onProgress } = call;
    let step: { stage: string; span: Span } | undefined;
    const account = this.limits.accountOf(caller);
    const options: CallOptions = Object.assign(new CallSignal(call.client), {
      requestId: call.requestId,
      caller: caller.id,
      domains: caller.pages,
      noCache: call.noCache,
      deadlineMs: call.deadlineMs,
      inJob: call.queued,
      checkpoint: call.checkpoint,
      onProgress: (event: ProgressEvent) => {
        if (event.stage !== step?.stage) {
          step?.span.end();
          step = { stage: event.stage, span: this.spanOf(event.stage) };
        }
        onProgress?.(event);
      },
      onFallback: observation && ((fallback: Fallback) => observation.fellBack(fallback)),
      admit: this.admissionOf(caller, call.queued),
      admitCall: account.admitCall,
      // At each model call: work that fails or is cancelled has cost what it has cost.
      spend: (spent: ModelUsage) => {
        account.spend(spent);
        observation?.spend(spent);
      },
    });
    const request = requestOf(tool.request, dto) as never;
    const work = (): Promise<ToolResult> => tool.run(this.serviceOf(tool), request, options);
    try {
      const done = await (observation ? observation.span.run(work) : work());
      if (observation) record(observation, done);
      return wireOf(tool.data, done.result);
    } catch (thrown) {
      const error = onTheWire(tool.request, thrown);
      observation?.fail(error);
      throw error;
    } finally {
      step?.span.end();
      await account.settled();
    }
  }

  private serviceOf({ service }: ToolDefinition): object {
    return this.moduleRef.get<object>(service);
  }

  private spanOf(stage: string): Span {
    const attributes = { 'nestjs_tools.step': stage };
    return this.telemetry.startSpan(`nestjs_tools step ${stage}`, { attributes });
  }

  /** Looks at the budget when the turn of the work has come: it may have waited for long. */
  private admissionOf(caller: Caller, isQueued = false): Admit {
    const { id, limits } = caller;
    return (signal, work) => {
      const admitted = async <T>(begin: () => Promise<T>): Promise<T> => {
        await this.limits.requireBudget(caller);
        return begin();
      };
      if (isQueued || !this.queue) return admitted(work);
      const applicant = { callers: () => [id] as const, signal, limit: limits?.concurrency };
      return this.queue.run(applicant, () => admitted(work));
    };
  }
}

/** Notes what a result says of the work. */
function record(observation: Observation, { result, method }: ToolResult): void {
  const { content, llm, ...made } = result as WorkFacts & { content?: WorkFacts; llm?: WorkFacts };
  const provider = made.provider ?? content?.provider;
  const engine = made.engine ?? llm?.engine;
  const usage = llm?.usage ?? made.usage;
  observation.facts = { method, provider, engine, cached: made.cached, usage };
  // A result that somebody else has paid for has cost nothing, which is not the same as unknown.
  if (usage) observation.spend(usage.cost === undefined ? NO_USAGE : { ...NO_USAGE, cost: 0 });
}
