import { Logger } from '@nestjs/common';
import type { Fork, ToolContext } from '../core/context.js';
import { NotConfiguredError, UpstreamInvalidError } from '../core/errors.js';
import { CHECK, type ChecksItself } from '../core/ports.js';
import type { ModelUsage } from '../core/usage.js';
import type { Attempts } from '../core/upstream/retry.js';
import {
  loadAiSdk,
  missingSetting,
  refusesOutput,
  structuredOutput,
  toAiContent,
  type AiRequest,
  type AiSdk,
  type AiUsage,
  type LanguageModelLike,
} from './ai-sdk.js';
import type { ModelAnswer, ModelCall } from './call.js';
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
import {
  DEFAULT_PARALLEL_CALLS,
  resolveModelOptions,
  type ModelOptions,
  type ResolvedModelOptions,
  type UsageMeter,
} from './options.js';
import { ModelProfile, type Prompt } from './profile.js';
import { ReasoningFilter, type AnswerTextListener } from './reasoning.js';
import type { CallReport } from './telemetry.js';
import { ModelUpstream, type Plan, type UpstreamDeps } from './upstream.js';

/** A server that does not stream shows nothing until the whole answer is written: its calls may take this many times longer. */
const UNSTREAMED_PATIENCE = 3;
/** Factor for the answer's tokens after a model has spent them on thinking. */
const MORE_TOKENS = 4;

interface ModelClientDeps extends UpstreamDeps {
  /** Loads the package `ai`; set in tests. */
  sdk?: () => Promise<AiSdk>;
  /** Name of the options, for messages. Default `modelOptions`. */
  optionsName?: string;
}

/**
 * A language model as the tools use it: a {@link ModelUpstream} whose calls are streamed, and hedged when they hang. Tokens are estimated
 * and learnt. Create one per model and keep it.
 */
export class ModelClient implements ChecksItself {
  /** The model's id, as the provider spells it. */
  readonly id: string;
  readonly options: ResolvedModelOptions;
  /** The window and the estimates of tokens, as far as they are known. */
  readonly profile: ModelProfile;
  private readonly sdk: () => Promise<AiSdk>;
  private readonly upstream: ModelUpstream;
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
    const [option] = /^\w+(?=Options$)/.exec(optionsName) ?? [];
    this.upstream = new ModelUpstream(model, 'model', this.options, {
      ...deps,
      ...(option ? { option } : {}),
    });
    this.id = this.upstream.id;
  }

  async [CHECK](): Promise<void> {
    const missing = await missingSetting(this.model);
    if (missing === undefined) return;
    const option = this.optionsName.replace(/Options$/, '');
    throw new NotConfiguredError(
      `The model ${this.id} (option \`${option}\`) is not configured. ${missing} Until then calls fail, or the embedded engine answers.`,
    );
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
    let isPassedOn = false;
    const restart = (): void => {
      if (isPassedOn) call.onRestart?.();
      isPassedOn = false;
    };
    const listener = {
      onText: (delta: string): void => {
        isPassedOn = true;
        call.onText?.(delta);
      },
      onRestart: restart,
    };
    /** What earlier attempts have shown. */
    const shown = { isCut: false, isUnstreamed: false, moreTokens: 1 };
    let maxOutputTokens = 0;
    const plan = (attempts: Attempts): AnswerPlan => {
      const { failure } = attempts;
      restart();
      if (failure instanceof CutAnswerError) shown.isCut = true;
      else if (failure instanceof UpstreamInvalidError) shown.isUnstreamed = true;
      if (failure instanceof TokensSpentError) shown.moreTokens = MORE_TOKENS;
      const plan = this.plan(ai, call, meter, listener, shown);
      ({ maxOutputTokens } = plan);
      return plan;
    };
    const accept = (result: AttemptResult, { left }: Attempts): ModelAnswer => {
      // What the model spends on thinking is known now.
      const getsMore = this.profile.outputTokens(call.maxOutputTokens) > maxOutputTokens;
      return checkCompletion(result, { cut: left && !shown.isCut, short: left && getsMore });
    };
    const book = (usage: ModelUsage): void => meter.book(call.stage, usage, this.options);
    try {
      return await this.upstream.call({ step: call.stage, plan, accept, book }, context);
    } catch (error) {
      restart();
      // Without a cause it was known before.
      if (!(error instanceof ContextOverflowError && error.cause)) throw error;
      throw this.overflowed(error.overflow, call);
    }
  }

  /** Prepares one attempt. @throws ContextOverflowError, BudgetExceededError */
  private plan(
    ai: AiSdk,
    call: ModelCall,
    meter: UsageMeter,
    listener: AnswerTextListener,
    { isUnstreamed, moreTokens }: { isUnstreamed: boolean; moreTokens: number },
  ): AnswerPlan {
    const { profile, options } = this;
    const inputTokens = profile.estimatePrompt(call);
    const maxOutputTokens = profile.outputTokens(call.maxOutputTokens * moreTokens);
    profile.checkWindow(inputTokens);
    const isStreamed = profile.streams ?? !isUnstreamed;
    const patience = isStreamed ? 1 : UNSTREAMED_PATIENCE;
    return {
      inputTokens,
      maxOutputTokens,
      temperature: options.temperature,
      hedgeAfterMs: profile.hedgeAfterMs * patience,
      end: meter.reserve(inputTokens, maxOutputTokens, options),
      send: (own, onFirstToken) => {
        const start = performance.now();
        let written = '';
        const heard = {
          ...listener,
          onFirstToken: () => {
            if (isStreamed) profile.learnFirstToken(performance.now() - start);
            onFirstToken();
          },
          onText: (delta: string) => {
            written += delta;
            listener.onText(delta);
          },
        };
        return {
          answer: this.send(ai, call, maxOutputTokens, isStreamed, own, heard),
          writtenTokens: () => profile.estimate(written),
        };
      },
    };
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
      if (!call.schema?.isCallers) this.profile.takesSchemas = false;
    }
    this.profile.learnAnswer(call, result, isStreamed);
    return result;
  }
}

