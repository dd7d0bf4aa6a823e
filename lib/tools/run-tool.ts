import {
  raceAbort,
  withContext,
  type CallOptions,
  type ToolContext,
  fork,
  type Admit,
  type Fork,
  callersOf,
  type AdmitCall,
  type Callers,
  type ProgressEvent,
} from '../core/context.js';
import { asCallers } from '../core/async.js';
import { ResultCache, type ResultCacheOptions } from '../core/cache.js';
import { withFailuresLogged, type Fallback } from '../core/failures.js';
import type { SharedState } from '../core/shared-state.js';
import type { ModelUsage } from '../core/usage.js';
import { harmlessResult } from '../text/clean-output.js';

/** A replica whose lease was not renewed for this long counts as dead; another one takes over its work, ms. */
const LEASE_TTL_MS = 5000;
/** How long a result is kept for replicas that wait for it, also where it is not cached, ms. */
const HANDOVER_TTL_MS = 10_000;

/** How the results of one tool are kept and shared. */
interface ToolRunnerOptions<T> extends ResultCacheOptions<T> {
  /** False for a result that was made while something was failing: the next caller deserves a better one. */
  shouldCache: (value: T) => boolean;
  /** True: the work makes its own result harmless, e.g. because code in it must stay as it is. Default false. */
  isHarmless?: boolean;
  /** What the replicas of the host share; undefined: nothing. */
  sharing?: Pick<SharedState, 'leases' | 'cache'>;
}

/** One validated request of a tool, ready to run. */
interface ToolWork<T> {
  /** Everything that the result depends on, as JSON. Requests with equal keys share work and results. */
  key: readonly unknown[];
  /** Time for the work, ms, unless the call says otherwise. */
  deadlineMs: number;
  run(context: ToolContext): Promise<T>;
}

/** A result, and whether this call paid for it. */
export interface ToolRun<T> {
  value: T;
  /** Made for an earlier request. */
  cached: boolean;
  /** Made together with an equal request at the same time, which bears the cost. */
  shared: boolean;
}

/** A result of shared work. The first waiter that takes it bears its cost. */
interface Made<T> {
  value: T;
  claimed: boolean;
}

/**
 * Runs the work of one tool: cache → deadline → single flight → lease → admission → work → cleaning → cache. It is the only owner of these steps,
 * for requests over HTTP, jobs, agents and injected services alike.
 *
 * Errors are neither cached nor handed to other replicas: the next replica tries itself.
 */
export class ToolRunner<T> {
  private readonly cache: ResultCache<T>;
  private readonly flights = new SingleFlight<Made<T>>();

  constructor(private readonly options: ToolRunnerOptions<T>) {
    this.cache = new ResultCache(options);
  }

  /**
   * @param call of this caller; its signal ends its wait only, while others wait for the same work
   * @throws what the work throws; UpstreamTimeoutError when the deadline passes; OverloadedError when admission is refused; the
   *   caller's own abort reason when it aborts
   */
  async run(work: ToolWork<T>, call: CallOptions): Promise<ToolRun<T>> {
    const run = (context: ToolContext): Promise<T> =>
      withFailuresLogged(context, async (own) => {
        const value = await work.run(own);
        return this.options.isHarmless ? value : harmlessResult(value);
      });
    const deadlineMs = call.deadlineMs ?? work.deadlineMs;
    if (call.noCache) return alone(await withContext(deadlineMs, call, admittedBy(call, run)));
    const key = this.cache.keyOf(work.key);
    const kept = await this.cache.read(key);
    if (kept !== undefined) return { value: kept, cached: true, shared: false };
    const make = async (context: ToolContext): Promise<T> => {
      const value = await run(context);
      if (this.options.shouldCache(value)) await this.cache.write(key, value);
      return value;
    };
    // Work with checkpoints can be suspended and continued in another process; its waiters would be suspended with it.
    if (call.checkpoints) return alone(await withContext(deadlineMs, call, admittedBy(call, make)));
    const made = await withContext(deadlineMs, call, (context) =>
      this.flights.run(key, context, call.admit, deadlineMs, (flight, whenAdmitted) =>
        this.makeOnce(key, flight.signal, () => whenAdmitted(() => make(flight))),
      ),
    );
    const shared = made.claimed;
    made.claimed = true;
    return { value: made.value, cached: false, shared };
  }

