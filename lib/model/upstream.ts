import { Logger } from '@nestjs/common';
import type { CacheStore } from '../core/cache.js';
import { fork, raceAbort, type Fork, type ToolContext } from '../core/context.js';
import { NotConfiguredError, ToolsError, upstreamFaults } from '../core/errors.js';
import { saidBy } from '../core/failures.js';
import type { UpstreamHealth } from '../core/health.js';
import { printable } from '../core/printable.js';
import type { CallGate } from '../core/shared-state.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { CircuitBreaker, verdictOf, type CallVerdict } from '../core/upstream/circuit-breaker.js';
import { backOffMs, withRetry, type Attempt } from '../core/upstream/retry.js';
import type { ModelUsage } from '../core/usage.js';
import { loadAiSdk, modelId, providerName, type AiSearchSdk, type LanguageModelLike } from './ai-sdk.js';
import { roughTokens } from './model-profile.js';
import {
  AnswerTimeoutError,
  isAboutOneRequest,
  ModelOutageError,
  ModelRateLimitedError,
  toModelError,
  type ModelName,
} from './errors.js';
import { CallSlots, type CallLease, type CallOutcome } from './call-slots.js';
import { type Budget, type ResolvedRequestOptions } from './options.js';
import { costOf, UsageMeter } from './usage-meter.js';
import { modelCallTelemetry, type CallReport } from './model-telemetry.js';

/**
 * Kinds of models by their group in the health registry, with the names of their calls in traces and of the model in errors, and whether the
 * tools can do without: a search goes by words as well, and most videos have captions.
 */
const KINDS = {
  model: { operation: 'chat', name: 'language model', isOptional: false },
  embeddings: { operation: 'embeddings', name: 'embedding model', isOptional: true },
  reranker: { operation: 'rerank', name: 'reranking model', isOptional: true },
  speech: { operation: 'transcription', name: 'speech recognition model', isOptional: true },
} as const;

/** Waits that the server asked for, with a time, and that do not count as attempts; per call; set by hand. */
const MAX_ANNOUNCED_WAITS = 3;
/** Longest wait that a server may ask for, ms. A call that is asked to wait longer fails at once. A plain bound. */
const LONGEST_WAIT_MS = 30_000;

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

export interface Running {
  /** Whether the first token has come, of the answer or of the model's reasoning. */
  isAnswering: boolean;
  /** The answer so far, as far as it is known. */
  written: string;
}

export interface RequestPlan<T> {
  /** Key of the usage, and `nestjs_tools.step` of the span, e.g. `map`, `answer`, `embed_query`. */
  step: string;
  inputTokens: number;
  maxOutputTokens?: number;
  temperature?: number;
  /** Costs besides tokens, of a request that was answered or aborted. */
  costs?: Pick<ModelUsage, 'speech'>;
  /** Asks once. Must end when the signal of its context fires: nobody waits for it then. */
  ask(fork: Fork, running: Running): Promise<T>;
  book?(usage: ModelUsage): void;
}

type Send = <T extends CallReport>(request: RequestPlan<T>) => Promise<T>;