type AnswerPlan = Plan<AttemptResult> & { maxOutputTokens: number };

/** Hears an attempt while it runs. */
interface AttemptListener extends AnswerTextListener {
  /** The first token has come, of the answer or of the model's reasoning. */
  onFirstToken(): void;
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
  const stalled = (): void => own.abort(new StalledAnswerError());
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
          Object.assign(report, tokensOf(part.totalUsage));
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
    ...tokensOf(usage),
    responseModel: response?.modelId,
    responseId: response?.id,
  };
}

function tokensOf(usage: AiUsage = {}): Partial<CallReport> {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: inputTokenDetails?.cacheReadTokens,
    reasoningTokens: outputTokenDetails?.reasoningTokens,
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
 * @param mayRepeat whether the call is repeated where the stream was cut, or where thinking left too few tokens for the answer. Otherwise a cut
 *   answer is returned, marked as truncated
 * @throws ContentFilterError, EmptyAnswerError, TokensSpentError when no tokens were left for the answer, CutAnswerError
 */
function checkCompletion(
  { text, finishReason, reasoningTokens }: AttemptResult,
  mayRepeat: { cut: boolean; short: boolean },
): ModelAnswer {
  if (finishReason === 'content-filter') throw new ContentFilterError();
  if (text.trim() === '') {
    if (finishReason === 'length')
      throw new TokensSpentError('The language model used up its tokens before it answered.');
    throw new EmptyAnswerError('The language model gave an empty answer.');
  }
  if (finishReason === 'error') throw new CutAnswerError('The language model broke off its answer.');
  if (finishReason === 'length' && reasoningTokens && mayRepeat.short)
    throw new TokensSpentError('Thinking left the language model too few tokens for its answer.');
  const cut = !COMPLETE.has(finishReason);
  if (cut && finishReason !== 'length' && mayRepeat.cut)
    throw new CutAnswerError('The answer of the language model was cut off.');
  return { text, truncated: cut };
}
