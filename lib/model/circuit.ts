import { ToolsError, upstreamFaults, UpstreamTimeoutError } from '../core/errors.js';
import type { UpstreamHealth } from '../core/health.js';
import { raceTimeout } from '../core/async.js';
import { raceAbort, type ToolContext } from '../core/context.js';
import { CircuitBreaker, CircuitOpenError, type Verdict } from '../core/upstream/circuit-breaker.js';
import { isAboutOneRequest, ModelRateLimitedError, StalledAnswerError } from './errors.js';
import type { ResolvedModelOptions } from './options.js';
import type { CallRetries } from './retries.js';

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
    const late = raceTimeout(this.probe, until - performance.now());
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

  /** What a failed call says about the model; `failed` only for errors of the tools. */
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
