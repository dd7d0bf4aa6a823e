import { Logger } from '@nestjs/common';
import type { Fork, ToolContext } from '../core/context.js';
import {
  loadAiSdk,
  refusesOutput,
  structuredOutput,
  toAiContent,
  type AiRequest,
  type AiSdk,
  type AiStreamPart,
  type AiUsage,
  type LanguageModelLike,
} from './ai-sdk.js';
import type { ModelReply, ModelCall } from './call.js';
import {
  AnswerTimeoutError,
  ContextOverflowError,
  CutAnswerError,
  filteredError,
  UnusableAnswerError,
} from './errors.js';
import { resolveModelOptions, type ModelOptions, type ResolvedModelOptions } from './options.js';
import type { UsageMeter } from './usage-meter.js';
import { isClosed } from './object-reply.js';
import { estimatePrompt, ModelProfile } from './model-profile.js';
import { ReasoningFilter } from './reasoning.js';
import type { CallReport } from './model-telemetry.js';
import { ModelUpstream, type Running, type UpstreamDeps } from './upstream.js';

interface ModelClientDeps extends UpstreamDeps {
  /** Loads the package `ai`; set in tests. */
  sdk?: () => Promise<AiSdk>;
  /** Name of the options, for messages. Default: that of the model's option, and `Options`. */
  optionsName?: string;
}

/**
 * A language model as the tools use it: a {@link ModelUpstream} whose calls are streamed, and given up when they hang. Create one per model and
 * keep it.
 */
export class ModelClient {
  readonly id: string;
  readonly options: ResolvedModelOptions;
  /** The window and the estimates of tokens, as far as they are known. */
  readonly profile: ModelProfile;
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
    private readonly deps: ModelClientDeps = {},
  ) {
    const { option = 'model', optionsName = `${option}Options` } = deps;
    this.optionsName = optionsName;
    this.options = resolveModelOptions(options, optionsName);
    this.profile = new ModelProfile(this.options);
    this.upstream = new ModelUpstream(model, 'model', this.options, deps);
    this.id = this.upstream.id;
  }

  private overflowed(call: ModelCall, cause: unknown): ContextOverflowError {
    const { contextTokens } = this.options;
    const numbers = `about ${estimatePrompt(call)} tokens`;
    this.profile.learnOverflow(estimatePrompt(call));
    if (contextTokens !== undefined && !this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        `The server of the model ${this.id} refused ${numbers} as too long; \`${this.optionsName}.contextTokens\` is ${contextTokens}. Lower the option.`,
      );
    }
    return new ContextOverflowError(numbers, cause);
  }

  /**
   * Asks the model. An answer whose stream was cut is asked for once more; cut again, it is returned with `truncated: true`.
   *
   * @throws ContextOverflowError when the prompt is too long (nothing is sent when that is known before);
   *   BudgetExceededError before the call is paid for; UpstreamInvalidError, UpstreamUnavailableError or
   *   UpstreamTimeoutError after the retries; CircuitOpenError while the circuit is open; MissingPeerError,
   *   NotConfiguredError; the context's reason when it is aborted
   */
  async generate(call: ModelCall, context: ToolContext, meter: UsageMeter): Promise<ModelReply> {
    const ai = await (this.deps.sdk ?? loadAiSdk)();
    const { profile, options, upstream } = this;
    let isShown = false;
    let isCut = false;
    const restart = (): void => {
      if (isShown) call.onRestart?.();
      isShown = false;
    };
    const show = (delta: string): void => {
      isShown = true;
      call.onText?.(delta);
    };
    try {
      return await upstream.call(context, async ({ isLast, failure }, send) => {
        restart();
        isCut ||= failure instanceof CutAnswerError;
        const inputTokens = estimatePrompt(call);
        const maxOutputTokens = profile.outputTokens(call.maxOutputTokens);
        profile.checkWindow(inputTokens);
        const endReservation = meter.reserve(inputTokens, maxOutputTokens, options);
        try {
          const result = await send({
            step: call.stage,
            inputTokens,
            maxOutputTokens,
            temperature: options.temperature,
            book: (usage) => meter.book(call.stage, usage),
            ask: (fork, running) => {
              const onText = (delta: string): void => {
                running.written += delta;
                show(delta);
              };
              const filter = (): ReasoningFilter => new ReasoningFilter({ onText, onRestart: restart });
              return this.ask(ai, call, maxOutputTokens, fork, running, filter);
            },
          });
          return this.accept(call, result, { maxOutputTokens, isLast, isCut });
        } finally {
          endReservation();
        }
      });
    } catch (error) {
      restart();
      // Without a cause it was known before.
      throw error instanceof ContextOverflowError && error.cause ? this.overflowed(call, error.cause) : error;
    }
  }

  /**
   * Decides whether an attempt produced an answer. A model that has spent its tokens on thinking gets more of them. A stream that ends without a
   * reason is a connection that was cut between two events (`interrupted` in version 7 of the SDK, `other` in version 6), or a server that
   * never names one: the call is repeated once, then the answer is returned, marked as truncated.
   *
   * @throws UnusableAnswerError, CutAnswerError
   */
  private accept(
    call: ModelCall,
    { text, finishReason, reasoningTokens }: ModelResult,
    { maxOutputTokens, isLast, isCut }: { maxOutputTokens: number; isLast: boolean; isCut: boolean },
  ): ModelReply {
    const isEmpty = text.trim() === '';
    if (finishReason === 'content-filter') throw filteredError();
    if (finishReason === 'length' && (isEmpty || reasoningTokens)) {
      this.profile.thinks = true;
      const getsMore = this.profile.outputTokens(call.maxOutputTokens) > maxOutputTokens;
      if (isEmpty || (getsMore && !isLast))
        throw new UnusableAnswerError('The language model spent its tokens on thinking.');
    }
    if (isEmpty) throw new UnusableAnswerError('The language model gave an empty answer.');
    if (call.schema && isClosed(text)) return { text, truncated: false };
    if (finishReason === 'error') throw new CutAnswerError('The language model broke off its answer.');
    const truncated = !COMPLETE.has(finishReason);
    if (truncated && finishReason !== 'length' && !isLast && !isCut)
      throw new CutAnswerError('The answer of the language model was cut off.');
    return { text, truncated };
  }

  /** One request. A server that refuses structured output is asked again without it, and never with it again. */
  private async ask(
    ai: AiSdk,
    call: ModelCall,
    maxOutputTokens: number,
    fork: Fork,
    running: Running,
    filter: () => ReasoningFilter,
  ): Promise<ModelResult> {
    const { temperature, providerOptions, stallTimeoutMs: stallMs } = this.options;
    const request: AiRequest = {
      model: this.model,
      system: call.system,
      messages: [{ role: 'user', content: toAiContent(call.parts) }],
      maxOutputTokens,
      maxRetries: 0,
      temperature,
      providerOptions,
      abortSignal: fork.context.signal,
      // Without it the SDK prints the upstream's error on the host's console.
      onError: () => undefined,
    };
    const limits = { maxOutputTokens, stallMs };
    const read = (sent: AiRequest): Promise<ModelResult> =>
      readParts(ai.streamText(sent).fullStream, filter(), running, fork, limits);
    const wantsSchema = this.options.structuredOutput && this.profile.takesSchemas;
    const output = wantsSchema ? structuredOutput(ai, this.model, call) : undefined;
    if (!output) return read(request);
    try {
      return await read({ ...request, output });
    } catch (thrown) {
      if (fork.context.signal.aborted || !refusesOutput(thrown)) throw thrown;
      const result = await read(request);
      if (!call.schema?.isCallers) this.profile.takesSchemas = false;
      return result;
    }
  }
}

