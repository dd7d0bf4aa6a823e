import { setTimeout as sleep } from 'node:timers/promises';
import { fork, raceAbort, type Fork, type ToolContext } from '../core/context.js';
import { ToolsError, UpstreamInvalidError, upstreamFaults, UpstreamTimeoutError } from '../core/errors.js';
import type { UpstreamHealth } from '../core/health.js';
import type { CallGate } from '../core/shared-state.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { CircuitBreaker, type Verdict } from '../core/upstream/circuit-breaker.js';
import { backOffMs } from '../core/upstream/retry.js';
import { loadAiSdk, modelId, providerName, type AiSearchSdk, type LanguageModelLike } from './ai-sdk.js';
import {
  AnswerTimeoutError,
  CutAnswerError,
  isAboutOneRequest,
  ModelRateLimitedError,
  StalledAnswerError,
  TokensSpentError,
  toModelError,
  type ModelName,
} from './errors.js';
import { CallSlots, type CallLease, type CallOutcome } from './limits.js';
import { UsageMeter, type Budget, type ResolvedRequestOptions } from './options.js';
import { ModelCallTelemetry, type CallInfo, type CallReport } from './telemetry.js';

/** Kinds of models by their group in the health registry, with the names of their calls in traces and of the model in errors. */
const KINDS = {
  model: { operation: 'chat', name: 'language model' },
  embeddings: { operation: 'embeddings', name: 'embedding model' },
  reranker: { operation: 'rerank', name: 'reranking model' },
} as const;

/** Parts of the module that calls report to. All are optional. */
export interface ConnectionDeps {
  /** Records a span and two histograms for every attempt. Default: nothing is recorded. */
  telemetry?: Telemetry;
  /** Hears how calls ended, each with its retries as one. */
  health?: UpstreamHealth;
  /** Counts the calls of all processes against the limits in the options. Default: each process counts its own. */
  gate?: CallGate;
}

interface Attempt<T extends CallReport> {
  info: Pick<CallInfo, 'step' | 'maxOutputTokens' | 'temperature' | 'hedge'>;
  retries: CallRetries;
  inputTokens: number;
  /** Sends it. Nobody waits for it once its context is aborted. */
  send(): Promise<T>;
  /** Estimate of the answer as far as it has come. */
  writtenTokens?: () => number;
  /** Called once with the tokens that it has cost, however it ended. */
  charge(inputTokens: number, outputTokens: number): void;
}

/** Share of its remaining time that a call waits for the test of a model that was down. */
const TEST_SHARE = 0.5;

/**
 * The connection to one model of any kind: one retry layer, one circuit breaker, one limiter for all requests of the process in addition to
 * the limits that processes share. After five failed calls in a row, retries included, the model is not asked for up to 30 s.
 */
export class ModelConnection {
  readonly id: string;
  readonly slots: CallSlots;
  private readonly provider: string;
  private readonly name: ModelName;
  private readonly breaker: CircuitBreaker;
  private readonly telemetry: ModelCallTelemetry;
  private readonly health?: UpstreamHealth;

  constructor(
    model: LanguageModelLike,
    private readonly kind: keyof typeof KINDS,
    private readonly options: ResolvedRequestOptions,
    { telemetry = NO_TELEMETRY, health, gate }: ConnectionDeps,
  ) {
    this.id = modelId(model);
    this.provider = providerName(model);
    this.name = KINDS[kind].name;
    // Rejected at once while one call tests the model, all other calls of a request would be lost.
    this.breaker = new CircuitBreaker(kind === 'model' ? 'The language model' : `The model ${this.id}`, {
      patience: TEST_SHARE,
    });
    this.telemetry = new ModelCallTelemetry(telemetry);
    this.health = health;
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
    this.slots = new CallSlots({ maxParallel, callsPerMinute, tokensPerMinute }, gate, this.id);
    health?.register(kind, this.id);
  }

  /**
   * Makes a call with its retries, unless the circuit is open.
   *
   * @param attempt asked for each attempt
   * @throws CircuitOpenError; the error of the last attempt as `toModelError` converts it; the context's reason
   */
  async run<T>(context: ToolContext, attempt: (retries: CallRetries) => Promise<T>): Promise<T> {
    const retries = new CallRetries(this.options);
    const verdictOf = (error: unknown): Verdict => this.verdictOf(error, retries);
    try {
      const value = await this.breaker.run(context, () => this.repeat(context, retries, attempt), verdictOf);
      this.health?.succeeded(this.kind, this.id);
      return value;
    } catch (error) {
      const verdict = context.signal.aborted ? 'nothing' : verdictOf(error);
      if (verdict === 'there') this.health?.succeeded(this.kind, this.id);
      if (verdict === 'failed') {
        const failure = error as ToolsError;
        failure.upstream ??= { upstream: 'model' };
        this.health?.failed(this.kind, this.id, failure.code, upstreamFaults(failure));
      }
      throw error;
    }
  }

