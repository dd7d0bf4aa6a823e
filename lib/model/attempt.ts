import { ToolsError, upstreamFaults } from '../core/errors.js';
import type { Telemetry, RecordValue } from '../core/telemetry.js';
import { raceAbort, type ToolContext } from '../core/context.js';
import {
  modelId,
  providerName,
  toAiContent,
  type AiRequest,
  type AiSdk,
  type LanguageModelLike,
  refusesOutput,
  structuredOutput,
} from './ai-sdk.js';
import { AnswerText } from './answer-text.js';
import type { AttemptListener, AttemptResult, ModelCall } from './call.js';
import {
  AnswerTimeoutError,
  EndlessAnswerError,
  errorTypeOf,
  ModelRateLimitedError,
  StalledAnswerError,
  toModelError,
  ContextOverflowError,
} from './errors.js';
import type { FirstTokenLatency, CallRetries } from './retries.js';
import type { CallLease, CallOutcome } from './limits.js';
import type { ResolvedModelOptions, UsageMeter } from './options.js';
import type { ModelProfile } from './profile.js';

/** Everything that one attempt needs to know. */
export interface Attempt {
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

/** Makes single attempts. Each has its own span and time limit, is charged however it ends, and updates what is known of the model. */
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
    private readonly latency: FirstTokenLatency,
    telemetry: Telemetry,
  ) {
    this.provider = providerName(model);
    this.id = modelId(model);
    this.calls = new ModelCallTelemetry(telemetry);
  }

  /**
   * @param controller ends the attempt; the lease is released either way
   * @param hedge true for an attempt that runs next to another one that hangs
   * @throws what `toModelError` makes of the SDK's error; the controller's reason when it was aborted from outside
   */
  run(
    attempt: Attempt,
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
    hedge: boolean,
  ): Promise<AttemptResult> {
    const { call, maxOutputTokens, retries } = attempt;
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
      () => this.send(attempt, controller, lease, listener),
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

  /** Sends a call that wants JSON with structured output; a server that refuses it is asked again without it, and never with it again. */
  private async withOutput(
    ai: AiSdk,
    call: ModelCall,
    controller: AbortController,
    send: (extra: Pick<AiRequest, 'output'>) => Promise<AttemptResult>,
  ): Promise<AttemptResult> {
    const isWanted = this.options.structuredOutput && this.profile.takesSchemas;
    const output = isWanted ? structuredOutput(ai, this.model, call) : undefined;
    if (!output) return send({});
    try {
      return await send({ output });
    } catch (thrown) {
      const isRefusal = refusesOutput(thrown) && !(toModelError(thrown) instanceof ContextOverflowError);
      if (controller.signal.aborted || !isRefusal) throw thrown;
      const result = await send({});
      this.profile.takesSchemas = false;
      return result;
    }
  }

  private async send(
    { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, retries }: Attempt,
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
    let written = '';
    const observed = {
      onFirstToken: (): void => {
        if (streamed) this.latency.observe(performance.now() - start);
        retries.answered();
        listener.onFirstToken();
      },
      onText: (delta: string): void => {
        written += delta;
        listener.onText(delta);
      },
      onRestart: (): void => listener.onRestart(),
    };
    let asked = false;
    let outcome: CallOutcome = { kind: 'dropped' };
    let used = { input: 0, output: 0 };
    try {
      controller.signal.throwIfAborted();
      asked = true;
      const send = (extra: Pick<AiRequest, 'output'>): Promise<AttemptResult> => {
        const sent = { ...request, ...extra };
        return streamed
          ? streamAttempt(ai, sent, controller, stallTimeoutMs, observed, this.beginsWithReasoning)
          : generateAttempt(ai, sent, controller, observed);
      };
      const result = await this.withOutput(ai, call, controller, send);
      this.beginsWithReasoning ||= result.closedUnopened ?? false;
      this.profile.learnStreaming(streamed);
      this.profile.learnTokens(call, result.inputTokens);
      this.profile.learnFit((result.inputTokens || inputTokens) + (result.outputTokens ?? 0));
      // Some servers report 0 tokens. Nothing costs nothing, so 0 means that they do not count.
      used = {
        input: result.inputTokens || inputTokens,
        output: result.outputTokens || this.profile.estimate(result.text),
      };
      outcome = { kind: 'taken', tokens: used.input + used.output };
      return result;
    } catch (thrown) {
      // A call that we ended, or that broke off, is billed for its prompt and for what had been written.
      if (controller.signal.aborted || written !== '')
        used = { input: inputTokens, output: this.profile.estimate(written) };
      const reason: unknown = controller.signal.reason;
      const endedFromOutside = controller.signal.aborted && !(reason instanceof AnswerTimeoutError);
      if (endedFromOutside) throw reason;
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

/** Passes a failed attempt on to the limits. @param maxWaitMs a server that asks for a longer wait is asked again after this one: it may be available long before */
export function outcomeOf(error: Error, backOff: number, maxWaitMs: number): CallOutcome {
  if (error instanceof ModelRateLimitedError)
    return { kind: 'limited', waitMs: Math.min(error.waitMs ?? backOff, maxWaitMs) };
  if (ToolsError.isInstance(error) && error.getStatus() >= 503 && error.shouldRetry)
    return { kind: 'failed' };
  return { kind: 'taken', tokens: 0 };
}

type SdkRequest = Omit<AiRequest, 'abortSignal' | 'onError'>;

/** Ten times the usual. An answer with more characters for each of its tokens does not end. */
const MOST_CHARACTERS_PER_TOKEN = 40;
/** Most characters of reasoning, which some servers do not count as tokens of the answer. */
const MOST_REASONING = 400_000;

/**
 * One streamed attempt. Ends at once when the controller aborts, and aborts it itself when no token comes for `stallMs`.
 * @param expectsClosing see {@link AnswerText}
 * @throws what the SDK throws or reports; AnswerTimeoutError when it stalls; UpstreamInvalidError when it does not end
 */
async function streamAttempt(
  ai: AiSdk,
  request: SdkRequest,
  controller: AbortController,
  stallMs: number,
  listener: AttemptListener,
  expectsClosing: boolean,
): Promise<AttemptResult> {
  const answer = new AnswerText(listener, expectsClosing);
  const mostText = request.maxOutputTokens * MOST_CHARACTERS_PER_TOKEN;
  let reasoning = 0;
  let lastToken: number | undefined;
  const watch = setInterval(
    () => {
      if (lastToken === undefined || performance.now() - lastToken < stallMs) return;
      controller.abort(new StalledAnswerError('The language model stopped in the middle of its answer.'));
    },
    Math.max(5, stallMs / 8),
  );
  const complete = (result: AttemptResult): AttemptResult => {
    answer.end();
    return { ...result, text: answer.text, closedUnopened: answer.closedUnopened };
  };
  const read = async (): Promise<AttemptResult> => {
    const result: AttemptResult = {
      text: '',
      finishReason: 'other',
      inputTokens: undefined,
      outputTokens: undefined,
    };
    // Without `onError` the SDK prints the upstream's error on the host's console.
    const { fullStream } = ai.streamText({
      ...request,
      abortSignal: controller.signal,
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      controller.signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (!part.text) break;
          if (lastToken === undefined) listener.onFirstToken();
          controller.signal.throwIfAborted();
          lastToken = performance.now();
          if (part.type === 'reasoning-delta') reasoning += part.text.length;
          else answer.push(part.text);
          if (answer.text.length > mostText || reasoning + answer.hidden > MOST_REASONING) {
            // Not retried: the next attempt would ask for the whole answer at once, and hold all of it in memory.
            const error = new EndlessAnswerError();
            controller.abort(error);
            throw error;
          }
          break;
        case 'error':
          if (answer.text === '' || !isIncomplete(part.error)) throw part.error;
          result.finishReason = 'interrupted';
          return complete(result);
        case 'finish-step':
          result.responseModel = part.response?.modelId;
          result.responseId = part.response?.id;
          break;
        case 'finish':
          result.finishReason = part.finishReason ?? 'other';
          result.inputTokens = part.totalUsage?.inputTokens;
          result.outputTokens = part.totalUsage?.outputTokens;
          break;
      }
    }
    controller.signal.throwIfAborted();
    return complete(result);
  };
  try {
    return await raceAbort(read(), controller.signal);
  } finally {
    clearInterval(watch);
  }
}

/** Text that some providers report when a stream ends without a reason (`@ai-sdk/openai-compatible`). */
function isIncomplete(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'AI_InvalidResponseDataError';
}

/** One attempt with a server that does not stream: the whole answer at once. */
async function generateAttempt(
  ai: AiSdk,
  request: SdkRequest,
  controller: AbortController,
  listener: AttemptListener,
): Promise<AttemptResult> {
  const answer = new AnswerText(listener);
  const { text, finishReason, usage, response } = await raceAbort(
    ai.generateText({ ...request, abortSignal: controller.signal }),
    controller.signal,
  );
  listener.onFirstToken();
  controller.signal.throwIfAborted();
  answer.push(text);
  answer.end();
  return {
    text: answer.text,
    closedUnopened: answer.closedUnopened,
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    responseModel: response?.modelId,
    responseId: response?.id,
  };
}

/** A call to a language model, as far as it is known before it is made. */
interface CallInfo {
  /** The operation; `chat` for messages. Default `chat`. */
  operation?: 'chat' | 'embeddings' | 'rerank' | 'text_completion';
  /** The provider of the model, e.g. `openai`, `anthropic`, `gcp.gemini`. */
  provider: string;
  /** The model as it is asked for. */
  model: string;
  /** Highest number of tokens that the answer may have. */
  maxOutputTokens?: number;
  /** 0..2. */
  temperature?: number;
  /** Which step the call is for, e.g. `map`, `write`, `answer`. */
  step?: string;
  /** Which try of the same question it is, from 1. */
  attempt?: number;
  /** True for an equal call that was started because another one seems to hang. */
  hedge?: boolean;
}

/** Facts known after the model has answered. */
interface ModelCallResult {
  /** The model that answered, where it is another name. */
  model?: string;
  responseId?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Why it stopped, e.g. `stop`, `length`. */
  finishReasons?: readonly string[];
}

const DURATION_BORDERS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKEN_BORDERS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/**
 * Calls to models as the GenAI semantic conventions have them (opentelemetry.io/docs/specs/semconv/gen-ai): a client span
 * `{operation} {model}` and the histograms `gen_ai.client.operation.duration` and `gen_ai.client.token.usage`. Prompts and answers are
 * never recorded.
 */
export class ModelCallTelemetry {
  private readonly duration: RecordValue;
  private readonly tokens: RecordValue;

  constructor(private readonly telemetry: Telemetry) {
    this.duration = telemetry.histogram('gen_ai.client.operation.duration', {
      description: 'Duration of a call to a model.',
      unit: 's',
      boundaries: DURATION_BORDERS,
    });
    this.tokens = telemetry.histogram('gen_ai.client.token.usage', {
      description: 'Tokens sent to and received from a model.',
      unit: '{token}',
      boundaries: TOKEN_BORDERS,
    });
  }

  /**
   * Makes the call inside its span.
   *
   * @param describe what the value says about the call; a stream is described when it has ended, so `call` resolves then
   * @param errorType stable name of an error; default its class name
   */
  async observe<T>(
    info: CallInfo,
    call: () => Promise<T>,
    describe: (value: T) => ModelCallResult,
    errorType: (error: unknown) => string = classNameOf,
  ): Promise<T> {
    const { operation = 'chat', provider, model } = info;
    const asked = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
    };
    const span = this.telemetry.startSpan(`${operation} ${model}`, {
      kind: 'client',
      attributes: {
        ...asked,
        'gen_ai.request.max_tokens': info.maxOutputTokens,
        'gen_ai.request.temperature': info.temperature,
        'nestjs_tools.step': info.step,
        'nestjs_tools.attempt': info.attempt,
        'nestjs_tools.hedge': info.hedge,
      },
    });
    const start = performance.now();
    try {
      const value = await span.run(call);
      const result = describe(value);
      const labels = { ...asked, 'gen_ai.response.model': result.model };
      span.set({
        'gen_ai.response.model': result.model,
        'gen_ai.response.id': result.responseId,
        'gen_ai.response.finish_reasons': result.finishReasons,
        'gen_ai.usage.input_tokens': result.inputTokens,
        'gen_ai.usage.output_tokens': result.outputTokens,
      });
      this.duration((performance.now() - start) / 1000, labels);
      const { inputTokens, outputTokens } = result;
      if (inputTokens !== undefined) this.tokens(inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
      if (outputTokens !== undefined) this.tokens(outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
      return value;
    } catch (error) {
      const type = errorType(error);
      span.set({ 'nestjs_tools.upstream_fault': upstreamFaults(error) });
      span.fail(type);
      this.duration((performance.now() - start) / 1000, { ...asked, 'error.type': type });
      throw error;
    } finally {
      span.end();
    }
  }
}

const classNameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
