import { raceAbort, withContext, type ProgressEvent, type Spent, type ToolContext } from '../context.js';

interface Crew {
  waiters: Set<ToolContext>;
  /** Bears the cost: who has waited longest, and when nobody waits any more, who left last. */
  payer: ToolContext;
}

interface Flight<T> extends Crew {
  result: Promise<T>;
  abort(reason: unknown): void;
}

/**
 * Equal work under way is done once: whoever comes while it runs waits for the same result. Counted by reference, so
 * that sharing and cancelling do not fight: one waiter that leaves costs the others nothing, and when the last has left the
 * work is aborted and forgotten. Results are not kept (that is a cache's), and neither are errors.
 */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /** Number of pieces of work under way. */
  get size(): number {
    return this.flights.size;
  }

  /**
   * @param key what makes two pieces of work equal
   * @param context of this waiter; its signal ends this wait, its progress is told of every step
   * @param deadlineMs of the shared work; the first waiter's counts, so it must not depend on one waiter's own deadline
   * @param work gets a context of its own, which lives until the last waiter has left
   */
  async run(
    key: string,
    context: ToolContext,
    deadlineMs: number,
    work: (context: ToolContext) => Promise<T>,
  ): Promise<T> {
    context.signal.throwIfAborted();
    const flight = this.flights.get(key) ?? this.start(key, context, deadlineMs, work);
    flight.waiters.add(context);
    try {
      return await raceAbort(flight.result, context.signal);
    } finally {
      flight.waiters.delete(context);
      [flight.payer = context] = flight.waiters;
      if (flight.waiters.size === 0) {
        this.forget(key, flight);
        flight.abort(context.signal.reason);
      }
    }
  }

  private start(
    key: string,
    first: ToolContext,
    deadlineMs: number,
    work: (context: ToolContext) => Promise<T>,
  ): Flight<T> {
    const controller = new AbortController();
    const { requestId, noCache, admit } = first;
    // From the beginning: the work tells its first step at once.
    const crew: Crew = { waiters: new Set([first]), payer: first };
    const onProgress = (event: ProgressEvent): void =>
      crew.waiters.forEach((waiter) => waiter.progress(event));
    const spend = (spent: Spent): void => crew.payer.spend?.(spent);
    const result = withContext(
      deadlineMs,
      { signal: controller.signal, onProgress, requestId, noCache, admit, spend },
      work,
    );
    const flight = Object.assign(crew, { result, abort: (reason: unknown) => controller.abort(reason) });
    this.flights.set(key, flight);
    const done = (): void => this.forget(key, flight);
    // Also keeps a failure that nobody waits for any more from becoming an unhandled rejection.
    result.then(done, done);
    return flight;
  }

  private forget(key: string, flight: Flight<T>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }
}