interface ModelResult extends CallReport {
  text: string;
  /** As the AI SDK names them: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `interrupted` (7), `other`. */
  finishReason: string;
}

/** Ten times the usual. An answer with more characters for each of its tokens does not end. A plain bound. */
const MOST_CHARACTERS_PER_TOKEN = 40;
/** Most characters of reasoning, which some servers do not count as tokens of the answer; a plain bound. */
const MOST_REASONING = 400_000;

/**
 * Reads the parts of an answer. Aborts itself when no token comes for `stallMs`.
 * @throws what the SDK throws or reports; AnswerTimeoutError; UnusableAnswerError for an answer that does not end
 */
async function readParts(
  parts: AsyncIterable<AiStreamPart>,
  answer: ReasoningFilter,
  running: Running,
  fork: Fork,
  { maxOutputTokens, stallMs }: { maxOutputTokens: number; stallMs: number },
): Promise<ModelResult> {
  const { signal } = fork.context;
  const report: Omit<ModelResult, 'text'> = { finishReason: 'other' };
  let reasoning = 0;
  const giveUp = (): void => {
    const what = running.isAnswering ? 'stopped in the middle of its answer' : 'did not begin to answer';
    fork.abort(new AnswerTimeoutError(`The language model ${what}.`, false));
  };
  let silence = setTimeout(giveUp, stallMs);
  try {
    for await (const part of parts) {
      signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (!part.text) break;
          clearTimeout(silence);
          silence = setTimeout(giveUp, stallMs);
          running.isAnswering = true;
          if (part.type === 'text-delta') answer.push(part.text);
          else reasoning += part.text.length;
          if (
            answer.text.length > maxOutputTokens * MOST_CHARACTERS_PER_TOKEN ||
            reasoning + answer.hidden > MOST_REASONING
          ) {
            const message = 'The language model did not end its answer, which was cut off.';
            fork.abort(new UnusableAnswerError(message, { shouldRetry: false }));
            signal.throwIfAborted();
          }
          break;
        case 'error':
          // A stream that ended without a reason (`@ai-sdk/openai-compatible`).
          if (answer.text === '' || (part.error as Error | undefined)?.name !== 'AI_InvalidResponseDataError')
            throw part.error;
          return { ...report, text: answer.end(), finishReason: 'interrupted' };
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
    return { ...report, text: answer.end() };
  } finally {
    clearTimeout(silence);
  }
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
