import { callersOf, withFork, type ToolContext } from '../context.js';
import { CircuitOpenError, ToolsError } from '../errors.js';
import { backOffMs } from './retry.js';

/** `half_open`: the rest is over. One call of each caller is let through to test the upstream. */
type CircuitState = 'closed' | 'open' | 'half_open';

/** What an error tells about the upstream: it fails every call, it has failed, it is up, or nothing. */
export type Verdict = 'down' | 'failed' | 'there' | 'nothing';

/** How a breaker decides. Everything is optional. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open it. Default 5. */
  failures?: number;
  /** First rest, ms; doubles with each failed test, less up to 25 % jitter. Default 5,000. */
  openMs?: number;
  /** Longest rest, ms, also where an upstream asks for longer. Default 30,000. */
  maxOpenMs?: number;
  /**
   * Share of its remaining time that a call waits for the test that another call of its caller makes, 0..1. Default 0: it fails at once, because another upstream
   * may answer.
   */
  patience?: number;
}

/** The call that asks: when it ends, how long it may take, and for whom it is made. */
type Call = Pick<ToolContext, 'signal' | 'remainingMs' | 'callers'>;

/**
 * A circuit breaker for one upstream, to be put around its retries: `breaker.run(context, () => withRetry(…))`, so that a call with its retries
 * counts once.
 *
 * Two rules keep one caller from taking the upstream from others:
 * - A call that its caller has ended, by leaving or by its deadline, says nothing about the upstream. Only the upstream's own time limit and its
 *   errors count. Give it the context whose end is the caller's.
 * - Failures of one caller's calls open it for that caller only. Calls of others still ask, and the first of them that fails opens it for all.
 *   An upstream that names a time to wait, or that fails every call, is left alone by all at once.
 *
 * Own code rather than cockatiel (1 MB), which knows neither callers nor a rest that the failure names.
 */
export class CircuitBreaker {
  private readonly failuresAllowed: number;
  private readonly openMs: number;
  private readonly maxOpenMs: number;
  private readonly patience: number;

  private current: CircuitState = 'closed';
  private failures = 0;
  /** Whose calls have failed in a row. */
  private readonly failing = new Set<string>();
  /** The only caller that an open breaker keeps out; undefined: it keeps out all. */
  private openFor: string | undefined;
  private openUntil = 0;
  /** The tests of a half-open breaker by caller. */
  private readonly tests = new Map<string, { until: number; ended: Promise<void> }>();
  private failedTests = 0;
  private lastFailure?: ToolsError;
  /** Counts the changes: what began before one says nothing about the time after it. */
  private epoch = 0;

  constructor(
    private readonly upstream: string,
    options: CircuitBreakerOptions = {},
  ) {
    this.failuresAllowed = options.failures ?? 5;
    this.maxOpenMs = options.maxOpenMs ?? 30_000;
    this.openMs = Math.min(options.openMs ?? 5000, this.maxOpenMs);
    this.patience = options.patience ?? 0;
  }

  /** The state that a call would meet now. */
  get state(): CircuitState {
    return this.current === 'open' && performance.now() >= this.openUntil ? 'half_open' : this.current;
  }

  /**
   * Does `work` unless the upstream rests.
   *
   * @param call the context of the caller, without the upstream's own time limit
   * @param verdict what an error says about the upstream, unless the caller has ended the call
   * @throws CircuitOpenError; what `work` throws; the call's reason when it ends while it waits for a test
   */
  async run<T>(call: Call, work: () => Promise<T>, verdict = verdictOf): Promise<T> {
    const [caller] = callersOf(call);
    const until = performance.now() + call.remainingMs() * this.patience;
    for (let test; (test = this.tests.get(caller)) && performance.now() < until;) {
      const { ended } = test;
      await withFork(call, { ms: until - performance.now() }, () => ended).catch(() =>
        call.signal.throwIfAborted(),
      );
    }
    // No `await` from here on, or several calls of a caller would be its test.
    const isTest = this.admit(caller);
    const answer = this.judged(call, caller, work, verdict);
    if (isTest) {
      const ended = answer.then(ignore, ignore).then(() => {
        if (this.tests.get(caller) === test) this.tests.delete(caller);
      });
      const test = { until: performance.now() + this.maxOpenMs, ended };
      this.tests.set(caller, test);
    }
    return answer;
  }

  /** Lets a call pass, and says whether it is a test. @throws CircuitOpenError */
  private admit(caller: string): boolean {
    const { state } = this;
    const isOthers = state === 'open' && this.openFor !== undefined && this.openFor !== caller;
    if (state === 'closed' || isOthers) return false;
    const free = state === 'open' ? this.openUntil : this.tests.get(caller)?.until;
    const rest = (free ?? 0) - performance.now();
    if (rest > 0)
      throw new CircuitOpenError(`${this.upstream} has failed and is not asked for a while.`, {
        retryAfterSeconds: rest / 1000,
        shouldRetry: this.lastFailure?.shouldRetry,
        upstream: this.lastFailure?.upstream,
      });
    if (this.current === 'open') this.change('half_open');
    return true;
  }

  private async judged<T>(
    { signal }: Call,
    caller: string,
    work: () => Promise<T>,
    verdictOn: (error: unknown) => Verdict,
  ): Promise<T> {
    const { epoch } = this;
    try {
      const result = await work();
      if (epoch === this.epoch) this.close();
      return result;
    } catch (error) {
      const verdict = signal.aborted ? 'nothing' : verdictOn(error);
      if (epoch === this.epoch && verdict === 'there') this.close();
      if (epoch === this.epoch && (verdict === 'failed' || verdict === 'down'))
        this.failed(caller, error, verdict === 'down');
      throw error;
    }
  }

  private failed(caller: string, error: unknown, isDown: boolean): void {
    this.failures++;
    this.failing.add(caller);
    const known = ToolsError.isInstance(error) ? error : undefined;
    this.lastFailure = known;
    const asked = (known?.retryAfterSeconds ?? 0) * 1000;
    const isForAll = isDown || asked > 0;
    if (this.current === 'closed' && this.failures < this.failuresAllowed && !isForAll) return;
    if (this.current === 'half_open') this.failedTests++;
    const rest = asked > 0 ? asked : backOffMs(this.openMs, this.failedTests + 1, Infinity);
    this.openUntil = performance.now() + Math.min(this.maxOpenMs, rest);
    this.openFor = isForAll || this.failing.size > 1 ? undefined : caller;
    this.change('open');
  }

  private close(): void {
    this.failures = 0;
    this.failedTests = 0;
    this.failing.clear();
    if (this.current !== 'closed') this.change('closed');
  }

  private change(state: CircuitState): void {
    this.epoch++;
    this.current = state;
    this.tests.clear();
    // Whether an upstream is back is asked anew: the first call that fails keeps out its own caller only.
    if (state === 'half_open') this.failing.clear();
  }
}

const ignore = (): void => undefined;

/**
 * The usual verdict. Errors of the tools with a 5xx from 502 on are failures (no connection, the upstream's own time limit, 5xx, unreadable).
 * Other errors of the tools show that the upstream is there. Any other error is a defect or an abort, and says nothing.
 */
export function verdictOf(error: unknown): Verdict {
  if (!ToolsError.isInstance(error)) return 'nothing';
  return error.getStatus() < 502 ? 'there' : 'failed';
}
