import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { UpstreamHealth } from '../core/health.js';
import type { CallGate } from '../core/shared-state.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import type { ToolContext } from '../core/context.js';
import { loadAiSdk, modelId, type AiSdk, type LanguageModelLike } from './ai-sdk.js';
import { AttemptRunner, type Attempt } from './attempt.js';
import { checkCompletion, type AttemptResult, type ModelAnswer, type ModelCall } from './call.js';
import { ModelCircuit, FirstTokenLatency, hedged, CallRetries } from './retries.js';
import { ContextOverflowError, ModelRateLimitedError, toModelError, type Overflow } from './errors.js';
import { CallSlots, sharedLimits } from './limits.js';
import {
  resolveModelOptions,
  type ModelOptions,
  type ResolvedModelOptions,
  type UsageMeter,
} from './options.js';
import { ModelProfile, type Prompt } from './profile.js';

/** A server that does not stream shows nothing until the whole answer is written: its calls may take this many times longer. */
const UNSTREAMED_PATIENCE = 3;

/** Optional parts of a client. */
interface ModelClientDeps {
  /** Loads the package `ai`; set in tests. */
  sdk?: () => Promise<AiSdk>;
  /** Records a span and two histograms for every call. Default: nothing is recorded. */
  telemetry?: Telemetry;
  /** Hears how calls ended, each with its retries as one. */
  health?: UpstreamHealth;
  /** Counts the calls of all processes against the limits in the options. Default: each process counts its own. */
  gate?: CallGate;
  /** Name of the options, for messages. Default `modelOptions`. */
  optionsName?: string;
}

/**
 * A language model as the tools use it. It has one retry layer, and one limiter for all requests of the process, next to the limits that
 * processes share. Calls that hang are hedged, tokens are estimated and learnt. After five failed calls in a row, retries included, it is
 * not asked for up to 30 s. Create one per model and keep it.
 */
export class ModelClient {
  /** The model's id, e.g. `gpt-5-mini`. */
  readonly id: string;
  readonly options: ResolvedModelOptions;
  private readonly sdk: () => Promise<AiSdk>;
  private readonly profile: ModelProfile;
  private readonly circuit: ModelCircuit;
  private readonly slots: CallSlots;
  private readonly latency: FirstTokenLatency;
  private readonly attempts: AttemptRunner;
  private readonly logger = new Logger('ToolsModule');
  private readonly optionsName: string;
  private warned = false;

  /**
   * @param model any AI SDK language model (`ai` 6 or 7)
   * @throws InvalidOptionError
   */
  constructor(
    model: LanguageModelLike,
    options: ModelOptions = {},
    {
      sdk = loadAiSdk,
      telemetry = NO_TELEMETRY,
      health,
      gate,
      optionsName = 'modelOptions',
    }: ModelClientDeps = {},
  ) {
    this.optionsName = optionsName;
    this.id = modelId(model);
    this.sdk = sdk;
    this.options = resolveModelOptions(options, optionsName);
    this.profile = new ModelProfile(this.options);
    this.circuit = new ModelCircuit(this.id, this.options, health);
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = this.options;
    const limits = { maxParallel, callsPerMinute, tokensPerMinute };
    this.slots = new CallSlots(limits, gate && sharedLimits(gate, this.id, options));
    this.latency = new FirstTokenLatency(this.options.hedgeAfterMs);
    this.attempts = new AttemptRunner(model, this.options, this.profile, this.latency, telemetry);
  }

  /** The window in tokens: as set, learnt from an overflow error, or assumed. */
  get contextTokens(): number {
    return this.profile.contextTokens;
  }

  /** Tokens that an answer may have when `wanted` are asked for: a quarter of the window at most. */
  outputTokens(wanted: number): number {
    return this.profile.outputTokens(wanted);
  }

  /** Tokens that a prompt may have next to an answer of `maxOutputTokens`. */
  promptTokens(maxOutputTokens: number): number {
    return this.profile.promptTokens(maxOutputTokens);
  }

  /** Estimated tokens of a text, corrected by what this model's server has reported. */
  estimate(text: string): number {
    return this.profile.estimate(text);
  }

