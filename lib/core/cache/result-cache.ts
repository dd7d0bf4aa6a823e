import { hash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { isThenable, raceTimeout } from '../async.js';
import type { SharedState } from '../shared-state.js';
import { printable } from '../text/printable.js';
import { raceAbort, withContext, type CallOptions, type ToolContext } from '../context.js';
import type { CacheStore } from '../cache-store.js';
import type { KeptResult } from './kept-result.js';
import { SingleFlight } from './single-flight.js';

/** A store that is slower than this is not waited for, ms. */
const STORE_TIMEOUT_MS = 100;
/** So long after the death of its owner a piece of work is taken over by another replica, ms. */
const LEASE_TTL_MS = 5000;
/** So long a result is there for the replicas that waited for it, whether it is kept or not, ms. */
const HANDOVER_TTL_MS = 10_000;

/** A result, and whether this request is the one that it was made for. */
export interface Cached<T> {
  value: T;
  /** Made for a request some time before. */
  cached: boolean;
  /** Made together with an equal request at the same time, which has got it first and bears its cost. */
  shared: boolean;
}

/** What a flight brings: the first waiter that gets it bears its cost. */
interface Made<T> {
  value: T;
  claimed: boolean;
}

/**
 * Results of one tool: looked up first, made once for equal requests in flight (in this process, and over all replicas where they share
 * leases), kept when they succeed. Errors are not kept, and not shared with other replicas: the next of them takes over. A store that fails or hangs costs the caller at most {@link STORE_TIMEOUT_MS} and a warning in the log, never the answer.
 */
export class ResultCache<T> {
  private readonly flights = new SingleFlight<Made<T>>();
  private readonly logger = new Logger('ToolsModule');

  /**
   * @param name part of every key, e.g. `summarize:1`; change the number when the shape of the results changes
   * @param store undefined: nothing is kept, equal requests in flight still share their work
   * @param sharing undefined: replicas know nothing of each other's work
   * @param worthKeeping false for a result that was made while something was failing: the next caller deserves a better one
   */
  constructor(
    private readonly name: string,
    private readonly store: CacheStore | undefined,
    private readonly ttlMs: number,
    private readonly worthKeeping: (value: T) => boolean,
    private readonly sharing?: Pick<SharedState, 'leases' | 'cache'>,
  ) {}

  /**
   * A kept result is returned before there is a context: it needs neither deadline nor signal, and most requests for one end here.
   *
   * @param parts everything that the result depends on
   * @param deadlineMs of this request from where nothing was kept, and of the work, which may outlive one waiter
   * @throws what `work` throws; UpstreamTimeoutError when the deadline passes; the caller's own abort reason when it aborts
   */
  async get(
    parts: readonly unknown[],
    call: CallOptions,
    deadlineMs: number,
    work: (context: ToolContext) => Promise<T>,
  ): Promise<Cached<T>> {
    // Who has been let in once is not asked again by a cache further down, or a full house would wait for itself.
    const admitted = (own: ToolContext): Promise<T> =>
      own.admit ? own.admit(own.signal, () => work({ ...own, admit: undefined })) : work(own);
    if (call.noCache)
      return { value: await withContext(deadlineMs, call, admitted), cached: false, shared: false };
    const key = this.keyOf(parts);
    const kept = await this.read(this.store, key);
    if (kept !== undefined) return { value: kept, cached: true, shared: false };
    const make = async (context: ToolContext): Promise<T> => {
      const value = await admitted(context);
      if (this.worthKeeping(value) && this.ttlMs > 0) await this.write(this.store, key, value, this.ttlMs);
      return value;
    };
    // Work with a journal may be set aside and begun again elsewhere: who waited for it would be set aside with it.
    if (call.journal)
      return { value: await withContext(deadlineMs, call, make), cached: false, shared: false };
    const made = await withContext(deadlineMs, call, (context) =>
      this.flights.run(key, context, deadlineMs, (flight) =>
        this.sharing
          ? this.makeOnce(key, flight.signal, () => make(flight), this.sharing)
          : make(flight).then((value) => ({ value, claimed: false })),
      ),
    );
    const shared = made.claimed;
    made.claimed = true;
    return { value: made.value, cached: false, shared };
  }

  /**
   * What is kept for these parts, to be asked time and again. As with {@link get} a store that fails costs nobody the answer.
   */
  kept(parts: readonly unknown[]): KeptResult<T> {
    const { store } = this;
    const key = this.keyOf(parts);
    return {
      text: () => {
        try {
          const text = store?.immediate ? store.get(key) : undefined;
          // A store that is wrapped may promise after all; a promise that fails unheard would end the host.
          if (isThenable(text)) text.then(undefined, () => undefined);
          return typeof text === 'string' ? text : undefined;
        } catch {
          // The long way asks once more, and tells of it.
          return undefined;
        }
      },
      parse: (text) => this.parsed(text),
    };
  }

  private keyOf(parts: readonly unknown[]): string {
    return `nestjs-tools:${this.name}:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
  }

  /** Does the work under a lease, or waits for the replica that has it; takes over when that one fails, leaves or dies. */
  private async makeOnce(
    key: string,
    signal: AbortSignal,
    make: () => Promise<T>,
    { leases, cache }: Pick<SharedState, 'leases' | 'cache'>,
  ): Promise<Made<T>> {
    const handover = `${key}:handover`;
    for (;;) {
      const lease = await leases.acquire(key, LEASE_TTL_MS);
      if (lease) {
        try {
          signal.throwIfAborted();
          // Made by another between the look-up and the lease.
          const kept = await this.read(this.store, key);
          if (kept !== undefined) return { value: kept, claimed: true };
          // What does not listen to its signal must not keep the lease from the others.
          const value = await raceAbort(make(), signal);
          // Who waited gets it even where it is not kept, as those do who waited in this process.
          if (await lease.awaited()) await this.write(cache, handover, value, HANDOVER_TTL_MS);
          return { value, claimed: false };
        } finally {
          await lease.release();
        }
      }
      await leases.released(key, signal);
      signal.throwIfAborted();
      const handed = await this.read(cache, handover);
      if (handed !== undefined) return { value: handed, claimed: true };
    }
  }

  private async read(store: CacheStore | undefined, key: string): Promise<T | undefined> {
    const text = await this.attempt('read', () => store?.get(key));
    return typeof text === 'string' ? this.parsed(text) : undefined;
  }

  private parsed(text: string): T | undefined {
    try {
      // A store is shared with others, and `null` is none of ours.
      return (JSON.parse(text) as T | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  private async write(store: CacheStore | undefined, key: string, value: T, ttlMs: number): Promise<void> {
    await this.attempt('written', () => store?.set(key, JSON.stringify(value), ttlMs));
  }

  private async attempt(what: 'read' | 'written', call: () => unknown): Promise<unknown> {
    try {
      return await raceTimeout(call(), STORE_TIMEOUT_MS);
    } catch (error) {
      this.logger.warn(`The cache cannot be ${what}: ${printable(String(error))}`);
      return undefined;
    }
  }
}