/** One model of any kind as all requests of the process call it. Create one per model and keep it. */
export class ModelUpstream {
  readonly id: string;
  private readonly provider: string;
  private readonly name: ModelName;
  private readonly option: string | undefined;
  private readonly breaker: CircuitBreaker;
  private readonly slots: CallSlots;
  private readonly observe: ReturnType<typeof modelCallTelemetry>;
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
    this.breaker = new CircuitBreaker(`The ${this.name} ${this.id}`);
    this.observe = modelCallTelemetry(telemetry);
    this.health = health;
    const { maxParallelCalls: maxParallel, callsPerMinute, tokensPerMinute } = options;
    this.slots = new CallSlots({ maxParallel, callsPerMinute, tokensPerMinute }, gate, this.id);
    health?.register(kind, this.id, KINDS[kind].isOptional);
  }

  /**
   * Makes a call. From the outside in: the circuit breaker → retries → `attempt` → the caller's budget → a slot → the span of a request → the SDK.
   *
   * @param attempt prepares a request, has it sent and accepts its answer. It throws what keeps it from being sent, and an error to have the call repeated.
   * @throws CircuitOpenError; the error of the last attempt as `toModelError` converts it; the context's reason
   */
  async call<R>(context: ToolContext, attempt: (made: Attempt, send: Send) => Promise<R>): Promise<R> {
    const { attempts, backOffMs: baseMs } = this.options;
    const retries = { attempts, baseMs, longestMs: LONGEST_WAIT_MS, announced: MAX_ANNOUNCED_WAITS };
    // What fails before it is sent says nothing about the model.
    let isSent = false;
    const tryOnce = async (made: Attempt): Promise<R> => {
      try {
        return await attempt(made, async (request) => {
          const { charged, lease } = await this.admit(request, context);
          isSent = true;
          return this.request(request, lease, made.number, context).finally(charged);
        });
      } catch (thrown) {
        throw context.signal.aborted ? thrown : this.errorOf(thrown);
      }
    };
    // Without a key nothing is sent: each call fails at once, and says what is missing.
    const verdict = (error: unknown): CallVerdict =>
      isSent && !(error instanceof NotConfiguredError) ? verdictOn(error) : 'nothing';
    try {
      const result = await this.breaker.run(context, () => withRetry(tryOnce, context, retries), verdict);
      this.succeeded();
      return result;
    } catch (error) {
      if (!context.signal.aborted)
        this.report(error, error instanceof NotConfiguredError ? 'down' : verdict(error));
      throw error;
    }
  }

  /** Waits for the caller's budget and a slot. @throws ModelRateLimitedError where the server wants to rest until after the deadline */
  private async admit(
    { inputTokens, maxOutputTokens: outputTokens = 0, costs }: RequestPlan<unknown>,
    context: ToolContext,
  ): Promise<{ charged: () => void; lease: CallLease }> {
    const { restMs } = this.slots.pace;
    if (restMs >= context.remainingMs()) {
      const retryAfterSeconds = restMs / 1000;
      throw new ModelRateLimitedError(`The ${this.name} is limiting its calls.`, { retryAfterSeconds });
    }
    const estimate = { modelCalls: 1, inputTokens, outputTokens, ...costs };
    const priced = { ...estimate, cost: costOf(estimate, this.options) };
    const charged = (await context.admitCall?.(priced, context.signal)) ?? (() => undefined);
    try {
      return { charged, lease: await this.slots.acquire(inputTokens + outputTokens, context) };
    } catch (error) {
      charged();
      throw error;
    }
  }

  /** Asks once: inside its span, within its time, in its slot, and booked however it ends. */
  private request<T extends CallReport>(
    { step, inputTokens, maxOutputTokens, temperature, costs, ask, book }: RequestPlan<T>,
    lease: CallLease,
    attempt: number,
    context: ToolContext,
  ): Promise<T> {
    const { operation } = KINDS[this.kind];
    const { provider, id: model } = this;
    const info = { operation, provider, model, step, maxOutputTokens, temperature, attempt };
    return this.observe(info, async () => {
      const { callTimeoutMs: ms } = this.options;
      const running: Running = { isAnswering: false, written: '' };
      const onTimeout = (): Error =>
        new AnswerTimeoutError(`The ${this.name} took longer than ${ms} ms.`, running.isAnswering);
      const child = fork(context, { ms, onTimeout });
      const { signal } = child.context;
      const usage: ModelUsage = { modelCalls: 1, inputTokens: 0, outputTokens: 0 };
      const writtenTokens = (): number => Math.ceil(roughTokens(running.written));
      let outcome: CallOutcome = {};
      try {
        signal.throwIfAborted();
        const answer = await raceAbort(ask(child, running), signal);
        // Some servers report 0 tokens. Nothing costs nothing, so 0 means that they do not count.
        usage.inputTokens = answer.inputTokens || inputTokens;
        usage.outputTokens = answer.outputTokens || writtenTokens();
        Object.assign(usage, costs);
        if (answer.cachedInputTokens) usage.cachedInputTokens = answer.cachedInputTokens;
        outcome = { tokens: usage.inputTokens + usage.outputTokens };
        return answer;
      } catch (thrown) {
        // Providers bill an aborted call for its prompt and for the text so far.
        usage.outputTokens = writtenTokens();
        if (signal.aborted || usage.outputTokens > 0) Object.assign(usage, { inputTokens }, costs);
        const reason: unknown = signal.aborted ? signal.reason : thrown;
        if (signal.aborted && !(reason instanceof AnswerTimeoutError)) throw reason;
        const error = this.errorOf(reason);
        outcome = { tokens: 0 };
        if (error instanceof ModelRateLimitedError) {
          // A server that asks for a longer wait is asked again after the longest one: it may be available long before.
          const { retryAfterSeconds: named } = error;
          const waitMs = named === undefined ? backOffMs(this.options.backOffMs, attempt) : named * 1000;
          outcome.refusedForMs = Math.min(waitMs, LONGEST_WAIT_MS);
        }
        throw error;
      } finally {
        child.dispose();
        lease.release(outcome);
        const cost = costOf(usage, this.options);
        if (cost !== undefined) usage.cost = cost;
        book?.(usage);
        context.spend?.(usage);
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

  private succeeded(): void {
    this.hasReported = false;
    this.health?.succeeded(this.kind, this.id);
  }

  private report(error: unknown, verdict: CallVerdict): void {
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

function verdictOn(error: unknown): CallVerdict {
  if (isAboutOneRequest(error)) return 'there';
  // A long answer takes long. Its model is not down.
  if (error instanceof AnswerTimeoutError && error.isAnswering) return 'there';
  // The pace takes care of it. Only a wait longer than the allowed one opens the circuit.
  if (error instanceof ModelRateLimitedError && (error.retryAfterSeconds ?? 0) * 1000 <= LONGEST_WAIT_MS)
    return 'there';
  return error instanceof ModelOutageError ? 'down' : verdictOf(error);
}

/** Services of the module for parts of the host that call their own models. Absent outside of a module. */
export interface ModelEnvironment extends UpstreamDeps {
  budget?: Budget;
  cache?: CacheStore;
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
    new UsageMeter(budget).reserve(inputTokens, 0, this.options);
    const { value } = await this.upstream.call(context, (_, ask) =>
      ask({ step, inputTokens, ask: ({ context: { signal } }) => send(ai, signal) }),
    );
    return value;
  }
}
