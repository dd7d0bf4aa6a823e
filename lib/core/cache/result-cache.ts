import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { ToolContext } from '../tool-context.js';
import type { CacheStore } from './cache-store.js';
import { SingleFlight } from './single-flight.js';

/** A store that is slower than this is not waited for, ms. */
const STORE_TIMEOUT_MS = 100;

/** Whether the work was done for this request, or some time before. */
export interface Cached<T> {
  value: T;
  cached: boolean;
}

/**
 * Results of one tool: looked up first, made once for equal requests in flight, kept when they succeed. Errors are not kept. A store
 * that fails or hangs costs the caller at most {@link STORE_TIMEOUT_MS} and a warning in the log, never the answer.
 */
export class ResultCache<T> {
  private readonly flights = new SingleFlight<T>();
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
   * @param parts everything that the result depends on
   * @param deadlineMs of the work, which may outlive one waiter
   */
  async get(
    parts: readonly unknown[],
    context: ToolContext,
    deadlineMs: number,
    work: (context: ToolContext) => Promise<T>,
  ): Promise<Cached<T>> {
    if (context.noCache) return { value: await work(context), cached: false };
    const key = `nestjs-tools:${this.name}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
    const kept = await this.read(key);
    if (kept !== undefined) return { value: kept, cached: true };
    const value = await this.flights.run(key, context, deadlineMs, async (flight) => {
      const made = await work(flight);
      if (this.worthKeeping(made)) await this.write(key, made);
      return made;
    });
    return { value, cached: false };
  }

  private async read(key: string): Promise<T | undefined> {
    const text = await this.attempt('read', (store) => store.get(key));
    if (typeof text !== 'string') return undefined;
    try {
      return JSON.parse(text) as T;
    } catch {
      return undefined;
    }
  }

  private async write(key: string, value: T): Promise<void> {
    if (this.ttlMs > 0)
      await this.attempt('write', (store) => store.set(key, JSON.stringify(value), this.ttlMs));
  }

  private async attempt(what: string, call: (store: CacheStore) => Promise<unknown>): Promise<unknown> {
    if (!this.store) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no answer within ${STORE_TIMEOUT_MS} ms`)),
        STORE_TIMEOUT_MS,
      );
    });
    try {
      return await Promise.race([call(this.store), late]);
    } catch (error) {
      this.logger.warn(`The cache cannot be ${what === 'read' ? 'read' : 'written'}: ${String(error)}`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
