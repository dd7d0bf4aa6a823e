import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { raceTimeout, Wakeup } from '../core/async.js';
import { reasonOf } from '../core/errors.js';
import type { SharingHealth } from '../core/shared-state.js';

/** Start-up waits this long for the first connection, ms. */
const CONNECT_TIMEOUT_MS = 1000;
/** Wait before the first probe after a failure, ms. A short hiccup is over by then. */
const FIRST_PROBE_MS = 200;
/** Wait between two probes, ms. */
const PROBE_MS = 1000;
/** A connection that fails again within this time after it came back is probed less often each time, ms. */
const UNSTEADY_MS = 10_000;
const MAX_PROBE_MS = 8000;
/** Refusals (out of memory, no permission) are logged at most this often, and show in the health check this long, ms. */
const REFUSAL_MS = 60_000;
/** At most this many returns are kept while Redis is down; the rest expires by itself. */
const MAX_PENDING_RETURNS = 1000;
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
  private readonly listeners: (() => void)[] = [];
  private readonly pendingReturns: (() => Promise<unknown>)[] = [];
  private down: { since: Date; reason: string; reported: boolean } | undefined = {
    since: new Date(),
    reason: 'not connected yet',
    reported: false,
  };
  private lastRefusal: { at: number; reason: string } | undefined;
  private connectionError = CONNECTION_LOST;
  private upSince = -Infinity;
  private earlyFailures = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param redis to send commands with, inside of {@link run} only
   * @param timeoutMs longest time of one command, ms
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
    redis.on('ready', () => {
      this.connectionError = CONNECTION_LOST;
      if (this.earlyFailures === 0) this.scheduleProbe(0);
    });
  }

  /** Connects; resolves when that is done, or is taking too long to wait for. Goes on trying. Never rejects. */
  async start(): Promise<void> {
    const connected = this.redis.connect().then(() => this.probe());
    await raceTimeout(connected, CONNECT_TIMEOUT_MS).catch(() => undefined);
    if (!this.down) return;
    this.down.reason = this.connectionError;
    this.report(this.down);
    this.scheduleProbe(PROBE_MS);
  }

  /**
   * The answer of Redis, or the one to use without it. An error that Redis answers costs this one command only.
   * @param ask sends one command, or several at once
   * @param otherwise gets whether it was sent: then it may have been executed, or may yet be
   */
  async run<T>(ask: () => Promise<T>, otherwise: (sent: boolean) => T | Promise<T>): Promise<T> {
    if (this.down) return otherwise(false);
    try {
      return await raceTimeout(ask(), this.timeoutMs);
    } catch (error) {
      if ((error as Error).name === 'ReplyError') this.onRefusal(error as Error);
      else this.markDown(this.redis.status === 'ready' ? reasonOf(error as Error) : this.connectionError);
      return otherwise(true);
    }
  }

  /**
   * Gives something back, now or as soon as Redis is there again; otherwise others would wait until it expires. The command must do no harm
   * when it is sent twice, or for something that was never held. Never rejects, and does not wait for Redis to be back.
   */
  async giveBack(ask: () => Promise<unknown>): Promise<void> {
    await this.run<unknown>(ask, () => {
      if (this.pendingReturns.length < MAX_PENDING_RETURNS) this.pendingReturns.push(ask);
    });
  }

  /**
   * Sends a command three times within `ttlMs`, so that what it renews does not expire. Ends by itself when Redis answers 0.
   * @returns ends it
   */
  renew(ask: () => Promise<unknown>, ttlMs: number): () => void {
    const end = (): void => clearInterval(timer);
    const timer = setInterval(() => {
      void this.run(ask, () => undefined).then((answer) => answer === 0 && end());
    }, ttlMs / 3);
    timer.unref();
    return end;
  }

  /** Calls back each time Redis is lost. */
  onDown(listener: () => void): void {
    this.listeners.push(listener);
  }

  health(): SharingHealth {
    if (this.down) {
      const { since, reason } = this.down;
      return { up: false, detail: `Redis does not answer since ${since.toISOString()}: ${reason}` };
    }
    if (this.lastRefusal && performance.now() - this.lastRefusal.at < REFUSAL_MS)
      return { up: false, detail: `Redis refuses commands: ${this.lastRefusal.reason}` };
    return { up: true };
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    this.redis.disconnect();
  }

  private markDown(reason: string): void {
    if (this.down || this.closed) return;
    this.down = { since: new Date(), reason, reported: false };
    const isEarly = performance.now() - this.upSince < UNSTEADY_MS;
    this.earlyFailures = isEarly ? this.earlyFailures + 1 : 0;
    if (isEarly) this.report(this.down);
    for (const listener of this.listeners) listener();
    const backOffMs = Math.min(MAX_PROBE_MS, PROBE_MS * 2 ** (this.earlyFailures - 1));
    this.scheduleProbe(isEarly ? backOffMs : FIRST_PROBE_MS);
  }

  private markUp(): void {
    if (!this.down) return;
    clearTimeout(this.timer);
    if (this.down.reported) this.logger.log('Redis answers and is used again.');
    this.down = undefined;
    this.upSince = performance.now();
    for (const ask of this.pendingReturns.splice(0)) void this.giveBack(ask);
  }

  private scheduleProbe(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.probe(), ms);
    this.timer.unref();
  }

  private async probe(): Promise<void> {
    const { redis, down } = this;
    if (!down || this.closed) return;
    try {
      if (redis.status === 'ready') {
        await raceTimeout(redis.ping(), this.timeoutMs);
        return this.markUp();
      }
      down.reason = this.connectionError;
    } catch (error) {
      down.reason = reasonOf(error as Error);
    }
    if (this.down !== down || this.closed) return;
    this.report(down);
    this.scheduleProbe(PROBE_MS);
  }

  /** Once for each time that it is lost. */
  private report(down: { reason: string; reported: boolean }): void {
    if (down.reported) return;
    down.reported = true;
    this.logger.warn(
      `Redis does not answer (${down.reason}). Until it does, this process works alone and counts its own limits.`,
    );
  }

  private onRefusal(error: Error): void {
    if (this.lastRefusal && performance.now() - this.lastRefusal.at < REFUSAL_MS) return;
    this.lastRefusal = { at: performance.now(), reason: reasonOf(error) };
    this.logger.warn(`Redis refuses commands (${this.lastRefusal.reason}): what needs them goes on without.`);
  }
}