  /**
   * Makes a value in one replica only: under a lease, or by waiting for the replica that holds it. Takes over when that one fails, gives
   * up or dies.
   */
  private async makeOnce(key: string, signal: AbortSignal, make: () => Promise<T>): Promise<Made<T>> {
    const { sharing } = this.options;
    if (!sharing) return { value: await make(), claimed: false };
    const { leases, cache } = sharing;
    const handover = `${key}:handover`;
    for (;;) {
      const lease = await leases.acquire(key, LEASE_TTL_MS);
      if (lease) {
        try {
          signal.throwIfAborted();
          // Another replica may have made it between the look-up and the lease.
          const kept = await this.cache.read(key);
          if (kept !== undefined) return { value: kept, claimed: true };
          // Work that ignores its signal must not keep the lease from the others.
          const value = await raceAbort(make(), signal);
          await this.cache.writeTo(cache, handover, value, HANDOVER_TTL_MS);
          return { value, claimed: false };
        } finally {
          await lease.release();
        }
      }
      await leases.released(key, signal);
      signal.throwIfAborted();
      const handed = await this.cache.read(handover, cache);
      if (handed !== undefined) return { value: handed, claimed: true };
    }
  }
}

const alone = <T>(value: T): ToolRun<T> => ({ value, cached: false, shared: false });

/** Work of one caller, in that caller's own slot. */
function admittedBy<T>(
  { admit }: CallOptions,
  work: (context: ToolContext) => Promise<T>,
): (context: ToolContext) => Promise<T> {
  return (context) => (admit ? admit(context.signal, () => work(context)) : work(context));
}

/** One caller that waits for the result of a flight. */
interface Waiter {
  context: ToolContext;
  admit: Admit | undefined;
}

/** Runs `work` in the slot of the first waiter that is admitted. */
type WhenAdmitted = <R>(work: () => Promise<R>) => Promise<R>;

/**
 * Runs equal work once. Callers that come while it runs wait for the same result. Waiters are counted: one that leaves costs the others
 * nothing, and when the last one has left the work is aborted and forgotten. Results and errors are not kept.
 */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /** Number of flights under way. */
  get size(): number {
    return this.flights.size;
  }

  /**
   * @param key what makes two pieces of work equal
   * @param context of this caller: its signal ends its wait, its `progress` receives every step
   * @param admit the caller's place in the queue; undefined: work starts at once
   * @param deadlineMs time for the shared work, ms; the first caller's counts
   * @param work gets a context of its own, which lives until the last waiter has left, and `whenAdmitted`
   * @throws what `work` throws; the reason of the caller's own signal; the refusal of admission when every waiter is refused
   */
  async run(
    key: string,
    context: ToolContext,
    admit: Admit | undefined,
    deadlineMs: number,
    work: (context: ToolContext, whenAdmitted: WhenAdmitted) => Promise<T>,
  ): Promise<T> {
    context.signal.throwIfAborted();
    const waiter: Waiter = { context, admit };
    let flight = this.flights.get(key);
    if (flight) flight.join(waiter);
    else {
      flight = new Flight(waiter, deadlineMs, work);
      this.flights.set(key, flight);
      const forget = (): void => this.forget(key, flight!);
      // Also keeps a failure that nobody waits for any more from becoming an unhandled rejection.
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

/** One piece of shared work. */
class Flight<T> {
  readonly result: Promise<T>;
  private readonly waiters: Set<Waiter>;
  private readonly controller = new AbortController();
  /** Bears the cost: the waiter that has waited longest; when all have left, the one that left last. */
  private payer: Waiter;
  /** Asks for a slot in the place of a waiter. Undefined while none is needed. */
  private askFor?: (waiter: Waiter) => void;

  constructor(
    first: Waiter,
    deadlineMs: number,
    work: (context: ToolContext, whenAdmitted: WhenAdmitted) => Promise<T>,
  ) {
    this.waiters = new Set([first]);
    this.payer = first;
    const { requestId, noCache, inJob } = first.context;
    const onProgress = (event: ProgressEvent): void =>
      this.waiters.forEach(({ context }) => context.progress(event));
    const fellBack = (fallback: Fallback): void =>
      this.waiters.forEach(({ context }) => context.fellBack?.(fallback));
    const onFallback = first.context.fellBack && fellBack;
    const spend = (spent: ModelUsage): void => this.payer.context.spend?.(spent);
    const admitCall: AdmitCall = (estimate, signal) => this.admitCall(estimate, signal);
    const call = {
      signal: this.controller.signal,
      onProgress,
      onFallback,
      requestId,
      noCache,
      inJob,
      spend,
      admitCall,
    };
    const callers = (): Callers => this.callers();
    this.result = asCallers(callers, () =>
      withContext(deadlineMs, call, (context) =>
        work({ ...context, callers }, (admitted) => this.whenAdmitted(context.signal, admitted)),
      ),
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
   * Every waiter asks for a slot in its own place of the queue, and the first slot counts: a caller with room must not wait because
   * another caller, who asked for the same a moment earlier, has used up its share.
   *
   * @throws the last refusal, when every waiter was refused
   */
  private whenAdmitted<R>(signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
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