  /** Estimated tokens of a call's prompt. */
  estimateCall(call: Prompt): number {
    return this.profile.estimatePrompt(call);
  }

  /** Learns from an overflow that another process met with this call. @returns the error that it means */
  overflowed(overflow: Overflow, call: Prompt): ContextOverflowError {
    const error = new ContextOverflowError(overflow);
    this.learn(error, call);
    return error;
  }

  private learn({ overflow }: ContextOverflowError, call: Prompt): void {
    const { contextTokens } = this.options;
    if (!overflow.rateLimit) this.profile.learnTokens(call, overflow.requested);
    this.profile.learnWindow(overflow, call);
    if (contextTokens === undefined || overflow.limit === undefined || this.warned) return;
    if (overflow.limit >= contextTokens) return;
    this.warned = true;
    this.logger.warn(
      `The server of the model ${this.id} accepts at most ${overflow.limit} tokens; \`${this.optionsName}.contextTokens\` is ${contextTokens}. Lower the option.`,
    );
  }

  /**
   * Asks the model. An answer whose stream was cut is asked for once more; cut again, it is returned with `truncated: true`.
   *
   * @throws ContextOverflowError when the prompt is too long (nothing is sent when that is known before);
   *   BudgetExceededError before the call is paid for; UpstreamInvalidError, UpstreamUnavailableError or
   *   UpstreamTimeoutError after the retries; CircuitOpenError while the circuit is open; MissingPeerError,
   *   NotConfiguredError; the context's reason when it is aborted
   */
  async generate(call: ModelCall, context: ToolContext, meter: UsageMeter): Promise<ModelAnswer> {
    const ai = await this.sdk();
    // Neither check says anything about the model, so neither may be its probe.
    this.profile.checkWindow(this.estimateCall(call));
    meter.check(this.estimateCall(call), this.outputTokens(call.maxOutputTokens), this.options);
    const retries = new CallRetries(this.options);
    return this.circuit.run(() => this.ask(ai, call, context, meter, retries), retries, context);
  }

  /** One call with its retries. */
  private async ask(
    ai: AiSdk,
    call: ModelCall,
    context: ToolContext,
    meter: UsageMeter,
    retries: CallRetries,
  ): Promise<ModelAnswer> {
    // Every waiting call of a request listens to the same signal; Node would warn of a leak at the eleventh.
    setMaxListeners(0, context.signal);
    for (;;) {
      context.signal.throwIfAborted();
      const inputTokens = this.estimateCall(call);
      const maxOutputTokens = this.outputTokens(call.maxOutputTokens * retries.outputFactor);
      this.profile.checkWindow(inputTokens);
      const settle = meter.reserve(inputTokens, maxOutputTokens, this.options);
      try {
        const streamed = this.profile.streams ?? !retries.unreadable;
        const attempt = { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, retries };
        return checkCompletion(await this.attempt(attempt), retries.mayRetryCut);
      } catch (thrown) {
        context.signal.throwIfAborted();
        const error = toModelError(thrown);
        if (error instanceof ContextOverflowError) {
          this.learn(error, call);
        }
        await retries.next(error, context);
      } finally {
        settle();
      }
    }
  }

  /** One attempt, and its hedge when it hangs. */
  private attempt(attempt: Attempt): Promise<AttemptResult> {
    const { call, inputTokens, maxOutputTokens, streamed, context, retries } = attempt;
    const rest = this.slots.restMs;
    // Better to fail now than at the deadline.
    if (rest >= context.remainingMs()) throw new ModelRateLimitedError(rest, undefined);
    return hedged({
      slots: this.slots,
      tokens: inputTokens + maxOutputTokens,
      hedgeAfterMs: this.latency.hedgeAfterMs(inputTokens) * (streamed ? 1 : UNSTREAMED_PATIENCE),
      again: retries.again,
      signal: context.signal,
      mayHedge: () => retries.left,
      onText: call.onText,
      onRestart: call.onRestart,
      attempt: (controller, lease, listener, hedge) =>
        this.attempts.run(attempt, controller, lease, listener, hedge),
    });
  }
}
