import { ToolsError } from '../core/errors/index.js';
import { ModelCallTelemetry, type Telemetry } from '../core/telemetry/index.js';
import type { ToolContext } from '../core/tool-context.js';
import { toAiContent, type AiSdk } from './ai-sdk.js';
import { AnswerTimeoutError, generateAttempt, streamAttempt, type AttemptListener } from './attempt.js';
import type { CallLease, CallOutcome } from './call-limiter.js';
import type { CallRetries } from './call-retries.js';
import type { HangWatch } from './hang-watch.js';
import { modelId, type LanguageModelLike } from './language-model.js';
import type { AttemptResult, ModelCall } from './model-call.js';
import { errorTypeOf, ModelRateLimitedError, toModelError } from './model-errors.js';
import type { ModelProfile } from './model-profile.js';
import type { ResolvedModelOptions } from './model.options.js';
import { providerName } from './provider-name.js';
import type { UsageMeter } from './usage-meter.js';

/** What one try needs to know. */
export interface Question {
  ai: AiSdk;
  call: ModelCall;
  /** Estimate of the prompt. */
  inputTokens: number;
  maxOutputTokens: number;
  /** False: the whole answer is asked for at once. */
  streamed: boolean;
  meter: UsageMeter;
  context: ToolContext;
  retries: CallRetries;
}

/** Makes single tries: each in a span of its own, bounded in time, charged however it ends, and learnt from. */
export class AttemptRunner {
  private readonly provider: string;
  private readonly id: string;
  private readonly calls: ModelCallTelemetry;
  /** True once the model has closed reasoning without opening it: its next answers begin with reasoning too. */
  private beginsWithReasoning = false;

  constructor(
    private readonly model: LanguageModelLike,
    private readonly options: ResolvedModelOptions,
    private readonly profile: ModelProfile,
    private readonly hangs: HangWatch,
    telemetry: Telemetry,
  ) {
    this.provider = providerName(model);
    this.id = modelId(model);
    this.calls = new ModelCallTelemetry(telemetry);
  }

  /**
   * @param controller ends the try; the lease is given back either way
   * @param hedge true for one that is begun beside another that hangs
   * @throws what `toModelError` makes of it; the controller's reason when it was ended from outside
   */
  run(
    question: Question,
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
    hedge: boolean,
  ): Promise<AttemptResult> {
    const { call, maxOutputTokens, retries } = question;
    const info = {
      provider: this.provider,
      model: this.id,
      maxOutputTokens,
      temperature: this.options.temperature,
      step: call.stage,
      attempt: retries.begin(),
      hedge: hedge || undefined,
    };
    return this.calls.observe(
      info,
      () => this.attempt(question, controller, lease, listener),
      ({ responseModel, responseId, finishReason, inputTokens, outputTokens }) => ({
        model: responseModel,
        responseId,
        finishReasons: [finishReason],
        inputTokens,
        outputTokens,
      }),
      errorTypeOf,
    );
  }

  private async attempt(
    { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, retries }: Question,
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
  ): Promise<AttemptResult> {
    const { temperature, providerOptions, callTimeoutMs, stallTimeoutMs } = this.options;
    const request = {
      model: this.model,
      system: call.system,
      messages: [{ role: 'user' as const, content: toAiContent(call.parts) }],
      maxOutputTokens,
      maxRetries: 0 as const,
      ...(temperature === undefined ? {} : { temperature }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
    const start = performance.now();
    const timer = setTimeout(
      () =>
        controller.abort(new AnswerTimeoutError(`The language model took longer than ${callTimeoutMs} ms.`)),
      callTimeoutMs,
    );
    const timed = {
      onFirstToken: (): void => {
        if (streamed) this.hangs.observe(performance.now() - start);
        listener.onFirstToken();
      },
      onText: (delta: string): void => {
        written += delta;
        listener.onText(delta);
      },
      onRestart: (): void => listener.onRestart(),
    };
    let written = '';
    let asked = false;
    let outcome: CallOutcome = { kind: 'dropped' };
    let used = { input: 0, output: 0 };
    try {
      controller.signal.throwIfAborted();
      asked = true;
      const result = streamed
        ? await streamAttempt(ai, request, controller, stallTimeoutMs, timed, this.beginsWithReasoning)
        : await generateAttempt(ai, request, controller, timed);
      this.beginsWithReasoning ||= result.closedUnopened ?? false;
      this.profile.learnStreaming(streamed);
      this.profile.learnTokens(call, result.inputTokens);
      used = {
        input: result.inputTokens ?? inputTokens,
        output: result.outputTokens ?? this.profile.estimate(result.text),
      };
      outcome = { kind: 'taken', tokens: used.input + used.output };
      return result;
    } catch (thrown) {
      // A call that we ended ourselves, or that broke off, is billed for its prompt and for what had been written.
      if (controller.signal.aborted || written !== '')
        used = { input: inputTokens, output: this.profile.estimate(written) };
      const reason: unknown = controller.signal.reason;
      const endedByUs = controller.signal.aborted && !(reason instanceof AnswerTimeoutError);
      if (endedByUs) throw reason;
      const error = toModelError(thrown);
      outcome = outcomeOf(error, retries.refusalBackOffMs, this.options.maxRetryAfterMs);
      throw error;
    } finally {
      clearTimeout(timer);
      lease.release(outcome);
      if (asked) {
        meter.add(call.stage, used.input, used.output, this.options);
        context.spend?.({ modelCalls: 1, inputTokens: used.input, outputTokens: used.output });
      }
    }
  }
}

/** @param maxWaitMs a server that asks for longer is looked at again by then: it may be well long before */
function outcomeOf(error: Error, backOff: number, maxWaitMs: number): CallOutcome {
  if (error instanceof ModelRateLimitedError) {
    return { kind: 'limited', waitMs: Math.min(error.waitMs ?? backOff, maxWaitMs) };
  }
  if (error instanceof ToolsError && error.getStatus() >= 503 && error.shouldRetry) return { kind: 'failed' };
  return { kind: 'taken', tokens: 0 };
}
