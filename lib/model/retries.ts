import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError, UpstreamInvalidError, upstreamFaults, UpstreamTimeoutError } from '../core/errors.js';
import { type ToolContext, raceAbort } from '../core/context.js';
import { backOffMs, CircuitBreaker, CircuitOpenError, type Verdict } from '../core/upstream/retry.js';
import {
  CutAnswerError,
  ModelRateLimitedError,
  TokensSpentError,
  isAboutOneRequest,
  StalledAnswerError,
  AnswerTimeoutError,
  SupersededError,
} from './errors.js';
import type { ResolvedModelOptions } from './options.js';
import type { UpstreamHealth } from '../core/health.js';
import { raceTimeout } from '../core/async.js';
import type { AttemptListener } from './call.js';
import type { CallLease, CallSlots } from './limits.js';

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
  answering = false;
  /** True once an attempt got an answer that was no stream. No answer at all (429, 503, a hang) says nothing about streaming. */
  unreadable = false;
  /** Factor for the tokens that the answer may have. */
  outputFactor = 1;
  private failures = 0;
  private refusals = 0;
  private announcedWaits = 0;
  private wasCut = false;

  constructor(
    private readonly options: Pick<ResolvedModelOptions, 'attempts' | 'backOffMs' | 'maxRetryAfterMs'>,
  ) {}

  /** Whether one more may be sent. */
  get left(): boolean {
    return this.sent < this.options.attempts + this.announcedWaits;
  }

  /** True once an attempt has ended without an answer. */
  get again(): boolean {
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
    this.answering = false;
    return ++this.sent;
  }

  /** Notes that the latest attempt has produced a token. */
  answered(): void {
    this.answering = true;
  }

  /** Returns when it is time for another attempt. @throws the error when another makes no sense */
  async next(error: Error, context: ToolContext): Promise<void> {
    if (error instanceof CutAnswerError) this.wasCut = true;
    else this.unreadable ||= error instanceof UpstreamInvalidError;
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

/** Share of its remaining time that a call waits for the probe of a model that was down. */
const PROBE_SHARE = 0.5;

/** The circuit breaker of one model, which also reports to the health registry how its calls end. */
export class ModelCircuit {
  private readonly breaker: CircuitBreaker;
  /** The call that finds out whether a model that was down is back. */
  private probe: Promise<unknown> | undefined;

  /**
   * @param id the model's id in the health registry
   * @param group of the model in the health registry: `model` for language models
   */
  constructor(
    private readonly id: string,
    private readonly options: Pick<ResolvedModelOptions, 'maxRetryAfterMs'>,
    private readonly health?: UpstreamHealth,
    private readonly group: 'model' | 'embeddings' | 'reranker' = 'model',
  ) {
    this.breaker = new CircuitBreaker(group === 'model' ? 'The language model' : `The model ${id}`);
    health?.register(group, id);
  }

  /**
   * Makes a call with its retries, unless the circuit is open.
   * @param attempts what is known of the call's attempts
   * @throws CircuitOpenError, and whatever `call` throws
   */
  async run<T>(
    call: () => Promise<T>,
    attempts: Pick<CallRetries, 'sent' | 'answering'>,
    context: ToolContext,
  ): Promise<T> {
    const patience = performance.now() + context.remainingMs() * PROBE_SHARE;
    while (this.probe && performance.now() < patience) await this.probed(patience, context);
    const verdictOf = (error: unknown): Verdict => this.verdictOf(error, context, attempts);
    // No `await` from here on, or several calls would be the probe.
    const answer = this.breaker.run(call, verdictOf);
    if (this.breaker.state === 'half_open') this.noteProbe(answer);
    return this.reported(answer, verdictOf);
  }

  /** While one call probes the model, the others wait for it. Rejected at once, all calls of a request would be lost. */
  private async probed(until: number, { signal }: ToolContext): Promise<void> {
    const late = Promise.resolve(raceTimeout(this.probe, until - performance.now()));
    await raceAbort(late, signal).catch(() => signal.throwIfAborted());
  }

  private noteProbe(answer: Promise<unknown>): void {
    if (this.probe) return;
    const forget = (): void => void (this.probe = undefined);
    this.probe = answer.then(forget, forget);
  }

  private async reported<T>(answer: Promise<T>, verdictOf: (error: unknown) => Verdict): Promise<T> {
    try {
      const value = await answer;
      this.health?.succeeded(this.group, this.id);
      return value;
    } catch (error) {
      const verdict = error instanceof CircuitOpenError ? 'nothing' : verdictOf(error);
      if (ToolsError.isInstance(error) && verdict === 'failed') {
        error.upstream ??= { upstream: 'model' };
        this.health?.failed(this.group, this.id, error.code, upstreamFaults(error));
      }
      if (verdict === 'there') this.health?.succeeded(this.group, this.id);
      throw error;
    }
  }

  /** The conclusion from a failed call about the model; `failed` only for errors of the tools. */
  private verdictOf(
    error: unknown,
    { signal }: ToolContext,
    attempts: Pick<CallRetries, 'sent' | 'answering'>,
  ): Verdict {
    // A caller that left, or a deadline that passed in our own queue, says nothing.
    const left = signal.aborted && !(signal.reason instanceof UpstreamTimeoutError);
    if (attempts.sent === 0 || left || !ToolsError.isInstance(error)) return 'nothing';
    if (isAboutOneRequest(error)) return 'there';
    // An answer that takes too long, while its tokens are coming, is long. The model is not down.
    if (error instanceof UpstreamTimeoutError && attempts.answering && !(error instanceof StalledAnswerError))
      return 'there';
    // A matter of pace, which `CallSlots` keeps. Only a wait longer than the allowed one opens the circuit.
    if (error instanceof ModelRateLimitedError && (error.waitMs ?? 0) <= this.options.maxRetryAfterMs)
      return 'there';
    return error.getStatus() < 502 ? 'there' : 'failed';
  }
}

/** A call without a first token is given up after this many times the wait for its hedge. */
const GIVE_UP_FACTOR = 6;

/** Input of a call that may be hedged. */
interface HedgedCall<T> {
  slots: CallSlots;
  /** Estimate of prompt and answer. */
  tokens: number;
  /** Time without a token after which the hedge starts, ms. */
  hedgeAfterMs: number;
  /** True for a call that was refused or has failed before: it goes before those that have not started. */
  again: boolean;
  signal: AbortSignal;
  /** Asked when the first attempt hangs. False: no hedge is sent. */
  mayHedge: () => boolean;
  onText?: (delta: string) => void;
  /** Called when text was passed on that does not count any more. */
  onRestart?: () => void;
  /** Makes one attempt. It must release the lease, and end when the controller aborts. */
  attempt: (
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
    hedge: boolean,
  ) => Promise<T>;
}

/**
 * One call, and a second equal one next to it when the first hangs (a hedged request: Dean and Barroso, The Tail at Scale, 2013). The
 * first to produce a token wins; the other is aborted.
 *
 * @throws what the winning attempt throws, or the last of them; AnswerTimeoutError when none begins to answer; the signal's reason
 */
export async function hedged<T>(call: HedgedCall<T>): Promise<T> {
  const { slots, tokens, hedgeAfterMs, signal } = call;
  const first = movable(await slots.acquire(tokens, signal, call.again));
  const running = new Set<AbortController>();
  let winner: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;
  let passedOn = false;
  const abortAll = (reason: unknown): void => running.forEach((one) => one.abort(reason));
  const onAbort = (): void => abortAll(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<T>((resolve, reject) => {
      const begin = (lease: CallLease, hedge: boolean): void => {
        const controller = new AbortController();
        running.add(controller);
        if (signal.aborted) onAbort();
        const listener = {
          onFirstToken: (): void => {
            winner = controller;
            clearTimeout(timer);
            running.forEach((one) => one !== controller && one.abort(new SupersededError()));
          },
          onText: (delta: string): void => {
            passedOn = true;
            call.onText?.(delta);
          },
          onRestart: (): void => call.onRestart?.(),
        };
        call.attempt(controller, lease, listener, hedge).then(resolve, (error: unknown) => {
          running.delete(controller);
          if (winner === controller || running.size === 0) reject(error as Error);
        });
      };
      const onHang = async (): Promise<void> => {
        timer = setTimeout(
          () => abortAll(new AnswerTimeoutError('The language model did not begin to answer.')),
          hedgeAfterMs * (GIVE_UP_FACTOR - 1),
        );
        if (!call.mayHedge()) return;
        const lease = await slots.acquireSoon(tokens, signal);
        // The first may have answered or failed meanwhile.
        if (winner || running.size === 0) lease?.release({ kind: 'dropped' });
        else if (lease) begin(lease, true);
        else {
          // No slot for a second call: the hedge takes the slot of the first.
          const [hung] = running;
          const moved = first.move();
          hung?.abort(new SupersededError());
          begin(moved, true);
        }
      };
      timer = setTimeout(() => void onHang(), hedgeAfterMs);
      begin(first.lease, false);
    });
  } catch (error) {
    if (passedOn) call.onRestart?.();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    abortAll(new SupersededError());
  }
}

/** A lease that can be taken from its holder without being released. */
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

/** Weight of an observation in the running mean. */
const LEARNING_RATE = 0.3;
const MIN_OBSERVATIONS = 3;
/** Milliseconds that a model may take to read a prompt token before the call counts as hanging. */
const MS_PER_PROMPT_TOKEN = 0.1;

/** How long this model usually takes to its first token, and so when a call counts as hanging. */
export class FirstTokenLatency {
  private mean = 0;
  private observations = 0;

  /** @param baseMs wait for a short prompt while nothing is known */
  constructor(private readonly baseMs: number) {}

  /** Takes in the time to a first token, ms. */
  observe(ms: number): void {
    this.observations++;
    this.mean = this.observations === 1 ? ms : this.mean + LEARNING_RATE * (ms - this.mean);
  }

  /**
   * Milliseconds without a token after which a second call is worth its price. Never longer than 1.4 times the base, unless the model has
   * been seen to need it.
   */
  hedgeAfterMs(inputTokens: number): number {
    const base = Math.min(
      this.baseMs * 1.4,
      this.baseMs + Math.max(0, inputTokens - 8000) * MS_PER_PROMPT_TOKEN,
    );
    if (this.observations < MIN_OBSERVATIONS) return Math.max(base, this.mean * 3);
    if (this.mean * 3 > base) return this.mean * 3;
    return Math.min(base, Math.max(this.baseMs * 0.4, this.mean * 8));
  }
}
