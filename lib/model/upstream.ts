import { Logger } from '@nestjs/common';
import { fork, raceAbort, type Fork, type ToolContext } from '../core/context.js';
import { NotConfiguredError, ToolsError, upstreamFaults } from '../core/errors.js';
import { saidBy } from '../core/failures.js';
import type { UpstreamHealth } from '../core/health.js';
import { printable } from '../core/printable.js';
import type { CallGate } from '../core/shared-state.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { CircuitBreaker, verdictOf, type Verdict } from '../core/upstream/circuit-breaker.js';
import { backOffMs, withRetry, type Attempts } from '../core/upstream/retry.js';
import type { ModelUsage } from '../core/usage.js';
import { loadAiSdk, modelId, providerName, type AiSearchSdk, type LanguageModelLike } from './ai-sdk.js';
import {
  AnswerTimeoutError,
  isAboutOneRequest,
  ModelOutageError,
  ModelRateLimitedError,
  SupersededError,
  toModelError,
  type ModelName,
} from './errors.js';
import { CallSlots, type CallLease, type CallOutcome } from './limits.js';
import { UsageMeter, type Budget, type ResolvedRequestOptions } from './options.js';
import { ModelCallTelemetry, type CallReport } from './telemetry.js';

/** Kinds of models by their group in the health registry, with the names of their calls in traces and of the model in errors. */
const KINDS = {
  model: { operation: 'chat', name: 'language model' },
  embeddings: { operation: 'embeddings', name: 'embedding model' },
  reranker: { operation: 'rerank', name: 'reranking model' },
  speech: { operation: 'transcription', name: 'speech recognition model' },
} as const;

/** Share of its remaining time that a call waits for the test of a model that was down. */
const TEST_SHARE = 0.5;
/** Waits that the server asked for, with a time, and that do not count as attempts; per call. */
const MAX_ANNOUNCED_WAITS = 3;
/** A call without a first token is given up after this many times the wait for its hedge. */
const GIVE_UP_FACTOR = 6;

/** Parts of the module that calls report to. All are optional. */
export interface UpstreamDeps {
  /** Records a span and two histograms for every attempt. Default: nothing is recorded. */
  telemetry?: Telemetry;
  /** Hears how calls ended, each with its retries as one. */
  health?: UpstreamHealth;
  /** Counts the calls of all processes against the limits in the options. Default: each process counts its own. */
  gate?: CallGate;
  /** Name of the module's option that gave the model, for messages. */
  option?: string;
}

/** An attempt that has been sent. */
interface Sent<T> {
  /** Nobody waits for it once its context is aborted. */
  answer: Promise<T>;
  /** Estimate of the answer as far as it has come. */
  writtenTokens?(): number;
}

/** One attempt of a call, before it is sent. */
export interface Plan<T> {
  inputTokens: number;
  maxOutputTokens?: number;
  temperature?: number;
  /** Time without a token after which an equal call is sent next to it, ms. Default: none is sent. */
  hedgeAfterMs?: number;
  /** Costs besides tokens, of a call that was answered or aborted. */
  costs?: Pick<ModelUsage, 'speech'>;
  /**
   * Sends it. Must end when the signal of its context fires.
   * @param onFirstToken to be called with the first token, of the answer or of the model's reasoning
   */
  send(own: Fork, onFirstToken: () => void): Sent<T>;
  /** Called once when the attempt has ended, however it ended. */
  end?(): void;
}

/** One call. */
interface UpstreamCall<T, R> {
  /** Key of the usage, and `nestjs_tools.step` of the span, e.g. `map`, `answer`, `embed_query`. */
  step: string;
  /** Prepares an attempt. @throws what keeps it from being sent */
  plan(attempts: Attempts): Plan<T>;
  /** The result of an answer. @throws an error to have the call repeated */
  accept(answer: T, attempts: Attempts): R;
  /** Hears what an attempt has cost. */
  book?(usage: ModelUsage): void;
}

/** One model of any kind as all requests of the process call it. Create one per model and keep it. */
export class ModelUpstream {
  readonly id: string;
  private readonly provider: string;
  private readonly name: ModelName;
  private readonly option: string | undefined;
  private readonly breaker: CircuitBreaker;
  private readonly slots: CallSlots;
  private readonly telemetry: ModelCallTelemetry;
  private readonly health?: UpstreamHealth;
  private readonly logger = new Logger('ToolsModule');
  private hasReported = false;