  /** A child context for one attempt, with the time of one attempt. */
  fork(context: ToolContext): Fork {
    const { callTimeoutMs: ms } = this.options;
    return fork(context, {
      ms,
      onTimeout: () => new AnswerTimeoutError(`The ${this.name} took longer than ${ms} ms.`),
    });
  }

  /**
   * Makes one attempt: inside its span, within its time, in its slot, and charged however it ends.
   *
   * @param own its context; disposed of here
   * @param lease its slot; released here
   * @throws what `toModelError` makes of the SDK's error; the reason for which `own` was aborted
   */
  async attempt<T extends CallReport>(attempt: Attempt<T>, own: Fork, lease: CallLease): Promise<T> {
    if (own.context.signal.aborted) {
      own.dispose();
      lease.release({});
      throw own.context.signal.reason;
    }
    const info = {
      ...attempt.info,
      operation: KINDS[this.kind].operation,
      provider: this.provider,
      model: this.id,
      attempt: attempt.retries.begin(),
    };
    return this.telemetry.observe(info, () => this.send(attempt, own, lease));
  }

  private async send<T extends CallReport>(attempt: Attempt<T>, own: Fork, lease: CallLease): Promise<T> {
    const { inputTokens, retries, writtenTokens = () => 0 } = attempt;
    const { signal } = own.context;
    let outcome: CallOutcome = {};
    let used: [input: number, output: number] = [0, 0];
    try {
      const answer = await raceAbort(attempt.send(), signal);
      // Some servers report 0 tokens. Nothing costs nothing, so 0 means that they do not count.
      used = [answer.inputTokens || inputTokens, answer.outputTokens || writtenTokens()];
      outcome = { tokens: used[0] + used[1] };
      return answer;
    } catch (thrown) {
      // Providers bill an aborted call for its prompt and for the text so far.
      const written = writtenTokens();
      if (signal.aborted || written > 0) used = [inputTokens, written];
      const reason: unknown = signal.aborted ? signal.reason : thrown;
      if (signal.aborted && !(reason instanceof AnswerTimeoutError)) throw reason;
      const error = toModelError(reason, this.name);
      outcome = { tokens: 0 };
      if (error instanceof ModelRateLimitedError) {
        // A server that asks for a longer wait is asked again after the longest one: it may be available long before.
        const waitMs = error.waitMs ?? retries.refusalBackOffMs;
        outcome.refusedForMs = Math.min(waitMs, this.options.maxRetryAfterMs);
      }
      throw error;
    } finally {
      own.dispose();
      lease.release(outcome);
      attempt.charge(...used);
    }
  }

  /** One call with its retries. */
  private async repeat<T>(
    context: ToolContext,
    retries: CallRetries,
    attempt: (retries: CallRetries) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      context.signal.throwIfAborted();
      const { restMs } = this.slots;
      // Better to fail now than at the deadline.
      if (restMs >= context.remainingMs()) throw new ModelRateLimitedError(this.name, restMs);
      try {
        return await attempt(retries);
      } catch (thrown) {
        context.signal.throwIfAborted();
        await retries.next(toModelError(thrown, this.name), context);
      }
    }
  }

  /** The conclusion from a failed call about the model; `failed` only for errors of the tools. */
  private verdictOf(error: unknown, retries: CallRetries): Verdict {
    if (retries.sent === 0 || !ToolsError.isInstance(error)) return 'nothing';
    if (isAboutOneRequest(error)) return 'there';
    // A long answer takes long. Its model is not down.
    if (
      error instanceof UpstreamTimeoutError &&
      retries.isAnswering &&
      !(error instanceof StalledAnswerError)
    )
      return 'there';
    // `CallSlots` keeps the pace. Only a wait longer than the allowed one opens the circuit.
    if (error instanceof ModelRateLimitedError && (error.waitMs ?? 0) <= this.options.maxRetryAfterMs)
      return 'there';
    return error.getStatus() < 502 ? 'there' : 'failed';
  }
}

/** Waits that the server asked for, with a time, and that do not count as attempts; per call. */
const MAX_ANNOUNCED_WAITS = 3;
/** Factor for the answer's tokens after a model has spent them on thinking. */
const MORE_TOKENS = 4;

/**
 * The attempts of one call: how many were sent, how they ended, and whether to send another. At most `attempts` are sent, including failed
 * ones, rate-limited ones (429) and hedges. A 429 that names a time, and that is waited for, allows one more, up to
 * {@link MAX_ANNOUNCED_WAITS} times.
 */
