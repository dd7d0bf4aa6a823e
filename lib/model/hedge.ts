import type { Fork, ToolContext } from '../core/context.js';
import type { AnswerTextListener } from './reasoning.js';
import { AnswerTimeoutError, SupersededError } from './errors.js';
import type { CallLease, CallSlots } from './limits.js';

/** A call without a first token is given up after this many times the wait for its hedge. */
const GIVE_UP_FACTOR = 6;

/** Events of an attempt while it runs. */
export interface AttemptListener extends AnswerTextListener {
  /** The first token has come, of the answer or of the model's reasoning. */
  onFirstToken(): void;
}

/** Input of a call that may be hedged. */
interface HedgedCall<T> {
  slots: CallSlots;
  /** Estimate of prompt and answer. */
  tokens: number;
  /** Time without a token after which the hedge starts, ms. */
  hedgeAfterMs: number;
  /** True for a call that was refused or has failed before: it goes before those that have not started. */
  isRepeated: boolean;
  context: ToolContext;
  /** Asked when the first attempt hangs. False: no hedge is sent. */
  mayHedge: () => boolean;
  onText?: (delta: string) => void;
  /** Called when the text that was passed on is no longer valid. */
  onRestart?: () => void;
  /** A child context for one attempt. */
  fork: () => Fork;
  /** Makes one attempt. It must release the lease, and end when its own context is aborted. */
  attempt: (own: Fork, lease: CallLease, listener: AttemptListener, isHedge: boolean) => Promise<T>;
}

/**
 * One call, and a second equal one next to it when the first hangs (a hedged request: Dean and Barroso, The Tail at Scale, 2013). The
 * first to produce a token wins; the other is aborted. Without a free slot the second takes the place of the first.
 *
 * @throws what the winning attempt throws, or the last of them; AnswerTimeoutError when none begins to answer; the context's reason
 */
export async function hedged<T>(call: HedgedCall<T>): Promise<T> {
  const { slots, tokens, hedgeAfterMs, context } = call;
  const first = movable(await slots.acquire(tokens, context.signal, call.isRepeated));
  const running = new Set<Fork>();
  let winner: Fork | undefined;
  let timer: NodeJS.Timeout | undefined;
  let passedOn = false;
  const abortAllBut = (kept: Fork | undefined, reason: Error): void =>
    running.forEach((one) => one !== kept && one.abort(reason));
  try {
    return await new Promise<T>((resolve, reject) => {
      const begin = (lease: CallLease, isHedge: boolean): void => {
        const own = call.fork();
        running.add(own);
        const listener = {
          onFirstToken: (): void => {
            winner = own;
            clearTimeout(timer);
            abortAllBut(own, new SupersededError());
          },
          onText: (delta: string): void => {
            passedOn = true;
            call.onText?.(delta);
          },
          onRestart: (): void => call.onRestart?.(),
        };
        call.attempt(own, lease, listener, isHedge).then(resolve, (error: unknown) => {
          running.delete(own);
          if (winner === own || running.size === 0) reject(error as Error);
        });
      };
      const onHang = async (): Promise<void> => {
        const silent = new AnswerTimeoutError('The language model did not begin to answer.');
        timer = setTimeout(() => abortAllBut(undefined, silent), hedgeAfterMs * (GIVE_UP_FACTOR - 1));
        if (!call.mayHedge()) return;
        const lease = await slots.acquireSoon(tokens, context);
        // The first may have answered or failed meanwhile.
        if (winner || running.size === 0) return lease?.release({});
        if (lease) return begin(lease, true);
        const [hung] = running;
        const moved = first.move();
        hung?.abort(new SupersededError());
        begin(moved, true);
      };
      timer = setTimeout(() => void onHang(), hedgeAfterMs);
      begin(first.lease, false);
    });
  } catch (error) {
    if (passedOn) call.onRestart?.();
    throw error;
  } finally {
    clearTimeout(timer);
    abortAllBut(undefined, new SupersededError());
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
