import { setMaxListeners } from 'node:events';
import { withFork, type ToolContext } from '../core/context.js';
import { ToolsError } from '../core/errors.js';
import type { UpstreamHealth } from '../core/health.js';
import type { CallGate } from '../core/shared-state.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { loadAiSdk, modelId, providerName, type AiSearchSdk, type LanguageModelLike } from './ai-sdk.js';
import { ModelCallTelemetry, outcomeOf } from './attempt.js';
import { AnswerTimeoutError, errorTypeOf, ModelRateLimitedError, toModelError } from './errors.js';
import { CallSlots, sharedLimits, type CallOutcome } from './limits.js';
import { UsageMeter, type Budget, type ResolvedRequestOptions } from './options.js';
import { CallRetries, ModelCircuit } from './retries.js';

/** Services of the module for parts of the host that call their own models. Absent outside of a module. */
export interface ModelEnvironment {
  telemetry?: Telemetry;
  health?: UpstreamHealth;
  gate?: CallGate;
  /** Limit of one request; checked for each call of its own. */
  budget?: Budget;
  /** Aborts work in the background when the application stops. */
  signal?: AbortSignal;
}

/** One request to a model. */
interface ModelRequest<T> {
  operation: 'embeddings' | 'rerank';
  /** Key of the usage, and `nestjs_tools.step` of the span, e.g. `embed_query`. */
  step: string;
  /** Estimate of the input. */
  inputTokens: number;
  /** Whether the host's budget for one request counts. False: it is work in the background. */
  isBudgeted: boolean;
  /**
   * Sends it once. Must end when the signal fires.
   * @returns the value, and the input tokens that the server counted where it says so
   */
  send(ai: AiSearchSdk, signal: AbortSignal): Promise<{ value: T; inputTokens?: number }>;
}

/**
 * A model that answers a request with one value: embeddings, a ranking. It has the limits, retries, circuit breaker, telemetry and budget
 * of a `ModelClient`, without streaming and hedging. Create one per model and keep it.
 */
export class RequestClient {
  private readonly circuit: ModelCircuit;
  private readonly slots: CallSlots;
  private readonly calls: ModelCallTelemetry;
  private readonly provider: string;
  /** The model's id, e.g. `text-embedding-3-small`. */
  readonly id: string;

  /**
   * @param what the model is for; its group in the health registry
   * @param sdk loads the package `ai`; set in tests
   */
  constructor(
    model: LanguageModelLike,
    private readonly options: ResolvedRequestOptions,
    what: 'embeddings' | 'reranker',
    private readonly environment: ModelEnvironment = {},
    private readonly sdk: () => Promise<AiSearchSdk> = loadAiSdk,
  ) {
    const { telemetry = NO_TELEMETRY, health, gate } = environment;
    this.id = modelId(model);
    this.provider = providerName(model);
    this.circuit = new ModelCircuit(this.id, options, health, what);
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
    const limits = { maxParallel, callsPerMinute, tokensPerMinute };
    this.slots = new CallSlots(limits, gate && sharedLimits(gate, this.id, options));
    this.calls = new ModelCallTelemetry(telemetry);
  }

  /**
   * Sends a request, with retries.
   *
   * @throws BudgetExceededError before anything is sent; UpstreamInvalidError, UpstreamUnavailableError or UpstreamTimeoutError after the
   *   retries; CircuitOpenError while the circuit is open; ContextOverflowError; MissingPeerError; the context's reason when it is aborted
   */
  async run<T>(request: ModelRequest<T>, context: ToolContext): Promise<T> {
    const ai = await this.sdk();
    const prices = { ...this.options, outputPricePerMillion: 0 };
    const budget = request.isBudgeted ? this.environment.budget : undefined;
    new UsageMeter(budget).check(request.inputTokens, 0, prices);
    const retries = new CallRetries(this.options);
    return this.circuit.run(() => this.ask(ai, request, context, retries), retries, context);
  }

  private async ask<T>(
    ai: AiSearchSdk,
    request: ModelRequest<T>,
    context: ToolContext,
    retries: CallRetries,
  ): Promise<T> {
    setMaxListeners(0, context.signal);
    for (;;) {
      context.signal.throwIfAborted();
      // Better to fail now than at the deadline.
      if (this.slots.restMs >= context.remainingMs())
        throw new ModelRateLimitedError(this.slots.restMs, undefined);
      try {
        return await this.attempt(ai, request, context, retries);
      } catch (thrown) {
        context.signal.throwIfAborted();
        await retries.next(toModelError(thrown), context);
      }
    }
  }

  private async attempt<T>(
    ai: AiSearchSdk,
    { operation, step, inputTokens, send }: ModelRequest<T>,
    context: ToolContext,
    retries: CallRetries,
  ): Promise<T> {
    const { callTimeoutMs, maxRetryAfterMs } = this.options;
    const lease = await this.slots.acquire(inputTokens, context.signal, retries.again);
    const info = { operation, provider: this.provider, model: this.id, step, attempt: retries.begin() };
    let outcome: CallOutcome = { kind: 'dropped' };
    let used = 0;
    try {
      const onTimeout = (): Error =>
        new AnswerTimeoutError(`The model took longer than ${callTimeoutMs} ms.`);
      const result = await this.calls.observe(
        info,
        () => withFork(context, { ms: callTimeoutMs, onTimeout }, ({ signal }) => send(ai, signal)),
        (sent) => ({ inputTokens: sent.inputTokens }),
        errorTypeOf,
      );
      used = result.inputTokens || inputTokens;
      outcome = { kind: 'taken', tokens: used };
      return result.value;
    } catch (thrown) {
      if (context.signal.aborted) {
        used = inputTokens;
        throw context.signal.reason;
      }
      const error = toModelError(thrown);
      if (ToolsError.isInstance(error)) outcome = outcomeOf(error, retries.refusalBackOffMs, maxRetryAfterMs);
      throw error;
    } finally {
      lease.release(outcome);
      context.spend?.({ modelCalls: 1, inputTokens: used, outputTokens: 0 });
    }
  }
}