export class CallRetries {
  /** Attempts sent, hedges included. */
  sent = 0;
  /** True while the latest attempt is producing tokens. */
  isAnswering = false;
  /** True once an attempt got an answer that was no stream. No answer at all (429, 503, a hang) says nothing about streaming. */
  isUnreadable = false;
  /** Factor for the tokens that the answer may have. */
  outputFactor = 1;
  private failures = 0;
  private refusals = 0;
  private announcedWaits = 0;
  private wasCut = false;

  constructor(
    private readonly options: Pick<ResolvedRequestOptions, 'attempts' | 'backOffMs' | 'maxRetryAfterMs'>,
  ) {}

  /** Whether one more may be sent. */
  get left(): boolean {
    return this.sent < this.options.attempts + this.announcedWaits;
  }

  /** True once an attempt has ended without an answer. */
  get isRepeated(): boolean {
    return this.failures + this.refusals > 0;
  }

  /** Whether a cut answer is a reason for another attempt: only once, and only where one is left. */
  get mayRetryCut(): boolean {
    return this.left && !this.wasCut;
  }

  /** Wait after a 429 that names none, ms. */
  get refusalBackOffMs(): number {
    return backOffMs(this.options.backOffMs, this.refusals + 1);
  }

  /** Counts an attempt. @returns its number, from 1 */
  begin(): number {
    this.isAnswering = false;
    return ++this.sent;
  }

  /** Returns when it is time for another attempt. @throws the error when another makes no sense */
  async next(error: Error, context: ToolContext): Promise<void> {
    if (error instanceof CutAnswerError) this.wasCut = true;
    else this.isUnreadable ||= error instanceof UpstreamInvalidError;
    if (error instanceof TokensSpentError) this.outputFactor = MORE_TOKENS;
    // `CallSlots` keeps the wait, for this call and for all others.
    if (error instanceof ModelRateLimitedError) return this.refused(error, context);
    if (!ToolsError.isInstance(error) || !error.shouldRetry || error.getStatus() < 502) throw error;
    this.failures++;
    if (!this.left) throw error;
    const asked = (error.retryAfterSeconds ?? 0) * 1000;
    const wait = Math.max(asked, backOffMs(this.options.backOffMs, this.failures));
    if (asked > this.options.maxRetryAfterMs || wait >= context.remainingMs()) throw error;
    await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }

  private refused(error: ModelRateLimitedError, context: ToolContext): void {
    this.refusals++;
    const wait = error.waitMs ?? 0;
    if (wait > this.options.maxRetryAfterMs || wait >= context.remainingMs()) throw error;
    if (wait > 0 && this.announcedWaits < MAX_ANNOUNCED_WAITS) this.announcedWaits++;
    if (!this.left) throw error;
  }
}

/** Services of the module for parts of the host that call their own models. Absent outside of a module. */
export interface ModelEnvironment extends ConnectionDeps {
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

/**
 * A model that answers a request with one value: embeddings, a ranking. A {@link ModelConnection} within the budget. Create one per model
 * and keep it.
 */
export class RequestClient {
  private readonly connection: ModelConnection;

  /** @param kind its group in the health registry */
  constructor(
    model: LanguageModelLike,
    private readonly options: ResolvedRequestOptions,
    kind: 'embeddings' | 'reranker',
    private readonly environment: ModelEnvironment = {},
  ) {
    this.connection = new ModelConnection(model, kind, options, environment);
  }

  /**
   * Sends a request, with retries.
   *
   * @throws BudgetExceededError before anything is sent; UpstreamInvalidError, UpstreamUnavailableError or UpstreamTimeoutError after the
   *   retries; CircuitOpenError while the circuit is open; ContextOverflowError; MissingPeerError; the context's reason when it is aborted
   */
  async run<T>(request: ModelRequest<T>, context: ToolContext): Promise<T> {
    const ai = await loadAiSdk();
    const { step, inputTokens, isBudgeted, send } = request;
    const budget = isBudgeted ? this.environment.budget : undefined;
    new UsageMeter(budget).reserve(inputTokens, 0, { ...this.options, outputPricePerMillion: 0 });
    return this.connection.run(context, async (retries) => {
      const lease = await this.connection.slots.acquire(inputTokens, context.signal, retries.isRepeated);
      const own = this.connection.fork(context);
      const attempt = {
        info: { step },
        retries,
        inputTokens,
        send: () => send(ai, own.context.signal),
        charge: (input: number) => context.spend?.({ modelCalls: 1, inputTokens: input, outputTokens: 0 }),
      };
      const { value } = await this.connection.attempt(attempt, own, lease);
      return value;
    });
  }
}
