import type { AttemptListener } from './call.js';
import { AnswerTimeoutError, SupersededError } from './errors.js';
import type { CallLease, CallSlots } from './limits.js';

/** A call without a first token is given up after this many times the wait for its hedge. */
const GIVE_UP_FACTOR = 6;

/** What a call that may be hedged needs to know. */
export interface HedgedCall<T> {
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
