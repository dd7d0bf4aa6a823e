import { setMaxListeners } from 'node:events';
import type { UpstreamHealth } from '../core/health/index.js';
import type { CallGate } from '../core/sharing/index.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry/index.js';
import type { ToolContext } from '../core/tool-context.js';
import { loadAiSdk, type AiSdk } from './ai-sdk.js';
import { AttemptRunner, type Question } from './attempt-runner.js';
import { CallLimiter } from './call-limiter.js';
import { CallRetries } from './call-retries.js';
import { CallRoom, sharedRoom } from './call-room.js';
import { ContextOverflowError } from './context-overflow.error.js';
import type { Overflow } from './context-overflow.js';
import { HangWatch } from './hang-watch.js';
import { hedged } from './hedged-call.js';
import { judgeAnswer } from './judge-answer.js';
import { modelId, type LanguageModelLike } from './language-model.js';
import type { AttemptResult, ModelAnswer, ModelCall } from './model-call.js';
import { ModelCircuit } from './model-circuit.js';
import { ModelRateLimitedError, toModelError } from './model-errors.js';
import { ModelProfile, type Prompt } from './model-profile.js';
import { resolveModelOptions, type ModelOptions, type ResolvedModelOptions } from './model.options.js';
import type { UsageMeter } from './usage-meter.js';

/** A server that does not stream shows nothing until the whole answer is written. */
const UNSTREAMED_PATIENCE = 3;

/** What a client works with besides its model. Everything is optional. */
export interface ModelSurroundings {
  /** Loads the package `ai`; given in tests. */
  sdk?: () => Promise<AiSdk>;
  /** Takes a span and two histograms for every call. Default: nothing is recorded. */
  telemetry?: Telemetry;
  /** Hears how calls ended, with their retries counted as one. */
  health?: UpstreamHealth;
  /** Counts the calls of all processes against the limits that the options set. Default: each process counts its own. */
  gate?: CallGate;
  /** How the host calls the options, for messages. Default `modelOptions`. */
  optionsName?: string;
}

/**
 * A language model as the tools use it: one retry layer, one limiter for all requests of the process (and the limits that processes
 * share), hung calls begun a second time, tokens estimated and learnt; five calls in a row that fail with all their retries, and the model
 * is left alone for up to 30 s. Make one per model and keep it.
 */
export class ModelClient {
  /** The model's id, e.g. `gpt-5-mini`. */
  readonly id: string;
  readonly options: ResolvedModelOptions;
  private readonly sdk: () => Promise<AiSdk>;
  private readonly profile: ModelProfile;
  private readonly circuit: ModelCircuit;
  private readonly room: CallRoom;
  private readonly hangs: HangWatch;
  private readonly attempts: AttemptRunner;

  /**
   * @param model any AI SDK language model (`ai` 6 or 7)
   * @throws InvalidOptionError
   */
  constructor(
    model: LanguageModelLike,
    options: ModelOptions = {},
    { sdk = loadAiSdk, telemetry = NO_TELEMETRY, health, gate, optionsName }: ModelSurroundings = {},
  ) {
    this.id = modelId(model);
    this.sdk = sdk;
    this.options = resolveModelOptions(options, optionsName);
    this.profile = new ModelProfile(this.options);
    this.circuit = new ModelCircuit(this.id, this.options, health);
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = this.options;
    const limiter = new CallLimiter({ maxParallel, callsPerMinute, tokensPerMinute });
    this.room = new CallRoom(limiter, gate && sharedRoom(gate, this.id, options));
    this.hangs = new HangWatch(this.options.hedgeAfterMs);
    this.attempts = new AttemptRunner(model, this.options, this.profile, this.hangs, telemetry);
  }

  /** The window in tokens as told, learnt from an overflow error, or assumed. */
  get contextTokens(): number {
    return this.profile.contextTokens;
  }

  /** Tokens that an answer may have when `wanted` are asked for: a quarter of the window at most. */
  outputTokens(wanted: number): number {
    return this.profile.outputTokens(wanted);
  }

  /** Tokens that a prompt may have beside an answer of `maxOutputTokens`. */
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

  /** Learns from an overflow that another process met with this call, and gives the error that it means. */
  overflowed(overflow: Overflow, call: Prompt): ContextOverflowError {
    const error = new ContextOverflowError(overflow);
    this.profile.learnWindow(error, this.estimateCall(call));
    return error;
  }

  /**
   * Asks the model.
   *
   * @throws ContextOverflowError when the prompt is too long (nothing is sent when that is known before);
   *   BudgetExceededError before the call is paid for; UpstreamInvalidError, UpstreamUnavailableError or
   *   UpstreamTimeoutError after the retries; CircuitOpenError while the model is left alone; MissingPeerError,
   *   NotConfiguredError; the context's reason when it is aborted
   */
  async generate(call: ModelCall, context: ToolContext, meter: UsageMeter): Promise<ModelAnswer> {
    const ai = await this.sdk();
    // Neither says anything of the model, so neither may be its probe.
    this.profile.checkWindow(this.estimateCall(call));
    meter.check(this.estimateCall(call), this.outputTokens(call.maxOutputTokens), this.options);
    const retries = new CallRetries(this.options);
    return this.circuit.run(
      () => this.ask(ai, call, context, meter, retries),
      () => retries.sent > 0,
      context,
    );
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
        const question = { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, retries };
        return judgeAnswer(await this.attempt(question), retries.failed);
      } catch (thrown) {
        context.signal.throwIfAborted();
        const error = toModelError(thrown);
        if (error instanceof ContextOverflowError) {
          this.profile.learnTokens(call, error.overflow.requested);
          this.profile.learnWindow(error, inputTokens);
        }
        await retries.next(error, context);
      } finally {
        settle();
      }
    }
  }

  /** One try, and a second one beside it when it hangs. */
  private attempt(question: Question): Promise<AttemptResult> {
    const { call, inputTokens, maxOutputTokens, streamed, context, retries } = question;
    const rest = this.room.restMs;
    // Better told now than at the deadline.
    if (rest >= context.remainingMs()) throw new ModelRateLimitedError(rest, undefined);
    return hedged({
      room: this.room,
      tokens: inputTokens + maxOutputTokens,
      hedgeAfterMs: this.hangs.hedgeAfterMs(inputTokens) * (streamed ? 1 : UNSTREAMED_PATIENCE),
      again: retries.again,
      signal: context.signal,
      mayHedge: () => retries.left,
      onText: call.onText,
      onRestart: call.onRestart,
      attempt: (controller, lease, listener, hedge) =>
        this.attempts.run(question, controller, lease, listener, hedge),
    });
  }
}
