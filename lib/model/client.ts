import { Logger } from '@nestjs/common';
import type { Fork, ToolContext } from '../core/context.js';
import {
  loadAiSdk,
  refusesOutput,
  structuredOutput,
  toAiContent,
  type AiRequest,
  type AiSdk,
  type LanguageModelLike,
} from './ai-sdk.js';
import { ReasoningFilter } from './reasoning.js';
import type { ModelAnswer, ModelCall } from './call.js';
import { ModelConnection, type CallRetries, type ConnectionDeps } from './connection.js';
import {
  ContentFilterError,
  ContextOverflowError,
  CutAnswerError,
  EmptyAnswerError,
  EndlessAnswerError,
  StalledAnswerError,
  TokensSpentError,
  type Overflow,
} from './errors.js';
import { hedged, type AttemptListener } from './hedge.js';
import type { CallLease } from './limits.js';
import {
  DEFAULT_PARALLEL_CALLS,
  resolveModelOptions,
  type ModelOptions,
  type ResolvedModelOptions,
  type UsageMeter,
} from './options.js';
import { ModelProfile, type Prompt } from './profile.js';
import type { CallReport } from './telemetry.js';

/** A server that does not stream shows nothing until the whole answer is written: its calls may take this many times longer. */
const UNSTREAMED_PATIENCE = 3;

interface ModelClientDeps extends ConnectionDeps {
  /** Loads the package `ai`; set in tests. */
  sdk?: () => Promise<AiSdk>;
  /** Name of the options, for messages. Default `modelOptions`. */
  optionsName?: string;
}

/**
 * A language model as the tools use it: a {@link ModelConnection} whose calls are streamed, and hedged when they hang. Tokens are estimated
 * and learnt. Create one per model and keep it.
 */
export class ModelClient {
  /** The model's id, e.g. `gpt-5-mini`. */
  readonly id: string;
  readonly options: ResolvedModelOptions;
  private readonly sdk: () => Promise<AiSdk>;
  /** The window and the estimates of tokens, as far as they are known. */
  readonly profile: ModelProfile;
  private readonly connection: ModelConnection;
  private readonly logger = new Logger('ToolsModule');
  private readonly optionsName: string;
  private hasWarned = false;

  /**
   * @param model any AI SDK language model (`ai` 6 or 7)
   * @throws InvalidOptionError
   */
  constructor(
    private readonly model: LanguageModelLike,
    options: ModelOptions = {},
    { sdk = loadAiSdk, optionsName = 'modelOptions', ...deps }: ModelClientDeps = {},
  ) {
    this.optionsName = optionsName;
    this.sdk = sdk;
    this.options = resolveModelOptions(options, optionsName);
    this.profile = new ModelProfile(this.options);
    this.connection = new ModelConnection(model, 'model', this.options, deps);
    this.id = this.connection.id;
  }

  /** Calls at the same time that the host allows. */
  get maxParallelCalls(): number {
    return this.options.maxParallelCalls ?? DEFAULT_PARALLEL_CALLS;
  }

