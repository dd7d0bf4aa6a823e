import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { JobsHealth, JobsHealthSource } from '../core/health.js';
import { raceTimeout } from '../core/async.js';

/** Redis counts as down when it has not answered after this time, ms. Only the timer waits for it. */
const TIMEOUT_MS = 1000;
/** Start-up waits this long for the first look, ms. */
const START_MS = 100;
/** How often the queue is looked at while somebody asks, ms. */
const LOOK_MS = 2000;
/** Nobody counts as asking this long after the last question, ms; then the queue is looked at this often, ms. */
const WANTED_MS = 60_000;
const REST_MS = 30_000;

/** The part of BullMQ's queue that is used here. */
export type WatchedQueue = Pick<Queue, 'getJobCounts' | 'getWorkers'>;

/**
 * Health of the job queue. A question is answered at once with what was seen last. A timer looks: two or three commands to Redis every two
 * seconds until a minute after the last question, and every half a minute then.
 */
export class QueueHealth implements JobsHealthSource, OnApplicationBootstrap, OnApplicationShutdown {
  private seen: JobsHealth = { up: false, detail: 'Redis, which holds the jobs, has not answered yet' };
  private downSince: Date | undefined;
  private wantedUntil = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private closed = false;

  constructor(private readonly queue: WatchedQueue) {}

  async onApplicationBootstrap(): Promise<void> {
    await raceTimeout(this.look(), START_MS).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  health(): JobsHealth {
    const rested = performance.now() > this.wantedUntil;
    this.wantedUntil = performance.now() + WANTED_MS;
    if (rested && !this.looking && !this.closed) void this.look();
    return this.seen;
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    this.looking = true;
    clearTimeout(this.timer);
    try {
      const asked = Promise.all([this.queue.getJobCounts('waiting', 'prioritized'), this.workers()]);
      const [counts, workers] = await raceTimeout(asked, TIMEOUT_MS);
      const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0);
      this.downSince = undefined;
      const idle = workers === 0;
      this.seen = { up: !idle, waiting, workers, ...(idle ? { detail: 'no worker is there' } : {}) };
    } catch (error) {
      this.downSince ??= new Date();
      const since = this.downSince.toISOString();
      const detail = `Redis, which holds the jobs, does not answer since ${since}: ${reasonOf(error as Error)}`;
      this.seen = { up: false, detail };
    }
    this.looking = false;
    if (this.closed) return;
    const pause = performance.now() > this.wantedUntil ? REST_MS : LOOK_MS;
    this.timer = setTimeout(() => void this.look(), pause).unref();
  }

  /** Undefined where Redis does not allow listing its clients. */
  private async workers(): Promise<number | undefined> {
    try {
      const workers: Record<string, string>[] = await this.queue.getWorkers();
      // Where a server does not know the command, BullMQ returns a placeholder that has only a name.
      return workers.some(({ id }) => id === undefined) ? undefined : workers.length;
    } catch (error) {
      if ((error as Error).name === 'ReplyError') return undefined;
      throw error;
    }
  }
}

/** Without addresses and keys. */
function reasonOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.message.slice(0, 120);
}