/** Waits for notifications of one name. */
export interface Subscription {
  /** Resolves when one has come since the last call, when the signal fires, or after `ms`. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Notifications between processes over one pub/sub channel. Each message is a name, and wakes those that wait for it. Redis keeps no
 * message for processes that are not connected, so a waiter must also look for itself from time to time.
 */
export class Notifications {
  private readonly listeners = new Map<string, Set<Wakeup>>();
  private subscriber: Redis | undefined;
  private closed = false;

  /** @param connect opens the connection, which is only needed once somebody has to wait */
  constructor(
    private readonly connect: () => Redis,
    readonly channel: string,
  ) {}

  /** Listens from now on. */
  subscribe(name: string): Subscription {
    const wakeup = new Wakeup();
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(wakeup));
    return {
      next: async (ms, signal) => {
        this.open();
        await wakeup.wait(ms, signal);
      },
      close: () => {
        listeners.delete(wakeup);
        if (listeners.size === 0 && this.listeners.get(name) === listeners) this.listeners.delete(name);
      },
    };
  }

  /** Wakes everybody: there will be no more notifications. */
  notifyAll(): void {
    for (const listeners of this.listeners.values()) for (const wakeup of listeners) wakeup.notify();
  }

  close(): void {
    this.closed = true;
    this.subscriber?.disconnect();
    this.notifyAll();
  }

  private open(): void {
    if (this.subscriber || this.closed) return;
    this.subscriber = this.connect();
    // The connection for commands reports that Redis is down; this one reconnects by itself.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', (_channel, name) =>
      this.listeners.get(name)?.forEach((wakeup) => wakeup.notify()),
    );
    this.subscriber.subscribe(this.channel).catch(() => undefined);
  }
}