  constructor(
    model: LanguageModelLike,
    private readonly kind: keyof typeof KINDS,
    private readonly options: ResolvedRequestOptions,
    { telemetry = NO_TELEMETRY, health, gate, option }: UpstreamDeps,
  ) {
    this.id = modelId(model);
    this.provider = providerName(model);
    this.name = KINDS[kind].name;
    this.option = option;
    // Refused at once while one call tests the model, all other calls of a request would be lost.
    const patience = TEST_SHARE;
    this.breaker = new CircuitBreaker(`The ${this.name} ${this.id}`, { patience });
    this.telemetry = new ModelCallTelemetry(telemetry);
    this.health = health;
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
    this.slots = new CallSlots({ maxParallel, callsPerMinute, tokensPerMinute }, gate, this.id);
    health?.register(kind, this.id);
  }

  /**
   * Makes a call. From the outside in: the circuit breaker → retries → the caller's budget → a slot → one attempt, or two when the first
   * hangs → its span → the SDK.
   *
   * @throws CircuitOpenError; the error of the last attempt as `toModelError` converts it; the context's reason
   */
  async call<T extends CallReport, R>(call: UpstreamCall<T, R>, context: ToolContext): Promise<R> {
    const { attempts, backOffMs: baseMs, maxRetryAfterMs: longestMs } = this.options;
    // The pace keeps the wait after a 429. After a timeout enough time has passed.
    const atOnce = (error: ToolsError): boolean =>
      error instanceof ModelRateLimitedError || error instanceof AnswerTimeoutError;
    const retries = { attempts, baseMs, longestMs, announced: MAX_ANNOUNCED_WAITS, atOnce };
    // What fails before it is sent says nothing about the model.
    let isSent = false;
    const attempt = (made: Attempts): Promise<R> => this.attempt(call, made, context, () => (isSent = true));
    // Without a key nothing is sent: each call fails at once, and says what is missing.
    const verdict = (error: unknown): Verdict =>
      isSent && !(error instanceof NotConfiguredError) ? this.verdictOf(error) : 'nothing';
    try {
      const result = await this.breaker.run(context, () => withRetry(attempt, context, retries), verdict);
      this.succeeded();
      return result;
    } catch (error) {
      if (!context.signal.aborted)
        this.report(error, error instanceof NotConfiguredError ? 'down' : verdict(error));
      throw error;
    }
  }

  private async attempt<T extends CallReport, R>(
    call: UpstreamCall<T, R>,
    attempts: Attempts,
    context: ToolContext,
    onSend: () => void,
  ): Promise<R> {
    const { restMs } = this.slots.pace;
    // Better to fail now than at the deadline.
    if (restMs >= context.remainingMs()) throw new ModelRateLimitedError(this.name, restMs);
    const plan = call.plan(attempts);
    const { inputTokens, maxOutputTokens: outputTokens = 0 } = plan;
    let charged: (() => void) | undefined;
    try {
      const estimate = { modelCalls: 1, inputTokens, outputTokens, ...plan.costs };
      charged = await context.admitCall?.(estimate, context.signal);
      const isRepeated = attempts.failure !== undefined;
      const lease = await this.slots.acquire(inputTokens + outputTokens, context, isRepeated);
      onSend();
      return call.accept(await this.hedged(call, plan, lease, attempts, context), attempts);
    } catch (thrown) {
      throw context.signal.aborted ? thrown : this.errorOf(thrown);
    } finally {
      plan.end?.();
      charged?.();
    }
  }

