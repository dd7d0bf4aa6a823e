import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError, UpstreamInvalidError, UpstreamTimeoutError } from '../core/errors/index.js';
import type { UpstreamHealth } from '../core/health/index.js';
import { raceTimeout } from '../core/race-timeout.js';
import type { CallGate } from '../core/sharing/index.js';
import { ModelCallTelemetry, NO_TELEMETRY, type Telemetry } from '../core/telemetry/index.js';
import { raceAbort, type ToolContext } from '../core/tool-context.js';
import { CircuitBreaker, CircuitOpenError, type Verdict } from '../core/upstream/index.js';
import { loadAiSdk, toAiContent, type AiSdk } from './ai-sdk.js';
import {
  AnswerTimeoutError,
  generateAttempt,
  isUnexplained,
  streamAttempt,
  type AttemptListener,
} from './attempt.js';
import { CallLimiter, type CallLease, type CallOutcome } from './call-limiter.js';
import { CallRoom, type SharedRoom } from './call-room.js';
import { ContextOverflowError } from './context-overflow.error.js';
import type { Overflow } from './context-overflow.js';
import { HangWatch } from './hang-watch.js';
import { modelId, type LanguageModelLike } from './language-model.js';
import type { AttemptResult, ModelAnswer, ModelCall } from './model-call.js';
import { ModelRateLimitedError, refusedByFilter, toModelError } from './model-errors.js';
import { providerName } from './provider-name.js';
import { resolveModelOptions, type ModelOptions, type ResolvedModelOptions } from './model.options.js';
import { roughTokens, TokenEstimator } from './token-estimate.js';
import type { UsageMeter } from './usage-meter.js';

