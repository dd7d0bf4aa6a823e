import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { raceTimeout } from '../core/async.js';
import { reasonOf } from '../core/errors.js';
import { logSideFailure } from '../core/failures.js';
import type { SharingHealth } from '../core/shared-state.js';

/** Start-up waits this long for the first connection, ms; a plain bound. */
const CONNECT_TIMEOUT_MS = 1000;
/** Wait between two probes while Redis is down, ms; set by hand. */
const PROBE_MS = 500;
/** Refusals (out of memory, no permission) are logged at most this often, ms; set by hand. */
const REFUSAL_MS = 60_000;
const CONNECTION_LOST = 'connection lost';

/** Runs a script in one step on the server. */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/**
 * A Lua script that is sent once and then named by its hash.
 * @param name unique on the connection
 */
export function scriptOn(redis: Redis, name: string, numberOfKeys: number, lua: string): Script {
  redis.defineCommand(name, { numberOfKeys, lua });
  const commands = redis as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return (keys, args) => commands[name]!(...keys, ...args);
}

/**
 * Access to Redis. A command that takes too long, or finds no connection, is given up. From then on no request asks: a timer finds out
 * when Redis is back. The upstreams' circuit breaker is no use here, because it sends a request to find out.
 */
export class RedisAccess {
  private readonly logger = new Logger('ToolsModule');
  private down: { since: Date; reason: string } | undefined = {
    since: new Date(),
    reason: 'not connected yet',
  };
  private connectionError = CONNECTION_LOST;
  private refusedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param redis to send commands with, inside of {@link run} only
   */
  constructor(
    readonly redis: Redis,
    private readonly timeoutMs: number,
  ) {
    redis.on('error', (error: Error) => {
      this.connectionError = reasonOf(error);
      if (this.down) this.down.reason = this.connectionError;
    });
    redis.on('close', () => this.markDown(this.connectionError));
    redis.on('ready', () => (this.connectionError = CONNECTION_LOST));
  }

  /** Connects; resolves when that is done, or is taking too long to wait for. Goes on trying. Never rejects. */
  async start(): Promise<void> {
    await raceTimeout(this.redis.connect(), CONNECT_TIMEOUT_MS).catch(() => undefined);
    await this.probe();
    if (this.down) this.warn(this.down.reason);
  }

  /** The answer of Redis, or the one to use without it. An error that Redis answers costs this one command only. */
  async run<T, U = undefined>(ask: () => Promise<T>, otherwise?: () => U | Promise<U>): Promise<T | U> {
    if (this.down) return otherwise?.() as U;
    try {
      return await raceTimeout(ask(), this.timeoutMs);
    } catch (error) {
      if ((error as Error).name === 'ReplyError') this.onRefusal(error);
      else this.markDown(this.redis.status === 'ready' ? reasonOf(error as Error) : this.connectionError);
      return otherwise?.() as U;
    }
  }

  /**
   * Sends a command three times within `ttlMs`, so that what it renews does not expire. Ends by itself when Redis answers 0.
   * @returns ends it
   */
  renew(ask: () => Promise<unknown>, ttlMs: number): () => void {
    const end = (): void => clearInterval(timer);
    const timer = setInterval(() => {
      void this.run(ask).then((answer) => answer === 0 && end());
    }, ttlMs / 3);
    timer.unref();
    return end;
  }

  health(): SharingHealth {
    if (!this.down) return { up: true };
    const { since, reason } = this.down;
    return { up: false, detail: `Redis does not answer since ${since.toISOString()}: ${reason}` };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.redis.disconnect();
  }

  private markDown(reason: string): void {
    if (this.down || this.closed) return;
    this.down = { since: new Date(), reason };
    this.warn(reason);
    this.scheduleProbe();
  }

  private onRefusal(error: unknown): void {
    if (performance.now() - this.refusedAt < REFUSAL_MS) return;
    this.refusedAt = performance.now();
    logSideFailure('Redis refuses commands, and what needs them goes on without', error);
  }

  private warn(reason: string): void {
    this.logger.warn(
      `Redis does not answer (${reason}). Until it does, this process works alone and counts its own limits.`,
    );
  }

  private scheduleProbe(): void {
    this.timer = setTimeout(() => void this.probe(), PROBE_MS).unref();
  }

  private async probe(): Promise<void> {
    const down = this.down!;
    try {
      // A command that cannot be sent at once fails, see `SETTINGS`.
      await raceTimeout(this.redis.ping(), this.timeoutMs);
      if (down.reason !== 'not connected yet') this.logger.log('Redis answers and is used again.');
      this.down = undefined;
    } catch (error) {
      down.reason = this.redis.status === 'ready' ? reasonOf(error as Error) : this.connectionError;
      if (!this.closed) this.scheduleProbe();
    }
  }
}