  /**
   * Sends a call, and an equal one next to it when the first hangs (a hedged request: Dean and Barroso, The Tail at Scale, 2013). The first to
   * produce a token wins; the other is aborted. Without a free slot the first is given up, and the call is repeated.
   */
  private async hedged<T extends CallReport, R>(
    call: UpstreamCall<T, R>,
    plan: Plan<T>,
    lease: CallLease,
    attempts: Attempts,
    context: ToolContext,
  ): Promise<T> {
    const running = new Set<Fork>();
    let winner: Fork | undefined;
    let timer: NodeJS.Timeout | undefined;
    const abortAll = (reason: Error): void => running.forEach((one) => one !== winner && one.abort(reason));
    try {
      return await new Promise<T>((resolve, reject) => {
        const begin = (slot: CallLease, isHedge: boolean): void => {
          const own = this.forkOf(context, () => winner === own);
          running.add(own);
          const onFirstToken = (): void => {
            winner = own;
            clearTimeout(timer);
            abortAll(new SupersededError());
          };
          const info = { number: attempts.begun, isHedge };
          this.send(call, plan, own, slot, info, onFirstToken).then(resolve, (error: unknown) => {
            running.delete(own);
            if (winner === own || running.size === 0) reject(error as Error);
          });
        };
        const onHang = async (hedgeAfterMs: number): Promise<void> => {
          const silent = new AnswerTimeoutError(`The ${this.name} did not begin to answer.`, false);
          timer = setTimeout(() => abortAll(silent), hedgeAfterMs * (GIVE_UP_FACTOR - 1));
          if (!attempts.left) return;
          const slot = await this.slots.acquireSoon(plan.inputTokens + (plan.maxOutputTokens ?? 0), context);
          // The first may have answered or failed meanwhile.
          if (winner || running.size === 0) return slot?.release({});
          if (!slot) return abortAll(silent);
          attempts.begun++;
          begin(slot, true);
        };
        const { hedgeAfterMs } = plan;
        if (hedgeAfterMs !== undefined) timer = setTimeout(() => void onHang(hedgeAfterMs), hedgeAfterMs);
        begin(lease, false);
      });
    } finally {
      clearTimeout(timer);
      winner = undefined;
      abortAll(new SupersededError());
    }
  }

  /** A child context with the time of one attempt. */
  private forkOf(context: ToolContext, isAnswering: () => boolean): Fork {
    const { callTimeoutMs: ms } = this.options;
    const onTimeout = (): Error =>
      new AnswerTimeoutError(`The ${this.name} took longer than ${ms} ms.`, isAnswering());
    return fork(context, { ms, onTimeout });
  }

  /** Sends once: inside its span, within its time, in its slot, and booked however it ends. */
  private send<T extends CallReport, R>(
    { step, book }: UpstreamCall<T, R>,
    plan: Plan<T>,
    own: Fork,
    lease: CallLease,
    { number, isHedge }: { number: number; isHedge: boolean },
    onFirstToken: () => void,
  ): Promise<T> {
    const { inputTokens, maxOutputTokens, temperature } = plan;
    const { operation } = KINDS[this.kind];
    const info = { operation, provider: this.provider, model: this.id, step, attempt: number };
    const hedge = isHedge || undefined;
    return this.telemetry.observe({ ...info, maxOutputTokens, temperature, hedge }, async () => {
      const { signal } = own.context;
      const usage = { modelCalls: 1, inputTokens: 0, outputTokens: 0 } as ModelUsage;
      let outcome: CallOutcome = {};
      let sent: Sent<T> | undefined;
      try {
        signal.throwIfAborted();
        sent = plan.send(own, onFirstToken);
        const answer = await raceAbort(sent.answer, signal);
        // Some servers report 0 tokens. Nothing costs nothing, so 0 means that they do not count.
        usage.inputTokens = answer.inputTokens || inputTokens;
        usage.outputTokens = answer.outputTokens || (sent.writtenTokens?.() ?? 0);
        Object.assign(usage, plan.costs);
        if (answer.cachedInputTokens) usage.cachedInputTokens = answer.cachedInputTokens;
        outcome = { tokens: usage.inputTokens + usage.outputTokens };
        return answer;
      } catch (thrown) {
        // Providers bill an aborted call for its prompt and for the text so far.
        usage.outputTokens = sent?.writtenTokens?.() ?? 0;
        if (signal.aborted || usage.outputTokens > 0) Object.assign(usage, { inputTokens }, plan.costs);
        const reason: unknown = signal.aborted ? signal.reason : thrown;
        if (signal.aborted && !(reason instanceof AnswerTimeoutError)) throw reason;
        const error = this.errorOf(reason);
        outcome = { tokens: 0 };
        if (error instanceof ModelRateLimitedError) {
          // A server that asks for a longer wait is asked again after the longest one: it may be available long before.
          const waitMs = error.waitMs ?? backOffMs(this.options.backOffMs, number);
          outcome.refusedForMs = Math.min(waitMs, this.options.maxRetryAfterMs);
        }
        throw error;
      } finally {
        own.dispose();
        lease.release(outcome);
        book?.(usage);
        own.context.spend?.(usage);
      }
    });
  }

