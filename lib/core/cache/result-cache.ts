import { hash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { raceTimeout } from '../race-timeout.js';
import { printable } from '../text/index.js';
import { withContext, type CallOptions, type ToolContext } from '../tool-context.js';
import type { CacheStore } from './cache-store.js';
import { SingleFlight } from './single-flight.js';

/** A store that is slower than this is not waited for, ms. */
const STORE_TIMEOUT_MS = 100;

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
 * Results of one tool: looked up first, made once for equal requests in flight, kept when they succeed. Errors are not kept. A store
 * that fails or hangs costs the caller at most {@link STORE_TIMEOUT_MS} and a warning in the log, never the answer.
 */
export class ResultCache<T> {
  private readonly flights = new SingleFlight<Made<T>>();
  private readonly logger = new Logger('ToolsModule');

  /**
   * @param name part of every key, e.g. `summarize:1`; change the number when the shape of the results changes
   * @param store undefined: nothing is kept, equal requests in flight still share their work
   * @param worthKeeping false for a result that was made while something was failing: the next caller deserves a better one
   */
  constructor(
    private readonly name: string,
    private readonly store: CacheStore | undefined,
    private readonly ttlMs: number,
    private readonly worthKeeping: (value: T) => boolean,
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
    const key = `nestjs-tools:${this.name}:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
    const kept = await this.read(key);
    if (kept !== undefined) return { value: kept, cached: true, shared: false };
    const made = await withContext(deadlineMs, call, (context) =>
      this.flights.run(key, context, deadlineMs, async (flight) => {
        const value = await admitted(flight);
        if (this.worthKeeping(value)) await this.write(key, value);
        return { value, claimed: false };
      }),
    );
    const shared = made.claimed;
    made.claimed = true;
    return { value: made.value, cached: false, shared };
  }

  private async read(key: string): Promise<T | undefined> {
    const text = await this.attempt('read', (store) => store.get(key));
    if (typeof text !== 'string') return undefined;
    try {
      // A store is shared with others, and `null` is none of ours.
      return (JSON.parse(text) as T | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  private async write(key: string, value: T): Promise<void> {
    if (this.ttlMs > 0)
      await this.attempt('write', (store) => store.set(key, JSON.stringify(value), this.ttlMs));
  }

  private async attempt(what: string, call: (store: CacheStore) => unknown): Promise<unknown> {
    if (!this.store) return undefined;
    try {
      return await raceTimeout(call(this.store), STORE_TIMEOUT_MS);
    } catch (error) {
      const reason = printable(String(error));
      this.logger.warn(`The cache cannot be ${what === 'read' ? 'read' : 'written'}: ${reason}`);
      return undefined;
    }
  }
}