  /** Learns from an overflow that another process met with this call. @returns the error that it means */
  overflowed(overflow: Overflow, call: Prompt): ContextOverflowError {
    const { contextTokens } = this.options;
    this.profile.learnOverflow(overflow, call);
    const { limit = Infinity } = overflow;
    if (contextTokens !== undefined && limit < contextTokens && !this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        `The server of the model ${this.id} accepts at most ${limit} tokens; \`${this.optionsName}.contextTokens\` is ${contextTokens}. Lower the option.`,
      );
    }
    return new ContextOverflowError(overflow);
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
    return this.connection.run(context, (retries) => this.ask(ai, call, context, meter, retries));
  }

  /** Asks once, and once more next to it when the first call hangs. */
  private async ask(
    ai: AiSdk,
    call: ModelCall,
    context: ToolContext,
    meter: UsageMeter,
    retries: CallRetries,
  ): Promise<ModelAnswer> {
    const inputTokens = this.profile.estimatePrompt(call);
    const maxOutputTokens = this.profile.outputTokens(call.maxOutputTokens * retries.outputFactor);
    this.profile.checkWindow(inputTokens);
    const isStreamed = this.profile.streams ?? !retries.isUnreadable;
    const endReservation = meter.reserve(inputTokens, maxOutputTokens, this.options);
    const attempt = (
      own: Fork,
      lease: CallLease,
      listener: AttemptListener,
      isHedge: boolean,
    ): Promise<AttemptResult> => {
      const start = performance.now();
      let written = '';
      const heard: AttemptListener = {
        onFirstToken: () => {
          retries.isAnswering = true;
          if (isStreamed) this.profile.learnFirstToken(performance.now() - start);
          listener.onFirstToken();
        },
        onText: (delta) => {
          written += delta;
          listener.onText(delta);
        },
        onRestart: listener.onRestart,
      };
      const { temperature } = this.options;
      return this.connection.attempt(
        {
          info: { step: call.stage, maxOutputTokens, temperature, hedge: isHedge || undefined },
          retries,
          inputTokens,
          send: () => this.send(ai, call, maxOutputTokens, isStreamed, own, heard),
          writtenTokens: () => this.profile.estimate(written),
          charge: (input, output) => {
            const usage = { modelCalls: 1, inputTokens: input, outputTokens: output };
            meter.book(call.stage, usage, this.options);
            context.spend?.(usage);
          },
        },
        own,
        lease,
      );
    };
    try {
      const result = await hedged({
        slots: this.connection.slots,
        tokens: inputTokens + maxOutputTokens,
        hedgeAfterMs: this.profile.hedgeAfterMs * (isStreamed ? 1 : UNSTREAMED_PATIENCE),
        isRepeated: retries.isRepeated,
        context,
        mayHedge: () => retries.left,
        onText: call.onText,
        onRestart: call.onRestart,
        fork: () => this.connection.fork(context),
        attempt,
      });
      return checkCompletion(result, retries.mayRetryCut);
    } catch (error) {
      throw error instanceof ContextOverflowError ? this.overflowed(error.overflow, call) : error;
    } finally {
      endReservation();
    }
  }

  /**
   * Sends a call, streamed or not, and learns from its answer. A server that refuses structured output is asked again without it, and never
   * with it again.
   */
  private async send(
    ai: AiSdk,
    call: ModelCall,
    maxOutputTokens: number,
    isStreamed: boolean,
    own: Fork,
    listener: AttemptListener,
  ): Promise<AttemptResult> {
    const { temperature, providerOptions, stallTimeoutMs } = this.options;
    const request: SdkRequest = {
      model: this.model,
      system: call.system,
      messages: [{ role: 'user', content: toAiContent(call.parts) }],
      maxOutputTokens,
      maxRetries: 0,
      temperature,
      providerOptions,
    };
    const read = (sent: SdkRequest): Promise<AttemptResult> =>
      isStreamed
        ? readStream(ai, sent, own, stallTimeoutMs, listener, this.profile.beginsWithReasoning)
        : readWhole(ai, sent, own, listener);
    const wantsSchema = this.options.structuredOutput && this.profile.takesSchemas;
    const output = wantsSchema ? structuredOutput(ai, this.model, call) : undefined;
    let result: AttemptResult;
    try {
      result = await read({ ...request, output });
    } catch (thrown) {
      if (!output || own.context.signal.aborted || !refusesOutput(thrown)) throw thrown;
      result = await read(request);
      this.profile.takesSchemas = false;
    }
    this.profile.learnAnswer(call, result, isStreamed);
    return result;
  }
}

/** The result of one attempt of a call, before it is checked. */
interface AttemptResult extends CallReport {
  text: string;
  /** As the AI SDK names them: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `interrupted` (7), `other`. */
  finishReason: string;
  /** True when it closed reasoning that it had not opened: its next answers begin with reasoning too. */
  closedUnopened: boolean;
}

/** A request to the SDK without the members of a single attempt. */
type SdkRequest = Omit<AiRequest, 'abortSignal' | 'onError'>;

/** Ten times the usual. An answer with more characters for each of its tokens does not end. */
const MOST_CHARACTERS_PER_TOKEN = 40;
/** Most characters of reasoning, which some servers do not count as tokens of the answer. */
const MOST_REASONING = 400_000;

