import { AnswerTimeoutError, type AttemptListener } from './attempt.js';
import type { CallLease } from './call-limiter.js';
import type { CallRoom } from './call-room.js';
import { SupersededError } from './model-errors.js';

/** A call without a first token is given up after so many times the wait for its second try. */
const GIVE_UP_FACTOR = 6;

/** What a call with a second one beside it needs to know. */
export interface HedgedCall<T> {
  room: CallRoom;
  /** Estimate of prompt and answer. */
  tokens: number;
  /** Time without a token after which the second call is begun, ms. */
  hedgeAfterMs: number;
  /** True for a call that was refused or has failed before: it goes before those that have not begun. */
  again: boolean;
  signal: AbortSignal;
  /** Asked when the first hangs; false: it is waited for alone. */
  mayHedge: () => boolean;
  onText?: (delta: string) => void;
  /** Called when text was passed on that does not count any more. */
  onRestart?: () => void;
  /** Makes one call; must give the lease back, and end when the controller aborts. */
  attempt: (
    controller: AbortController,
    lease: CallLease,
    listener: AttemptListener,
    hedge: boolean,
  ) => Promise<T>;
}

/**
 * One call, and a second equal one beside it when the first hangs (a hedged request: Dean and Barroso, The Tail at Scale, 2013);
 * whichever speaks first is heard out.
 *
 * @throws what the attempt throws that was heard, or the last of them; AnswerTimeoutError when none begins to answer; the signal's reason
 */
export async function hedged<T>(call: HedgedCall<T>): Promise<T> {
  const { room, tokens, hedgeAfterMs, signal } = call;
  const first = movable(await room.acquire(tokens, signal, call.again));
  const running = new Set<AbortController>();
  let speaker: AbortController | undefined;
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
            speaker = controller;
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
          if (speaker === controller || running.size === 0) reject(error as Error);
        });
      };
      const onHang = async (): Promise<void> => {
        timer = setTimeout(
          () => abortAll(new AnswerTimeoutError('The language model did not begin to answer.')),
          hedgeAfterMs * (GIVE_UP_FACTOR - 1),
        );
        if (!call.mayHedge()) return;
        const lease = await room.acquireSoon(tokens, signal);
        // The first may have spoken or failed meanwhile.
        if (speaker || running.size === 0) lease?.release({ kind: 'dropped' });
        else if (lease) begin(lease, true);
        else {
          // No room for a second call beside it: the first makes room for the second.
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