/** Taken for granted until told or learnt: nearly every hosted model of 2025–26 has at least this. */
const ASSUMED_WINDOW = 128_000;
/** Tries of one call that the server puts off with a 429, the first included. */
const MAX_REFUSALS = 6;
const BACK_OFF_CAP_MS = 8000;
/** A call without a first token is given up after so many times the wait for its second try. */
const GIVE_UP_FACTOR = 6;
/** So many answers that came only when asked for whole. */
const UNSTREAMED_PROOF = 3;
/** A server that does not stream shows nothing until the whole answer is written. */
const UNSTREAMED_PATIENCE = 3;
/** Rounding and the server's own chat template. */
const WINDOW_MARGIN = 64;
/** Share of a call's time that it waits for another one to find out whether a model that was down is back. */
const PROBE_SHARE = 0.5;
/** The group of all models in the health registry. */
const HEALTH_GROUP = 'model';

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
  private readonly tokens = new TokenEstimator();
  private readonly room: CallRoom;
  private readonly hangs: HangWatch;
  private readonly breaker = new CircuitBreaker('The language model');
  /** The call that finds out whether a model that was down is back. */
  private probe: Promise<unknown> | undefined;
  private readonly provider: string;
  private readonly sdk: () => Promise<AiSdk>;
  private readonly health: UpstreamHealth | undefined;
  private readonly calls: ModelCallTelemetry;
  private learntWindow: number | undefined;
  /** Undefined until it is clear: some servers do not stream. */
  private streams: boolean | undefined;
  private unstreamedAnswers = 0;

  /**
   * @param model any AI SDK language model (`ai` 6 or 7)
   * @throws InvalidOptionError
   */
  constructor(
    private readonly model: LanguageModelLike,
    options: ModelOptions = {},
    { sdk = loadAiSdk, telemetry = NO_TELEMETRY, health, gate }: ModelSurroundings = {},
  ) {
    this.id = modelId(model);
    this.provider = providerName(model);
    this.sdk = sdk;
    this.calls = new ModelCallTelemetry(telemetry);
    this.health = health;
    health?.register(HEALTH_GROUP, this.id);
    this.options = resolveModelOptions(options);
    const { maxParallelCalls, callsPerMinute, tokensPerMinute } = this.options;
    const limiter = new CallLimiter({ maxParallel: maxParallelCalls, callsPerMinute, tokensPerMinute });
    this.room = new CallRoom(limiter, gate && sharedRoom(gate, this.id, options));
    this.hangs = new HangWatch(this.options.hedgeAfterMs);
  }

  /** The window in tokens as told, learnt from an overflow error, or assumed. */
  get contextTokens(): number {
    return Math.min(this.options.contextTokens ?? ASSUMED_WINDOW, this.learntWindow ?? Infinity);
  }

  /** Tokens that an answer may have when `wanted` are asked for: a quarter of the window at most. */
  outputTokens(wanted: number): number {
    return Math.min(wanted, this.options.maxOutputTokens, Math.floor(this.contextTokens / 4));
  }

  /** Tokens that a prompt may have beside an answer of `maxOutputTokens`. */
  promptTokens(maxOutputTokens: number): number {
    return this.contextTokens - this.outputTokens(maxOutputTokens) - WINDOW_MARGIN;
  }

  /** Estimated tokens of a text, corrected by what this model's server has reported. */
  estimate(text: string): number {
    return this.tokens.estimate(text);
  }

  /** Estimated tokens of a call's prompt. */
  estimateCall(call: Pick<ModelCall, 'system' | 'parts'>): number {
    const images = call.parts.filter(({ type }) => type === 'image').length;
    return this.tokens.correct(roughPrompt(call)) + images * this.options.imageTokens;
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
    const state: CallState = { failures: 0, refusals: 0, outputFactor: 1, unreadable: false, sent: 0 };
    // Neither says anything of the model, so neither may be its probe.
    this.checkWindow(this.estimateCall(call));
    meter.check(this.estimateCall(call), this.outputTokens(call.maxOutputTokens), this.options);
    const patience = performance.now() + context.remainingMs() * PROBE_SHARE;
    while (this.probe && performance.now() < patience) await this.probed(patience, context);
    // Nothing is awaited from here on, or several would be the probe.
    const answer = this.breaker.run(
      () => this.ask(ai, call, context, meter, state),
      (error) => this.verdictOf(error, context, state),
    );
    if (this.breaker.state === 'half_open') this.noteProbe(answer);
    return this.reported(answer, context, state);
  }

  /** While one call finds out whether the model is back, the others of a request wait for it: refused at once they would all be lost. */
  private async probed(until: number, { signal }: ToolContext): Promise<void> {
    const late = raceTimeout(this.probe, until - performance.now());
    await raceAbort(late, signal).catch(() => signal.throwIfAborted());
  }

  private noteProbe(answer: Promise<unknown>): void {
    if (this.probe) return;
    const forget = (): void => void (this.probe = undefined);
    this.probe = answer.then(forget, forget);
  }

  /** Tells the health registry how a call ended. */
  private async reported(
    answer: Promise<ModelAnswer>,
    context: ToolContext,
    state: CallState,
  ): Promise<ModelAnswer> {
    try {
      const value = await answer;
      this.health?.succeeded(HEALTH_GROUP, this.id);
      return value;
    } catch (error) {
      const verdict = error instanceof CircuitOpenError ? 'nothing' : this.verdictOf(error, context, state);
      if (verdict === 'failed') this.health?.failed(HEALTH_GROUP, this.id, errorTypeOf(error));
      if (verdict === 'there') this.health?.succeeded(HEALTH_GROUP, this.id);
      throw error;
    }
  }

  /** What a failed call says of the model. */
  private verdictOf(error: unknown, context: ToolContext, { sent }: CallState): Verdict {
    const { signal } = context;
    // A caller that left, and a deadline that passed in our own queue, say nothing.
    if (sent === 0 || (signal.aborted && !(signal.reason instanceof UpstreamTimeoutError))) return 'nothing';
    if (!(error instanceof ToolsError)) return 'nothing';
    // A matter of pace, which the limiter keeps; only who asks for longer than anybody waits is left alone.
    if (error instanceof ModelRateLimitedError && (error.waitMs ?? 0) <= this.options.maxRetryAfterMs)
      return 'there';
    return error.getStatus() < 502 ? 'there' : 'failed';
  }

  private checkWindow(inputTokens: number): void {
    if (inputTokens + WINDOW_MARGIN > this.contextTokens)
      throw new ContextOverflowError({ limit: this.contextTokens, requested: inputTokens });
  }

  /** One call with its retries. */
  private async ask(
    ai: AiSdk,
    call: ModelCall,
    context: ToolContext,
    meter: UsageMeter,
    state: CallState,
  ): Promise<ModelAnswer> {
    // Every waiting call of a request listens to the same signal; Node would warn of a leak at the eleventh.
    setMaxListeners(0, context.signal);
    for (;;) {
      context.signal.throwIfAborted();
      const inputTokens = this.estimateCall(call);
      const maxOutputTokens = this.outputTokens(call.maxOutputTokens * state.outputFactor);
      this.checkWindow(inputTokens);
      const settle = meter.reserve(inputTokens, maxOutputTokens, this.options);
      try {
        const streamed = this.streams ?? !state.unreadable;
        const question = { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, state };
        const again = state.failures + state.refusals > 0;
        const result = await this.race(question, again, context);
        return this.judge(result, state);
      } catch (thrown) {
        context.signal.throwIfAborted();
        const error = toModelError(thrown);
        state.unreadable = error instanceof UpstreamInvalidError;
        await this.recover(error, call, inputTokens, state, context);
      } finally {
        settle();
      }
    }
  }

  /** Throws when another try makes no sense, else returns when it is time for it. */
  private async recover(
    error: Error,
    call: ModelCall,
    inputTokens: number,
    state: CallState,
    context: ToolContext,
  ): Promise<void> {
    if (error instanceof ContextOverflowError) {
      this.learnTokens(call, error.overflow.requested);
      this.learnWindow(error, inputTokens);
      throw error;
    }
    if (error instanceof ModelRateLimitedError) {
      state.refusals++;
      const wait = error.waitMs ?? 0;
      const pointless = wait > this.options.maxRetryAfterMs || wait >= context.remainingMs();
      if (state.refusals >= MAX_REFUSALS || pointless) throw error;
      // The limiter keeps the wait, for this call and for all others.
      return;
    }
    if (!(error instanceof ToolsError) || !error.shouldRetry || error.getStatus() < 502) throw error;
    state.failures++;
    if (state.failures >= this.options.attempts) throw error;
    const asked = (error.retryAfterSeconds ?? 0) * 1000;
    const wait = Math.max(asked, backOffMs(this.options.backOffMs, state.failures));
    if (asked > this.options.maxRetryAfterMs || wait >= context.remainingMs()) throw error;
    await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }

  private judge({ text, finishReason }: AttemptResult, state: CallState): ModelAnswer {
    if (finishReason === 'content-filter') throw refusedByFilter();
    const empty = text.trim() === '';
    if (empty && finishReason === 'length') {
      // A reasoning model has spent its tokens on thinking.
      state.outputFactor = 4;
      throw new UpstreamInvalidError('The language model used up its tokens before it answered.');
    }
    if (empty) throw new UpstreamInvalidError('The language model gave an empty answer.');
    if (finishReason === 'error') throw new UpstreamInvalidError('The language model broke off its answer.');
    // A server that never names a reason is believed at the second try.
    if (isUnexplained(finishReason) && state.failures === 0) {
      throw new UpstreamInvalidError('The answer of the language model was cut off.');
    }
    return { text, truncated: finishReason === 'length' };
  }

  /** Learns from an overflow that another process met with this call, and gives the error that it means. */
  overflowed(overflow: Overflow, call: Pick<ModelCall, 'system' | 'parts'>): ContextOverflowError {
    const error = new ContextOverflowError(overflow);
    this.learnWindow(error, this.estimateCall(call));
    return error;
  }

  /** One streamed answer proves that the server streams; that it does not takes several, for a single fault looks the same. */
  private noteStreaming(streamed: boolean): void {
    if (streamed) this.streams ??= true;
    else if (++this.unstreamedAnswers >= UNSTREAMED_PROOF) this.streams ??= false;
  }

  /** Only prompts without pictures tell how the server counts text. */
  private learnTokens(call: ModelCall, actual: number | undefined): void {
    if (call.parts.every(({ type }) => type === 'text')) this.tokens.learn(roughPrompt(call), actual);
  }

  private learnWindow({ overflow }: ContextOverflowError, inputTokens: number): void {
    // Without numbers: three quarters of what was too much.
    const learnt = overflow.limit ?? Math.floor(inputTokens * 0.75);
    this.learntWindow = Math.max(1024, Math.min(learnt, this.contextTokens));
  }

  /** One call, and a second equal one beside it when the first hangs; whichever speaks first is heard out. */
  private async race(question: Question, again: boolean, context: ToolContext): Promise<AttemptResult> {
    const { call, inputTokens } = question;
    const tokens = inputTokens + question.maxOutputTokens;
    const rest = this.room.restMs;
    // Better told now than at the deadline.
    if (rest >= context.remainingMs()) throw new ModelRateLimitedError(rest, undefined);
    const first = movable(await this.room.acquire(tokens, context.signal, again));
    const patience = question.streamed ? 1 : UNSTREAMED_PATIENCE;
    const hedgeAfter = this.hangs.hedgeAfterMs(inputTokens) * patience;
    const running = new Set<AbortController>();
    let speaker: AbortController | undefined;
    let timer: NodeJS.Timeout | undefined;
    let passedOn = false;
    const abortAll = (reason: unknown): void => running.forEach((one) => one.abort(reason));
    const onAbort = (): void => abortAll(context.signal.reason);
    context.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<AttemptResult>((resolve, reject) => {
        const begin = (lease: CallLease, hedge: boolean): void => {
          const controller = new AbortController();
          running.add(controller);
          if (context.signal.aborted) onAbort();
          const listener = {
            onFirstToken: (): void => {
              speaker = controller;
              clearTimeout(timer);
              running.forEach((one) => one !== controller && one.abort(new DroppedError()));
            },
            onText: (delta: string): void => {
              passedOn = true;
              call.onText?.(delta);
            },
          };
          this.observed(question, controller, lease, listener, hedge).then(resolve, (error: unknown) => {
            running.delete(controller);
            if (speaker === controller || running.size === 0) reject(error as Error);
          });
        };
        const onHang = async (): Promise<void> => {
          timer = setTimeout(
            () => abortAll(new AnswerTimeoutError('The language model did not begin to answer.')),
            hedgeAfter * (GIVE_UP_FACTOR - 1),
          );
          const lease = await this.room.acquireSoon(tokens, context.signal);
          // The first may have spoken or failed meanwhile.
          if (speaker || running.size === 0) lease?.release({ kind: 'dropped' });
          else if (lease) begin(lease, true);
          else {
            // No room for a second call beside it: the first makes room for the second.
            const [hung] = running;
            const moved = first.move();
            hung?.abort(new DroppedError());
            begin(moved, true);
          }
        };
        timer = setTimeout(() => void onHang(), hedgeAfter);
        begin(first.lease, false);
      });
    } catch (error) {
      if (passedOn) call.onRestart?.();
      throw error;
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', onAbort);
      abortAll(new DroppedError());
    }
  }

  /** One try in a span of its own. */
  private observed(
    question: Question,
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
    hedge: boolean,
  ): Promise<AttemptResult> {
    const { call, maxOutputTokens, state } = question;
    const info = {
      provider: this.provider,
      model: this.id,
      maxOutputTokens,
      temperature: this.options.temperature,
      step: call.stage,
      attempt: ++state.sent,
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
    { ai, call, inputTokens, maxOutputTokens, streamed, meter, context, state }: Question,
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
      ...listener,
      onFirstToken: (): void => {
        if (streamed) this.hangs.observe(performance.now() - start);
        listener.onFirstToken();
      },
      onText: (delta: string): void => {
        written += delta;
        listener.onText(delta);
      },
    };
    let written = '';
    let asked = false;
    let outcome: CallOutcome = { kind: 'dropped' };
    let used = { input: 0, output: 0 };
    try {
      controller.signal.throwIfAborted();
      asked = true;
      const result = streamed
        ? await streamAttempt(ai, request, controller, stallTimeoutMs, timed)
        : await generateAttempt(ai, request, controller, timed);
      this.noteStreaming(streamed);
      this.learnTokens(call, result.inputTokens);
      used = {
        input: result.inputTokens ?? inputTokens,
        output: result.outputTokens ?? this.estimate(result.text),
      };
      outcome = { kind: 'taken', tokens: used.input + used.output };
      return result;
    } catch (thrown) {
      // A call that we ended ourselves, or that broke off, is billed for its prompt and for what had been written.
      if (controller.signal.aborted || written !== '')
        used = { input: inputTokens, output: this.estimate(written) };
      const reason: unknown = controller.signal.reason;
      const endedByUs = controller.signal.aborted && !(reason instanceof AnswerTimeoutError);
      if (endedByUs) throw reason;
      const error = toModelError(thrown);
      const ownWait = backOffMs(this.options.backOffMs, state.refusals + 1);
      outcome = outcomeOf(error, ownWait, this.options.maxRetryAfterMs);
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

/** How far a call with its retries has come. */
interface CallState {
  failures: number;
  /** 429s that it has met. */
  refusals: number;
  /** How many times the answer's tokens are allowed. */
  outputFactor: number;
  /** True when the last try ended in something that was no stream. */
  unreadable: boolean;
  /** Tries begun, those beside a hung one included. */
  sent: number;
}

/** What one try needs to know. */
interface Question {
  ai: AiSdk;
  call: ModelCall;
  inputTokens: number;
  maxOutputTokens: number;
  /** False when the last try ended in something that was no stream. */
  streamed: boolean;
  meter: UsageMeter;
  context: ToolContext;
  state: CallState;
}

/** Undefined where the host has set no limit: its default is each process's own, and there is nothing to ask about. */
function sharedRoom(gate: CallGate, model: string, options: ModelOptions): SharedRoom | undefined {
  const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
  const limited = maxParallel !== undefined || callsPerMinute !== undefined || tokensPerMinute !== undefined;
  return limited ? { gate, model, limits: { maxParallel, callsPerMinute, tokensPerMinute } } : undefined;
}

/** Ends the slower of two equal calls; never leaves this file. */
class DroppedError extends Error {}

function roughPrompt({ system, parts }: Pick<ModelCall, 'system' | 'parts'>): number {
  return parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? roughTokens(part.text) : 0),
    roughTokens(system),
  );
}

/** A lease that can be taken from its holder without being given back. */
function movable(lease: CallLease): { lease: CallLease; move(): CallLease } {
  let moved = false;
  return {
    lease: { release: (outcome) => (moved ? undefined : lease.release(outcome)) },
    move: () => {
      moved = true;
      return lease;
    },
  };
}

/** The error's stable name in traces, metrics and the health registry. */
function errorTypeOf(error: unknown): string {
  if (error instanceof ToolsError) return error.code;
  return error instanceof DroppedError ? 'superseded' : 'cancelled';
}

/** @param maxWaitMs a server that asks for longer is looked at again by then: it may be well long before */
function outcomeOf(error: Error, backOff: number, maxWaitMs: number): CallOutcome {
  if (error instanceof ModelRateLimitedError) {
    return { kind: 'limited', waitMs: Math.min(error.waitMs ?? backOff, maxWaitMs) };
  }
  if (error instanceof ToolsError && error.getStatus() >= 503 && error.shouldRetry) return { kind: 'failed' };
  return { kind: 'taken', tokens: 0 };
}

function backOffMs(baseMs: number, failure: number): number {
  return Math.min(BACK_OFF_CAP_MS, baseMs * 2 ** (failure - 1)) * (1 - Math.random() * 0.25);
}
