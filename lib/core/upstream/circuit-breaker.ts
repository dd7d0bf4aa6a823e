import { callersOf, type ToolContext } from '../context.js';
import { CircuitOpenError, ToolsError } from '../errors.js';
import { backOffMs } from './retry.js';

/** What an error tells about the upstream: it fails every call, it has failed, it is up, or nothing. */
export type CallVerdict = 'down' | 'failed' | 'there' | 'nothing';

/** Failures in a row that open a breaker; set by hand. */
const FAILURES = 5;
/** First rest, ms; doubles each time that the call after it fails too, less up to 25 % jitter; set by hand. */
const FIRST_REST_MS = 5000;

/**
 * A circuit breaker for one upstream, to be put around its retries: `breaker.run(context, () => withRetry(…))`, so that a call with its retries
 * counts once. After a rest calls go through again: the first that fails begins a longer rest, the first that succeeds closes the breaker.
 *
 * Two rules keep one caller from taking the upstream from others:
 * - A call that its caller has ended, by leaving or by its deadline, says nothing about the upstream. Only the upstream's own time limit and its
 *   errors count. Give it the context whose end is the caller's.
 * - Failures of one caller's calls open it for that caller only. Calls of others still ask, and the first of them that fails opens it for all.
 *   An upstream that names a time to wait, or that fails every call, is left alone by all at once.
 */
export class CircuitBreaker {
  private failures = 0;
  private readonly failing = new Set<string>();
  /** Rests since the last success. */
  private rests = 0;
  private openUntil = 0;
  /** The only caller that an open breaker keeps out; undefined: it keeps out all. */
  private openFor: string | undefined;
  private lastFailure?: ToolsError;
  /** Counts the changes: what began before one says nothing about the time after it. */
  private epoch = 0;

  /** @param longestRestMs also where an upstream asks for longer */
  constructor(
    private readonly upstream: string,
    private readonly longestRestMs = 30_000,
  ) {}

  get isOpen(): boolean {
    return performance.now() < this.openUntil;
  }

  /**
   * Does `work` unless the upstream rests.
   *
   * @param call the context of the caller, without the upstream's own time limit
   * @param verdictOn what an error says about the upstream, unless the caller has ended the call
   * @throws CircuitOpenError; what `work` throws
   */
  async run<T>(
    call: Pick<ToolContext, 'signal' | 'callers'>,
    work: () => Promise<T>,
    verdictOn = verdictOf,
  ): Promise<T> {
    const [caller] = callersOf(call);
    if (this.isOpen && (this.openFor ?? caller) === caller)
      throw new CircuitOpenError(`${this.upstream} has failed and is not asked for a while.`, {
        retryAfterSeconds: (this.openUntil - performance.now()) / 1000,
        shouldRetry: this.lastFailure?.shouldRetry,
        upstream: this.lastFailure?.upstream,
      });
    const { epoch } = this;
    try {
      const result = await work();
      if (epoch === this.epoch) this.close();
      return result;
    } catch (error) {
      const verdict = call.signal.aborted || epoch !== this.epoch ? 'nothing' : verdictOn(error);
      if (verdict === 'there') this.close();
      else if (verdict !== 'nothing') this.failed(caller, error, verdict === 'down');
      throw error;
    }
  }

  private failed(caller: string, error: unknown, isDown: boolean): void {
    this.failures++;
    this.failing.add(caller);
    this.lastFailure = ToolsError.isInstance(error) ? error : undefined;
    const askedMs = (this.lastFailure?.retryAfterSeconds ?? 0) * 1000;
    const isForAll = isDown || askedMs > 0;
    if (this.rests === 0 && this.failures < FAILURES && !isForAll) return;
    this.rests++;
    const restMs = askedMs || backOffMs(FIRST_REST_MS, this.rests, Infinity);
    this.openUntil = performance.now() + Math.min(this.longestRestMs, restMs);
    this.openFor = isForAll || this.failing.size > 1 ? undefined : caller;
    // Whether an upstream is back is asked anew: the first call that fails then keeps out its own caller only.
    if (this.openFor === undefined) this.failing.clear();
    this.epoch++;
  }

  private close(): void {
    if (this.openUntil > 0) this.epoch++;
    this.failures = 0;
    this.rests = 0;
    this.openUntil = 0;
    this.failing.clear();
  }
}

/**
 * The usual verdict. Errors of the tools with a 5xx from 502 on are failures (no connection, the upstream's own time limit, 5xx, unreadable).
 * Other errors of the tools show that the upstream is there. Any other error is a defect or an abort, and says nothing.
 */
export function verdictOf(error: unknown): CallVerdict {
  if (!ToolsError.isInstance(error)) return 'nothing';
  return error.getStatus() < 502 ? 'there' : 'failed';
}