/**
 * Asks for a stream and reads it. Aborts itself when no further token comes for `stallMs`.
 * @param expectsClosing see {@link ReasoningFilter}
 * @throws what the SDK throws or reports; StalledAnswerError; EndlessAnswerError
 */
async function readStream(
  ai: AiSdk,
  request: SdkRequest,
  own: Fork,
  stallMs: number,
  listener: AttemptListener,
  expectsClosing: boolean,
): Promise<AttemptResult> {
  const { signal } = own.context;
  const answer = new ReasoningFilter(listener, expectsClosing);
  const mostText = request.maxOutputTokens * MOST_CHARACTERS_PER_TOKEN;
  const report: CallReport & { finishReason: string } = { finishReason: 'other' };
  let reasoning = 0;
  let stall: NodeJS.Timeout | undefined;
  const stalled = (): void =>
    own.abort(new StalledAnswerError('The language model stopped in the middle of its answer.'));
  try {
    // Without `onError` the SDK prints the upstream's error on the host's console.
    const { fullStream } = ai.streamText({ ...request, abortSignal: signal, onError: () => undefined });
    for await (const part of fullStream) {
      signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (!part.text) break;
          if (!stall) listener.onFirstToken();
          stall = stall?.refresh() ?? setTimeout(stalled, stallMs);
          if (part.type === 'text-delta') answer.push(part.text);
          else reasoning += part.text.length;
          if (answer.text.length > mostText || reasoning + answer.hidden > MOST_REASONING) {
            own.abort(new EndlessAnswerError());
            signal.throwIfAborted();
          }
          break;
        case 'error':
          if (answer.text === '' || !isIncomplete(part.error)) throw part.error;
          return { ...report, ...answer.end(), finishReason: 'interrupted' };
        case 'finish-step':
          report.responseModel = part.response?.modelId;
          report.responseId = part.response?.id;
          break;
        case 'finish':
          report.finishReason = part.finishReason ?? 'other';
          report.inputTokens = part.totalUsage?.inputTokens;
          report.outputTokens = part.totalUsage?.outputTokens;
          break;
      }
    }
    signal.throwIfAborted();
    return { ...report, ...answer.end() };
  } finally {
    clearTimeout(stall);
  }
}

/** Whether an error only means that a stream ended without a reason (`@ai-sdk/openai-compatible`). */
function isIncomplete(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'AI_InvalidResponseDataError';
}

/** Asks a server that does not stream for the whole answer at once. @throws what the SDK throws */
async function readWhole(
  ai: AiSdk,
  request: SdkRequest,
  { context: { signal } }: Fork,
  listener: AttemptListener,
): Promise<AttemptResult> {
  const answer = new ReasoningFilter(listener);
  const { text, finishReason, usage, response } = await ai.generateText({ ...request, abortSignal: signal });
  signal.throwIfAborted();
  listener.onFirstToken();
  answer.push(text);
  return {
    ...answer.end(),
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    responseModel: response?.modelId,
    responseId: response?.id,
  };
}

/** Reasons of a complete answer. No tools are offered; a model that calls one anyway has written its answer before. */
const COMPLETE: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/**
 * Decides whether an attempt produced an answer.
 *
 * A stream that ends without a reason is a connection that was cut between two events (`interrupted` in version 7 of the SDK, `other` in
 * version 6), or a server that never names one.
 *
 * @param mayRetry true: a cut answer is an error, so that the call is tried again. False: it is returned, marked as truncated
 * @throws ContentFilterError, EmptyAnswerError, TokensSpentError when no tokens were left for the answer, CutAnswerError
 */
function checkCompletion({ text, finishReason }: AttemptResult, mayRetry: boolean): ModelAnswer {
  if (finishReason === 'content-filter') throw new ContentFilterError();
  if (text.trim() === '') {
    if (finishReason === 'length')
      throw new TokensSpentError('The language model used up its tokens before it answered.');
    throw new EmptyAnswerError('The language model gave an empty answer.');
  }
  if (finishReason === 'error') throw new CutAnswerError('The language model broke off its answer.');
  const cut = !COMPLETE.has(finishReason);
  if (cut && finishReason !== 'length' && mayRetry)
    throw new CutAnswerError('The answer of the language model was cut off.');
  return { text, truncated: cut };
}