  /** What was thrown as an error of the tools, with the name of the provider. */
  private errorOf(thrown: unknown): Error {
    const error = toModelError(thrown, this.name, this.option);
    if (error instanceof NotConfiguredError) error.upstream = { upstream: this.provider, code: error.code };
    else if (ToolsError.isInstance(error) && error.upstream?.upstream === 'model')
      error.upstream = { ...error.upstream, upstream: this.provider };
    return error;
  }

  /** What a failed call says about the model. */
  private verdictOf(error: unknown): Verdict {
    if (isAboutOneRequest(error)) return 'there';
    // A long answer takes long. Its model is not down.
    if (error instanceof AnswerTimeoutError && error.isAnswering) return 'there';
    // The pace takes care of it. Only a wait longer than the allowed one opens the circuit.
    if (error instanceof ModelRateLimitedError && (error.waitMs ?? 0) <= this.options.maxRetryAfterMs)
      return 'there';
    return error instanceof ModelOutageError ? 'down' : verdictOf(error);
  }

  private succeeded(): void {
    this.hasReported = false;
    this.health?.succeeded(this.kind, this.id);
  }

  private report(error: unknown, verdict: Verdict): void {
    if (verdict === 'there') this.succeeded();
    if (verdict === 'nothing' || verdict === 'there' || !ToolsError.isInstance(error)) return;
    const isDown = verdict === 'down';
    error.upstream ??= { upstream: this.provider };
    this.health?.failed(this.kind, this.id, error.code, upstreamFaults(error), isDown);
    if (!isDown || this.hasReported) return;
    this.hasReported = true;
    const advice = error instanceof ModelOutageError ? error.advice : '';
    const said = saidBy(error)?.replace(error.message, '').trim();
    const cause = said ? `Its server or the AI SDK says: ${JSON.stringify(said)}` : '';
    this.logger.error(
      printable([error.message, `Model: ${this.id}.`, advice, cause].filter(Boolean).join(' ')),
    );
  }
}

/** Services of the module for parts of the host that call their own models. Absent outside of a module. */
export interface ModelEnvironment extends UpstreamDeps {
  /** Limit of one request; checked for each call of its own. */
  budget?: Budget;
  /** Aborts work in the background when the application stops. */
  signal?: AbortSignal;
}

interface ModelRequest<T> {
  /** Key of the usage, and `nestjs_tools.step` of the span, e.g. `embed_query`. */
  step: string;
  inputTokens: number;
  /** Whether the host's budget for one request counts. False: it is work in the background. */
  isBudgeted: boolean;
  /**
   * Sends it once. Must end when the signal fires.
   * @returns the value, and the input tokens that the server counted where it says so
   */
  send(ai: AiSearchSdk, signal: AbortSignal): Promise<{ value: T; inputTokens?: number }>;
}

/** A model that answers a request with one value: embeddings, a ranking. Create one per model and keep it. */
export class RequestClient {
  private readonly upstream: ModelUpstream;

  /** @param kind its group in the health registry */
  constructor(
    model: LanguageModelLike,
    private readonly options: ResolvedRequestOptions,
    kind: 'embeddings' | 'reranker',
    private readonly environment: ModelEnvironment = {},
  ) {
    this.upstream = new ModelUpstream(model, kind, options, environment);
  }

  /**
   * Sends a request, with retries.
   *
   * @throws BudgetExceededError before anything is sent; UpstreamInvalidError, UpstreamUnavailableError or UpstreamTimeoutError after the
   *   retries; CircuitOpenError while the circuit is open; ContextOverflowError; MissingPeerError; the context's reason when it is aborted
   */
  async run<T>({ step, inputTokens, isBudgeted, send }: ModelRequest<T>, context: ToolContext): Promise<T> {
    const ai = await loadAiSdk();
    const budget = isBudgeted ? this.environment.budget : undefined;
    new UsageMeter(budget).reserve(inputTokens, 0, { ...this.options, outputPricePerMillion: 0 });
    const plan = { inputTokens, send: (own: Fork) => ({ answer: send(ai, own.context.signal) }) };
    return this.upstream.call({ step, plan: () => plan, accept: ({ value }) => value }, context);
  }
}
