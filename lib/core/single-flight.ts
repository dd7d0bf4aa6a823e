import { computeFor } from './async.js';
import {
  callersOf,
  fork,
  raceAbort,
  withContext,
  type Admit,
  type Callers,
  type CallOptions,
  type Fork,
  type ToolContext,
} from './context.js';
import type { ModelUsage } from './usage.js';

interface Waiter {
  context: ToolContext;
  admit: Admit | undefined;
}

/**
 * Runs equal work once. Callers that come while it runs wait for the same result. Waiters are counted: one that leaves costs the others
 * nothing, and when the last one has left the work is aborted and forgotten. Results and errors are not stored.
 */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /**
   * @param key what makes two pieces of work equal
   * @param context of this caller: its signal ends its wait, its `progress` receives every step
   * @param admit the caller's place in the queue; the work starts in the slot of the first waiter that is admitted. Undefined: at once
   * @param deadlineMs time for the shared work, ms; the first caller's counts
   * @param work gets a context of its own, which lives until the last waiter has left
   * @throws what `work` throws; the reason of the caller's own signal; the refusal of admission when every waiter is refused
   */
  async run(
    key: string,
    context: ToolContext,
    admit: Admit | undefined,
    deadlineMs: number,
    work: (context: ToolContext) => Promise<T>,
  ): Promise<T> {
    context.signal.throwIfAborted();
    const waiter: Waiter = { context, admit };
    let flight = this.flights.get(key);
    if (flight) flight.join(waiter);
    else {
      flight = new Flight(waiter, deadlineMs, work);
      this.flights.set(key, flight);
      const forget = (): void => this.forget(key, flight!);
      // Handles a failure for which nobody waits any more: it would be an unhandled rejection.
      flight.result.then(forget, forget);
    }
    try {
      return await raceAbort(flight.result, context.signal);
    } finally {
      if (flight.leave(waiter)) this.forget(key, flight);
    }
  }

  private forget(key: string, flight: Flight<T>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }
}

class Flight<T> {
  readonly result: Promise<T>;
  private readonly waiters: Set<Waiter>;
  private readonly controller = new AbortController();
  /** Bears the cost: the waiter that has waited longest; when all have left, the one that left last. */
  private payer: Waiter;
  /** Asks for a slot in the place of a waiter. Undefined while none is needed. */
  private askFor?: (waiter: Waiter) => void;

  constructor(first: Waiter, deadlineMs: number, work: (context: ToolContext) => Promise<T>) {
    this.waiters = new Set([first]);
    this.payer = first;
    const { requestId, noCache, inJob, checkpoint, fellBack } = first.context;
    const tell = (report: (context: ToolContext) => void): void =>
      this.waiters.forEach(({ context }) => report(context));
    const call: CallOptions = {
      signal: this.controller.signal,
      onProgress: (event) => tell((context) => context.progress(event)),
      onFallback: fellBack && ((fallback) => tell((context) => context.fellBack?.(fallback))),
      spend: (spent) => this.payer.context.spend?.(spent),
      admitCall: (estimate, signal) => this.admitCall(estimate, signal),
      requestId,
      noCache,
      inJob,
      checkpoint,
    };
    computeFor(() => this.callers(), this.controller.signal);
    this.result = withContext(deadlineMs, call, (context) =>
      this.whenAdmitted(context.signal, () => work(context)),
    );
  }

  private callers(): Callers {
    const [first] = callersOf(this.payer.context);
    return [first, ...[...this.waiters].flatMap(({ context }) => callersOf(context))];
  }

  join(waiter: Waiter): void {
    this.waiters.add(waiter);
    this.askFor?.(waiter);
  }

  /** Lets a model call begin at the cost of the first waiter whose budget allows it. @throws the last refusal */
  private async admitCall(estimate: ModelUsage, signal: AbortSignal): Promise<() => void> {
    let refusal: unknown;
    for (const waiter of new Set([this.payer, ...this.waiters])) {
      try {
        const ended = await waiter.context.admitCall?.(estimate, signal);
        this.payer = waiter;
        return ended ?? (() => undefined);
      } catch (error) {
        signal.throwIfAborted();
        refusal = error;
      }
    }
    throw refusal;
  }

  /** Returns whether nobody is left. */
  leave(waiter: Waiter): boolean {
    this.waiters.delete(waiter);
    [this.payer = waiter] = this.waiters;
    if (this.waiters.size > 0) return false;
    this.controller.abort(waiter.context.signal.reason);
    return true;
  }

  /**
   * Every waiter asks for a slot in its own place of the queue, and the first slot counts: a caller with a free slot must not wait because
   * another caller, who asked for the same a moment earlier, has used up its share.
   *
   * @throws the last refusal, when every waiter was refused
   */
  private whenAdmitted(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const places = new Set<Fork>();
      const withdraw = (): void => {
        for (const place of places) place.abort(new Error('No slot is needed any more.'));
      };
      const begin = async (): Promise<void> => {
        if (!this.askFor) return;
        this.askFor = undefined;
        signal.removeEventListener('abort', withdraw);
        const working = work().then(resolve, reject);
        withdraw();
        await working;
      };
      this.askFor = ({ context, admit }) => {
        if (!admit) return void begin();
        const place = fork(context);
        places.add(place);
        admit(place.context.signal, begin)
          .catch((error: unknown) => {
            if (places.size === 1 && this.askFor) reject(error);
          })
          .finally(() => {
            places.delete(place);
            place.dispose();
          });
      };
      signal.addEventListener('abort', withdraw, { once: true });
      for (const waiter of this.waiters) this.askFor?.(waiter);
    });
  }
}
