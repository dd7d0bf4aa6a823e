import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { JobsHealth, JobsHealthSource } from '../core/health.js';
import { raceTimeout } from '../core/async.js';
import { reasonOf } from '../core/errors.js';

/** Redis counts as down when it has not answered after this time, ms. Only the timer waits for it. A plain bound. */
const TIMEOUT_MS = 1000;
const INTERVAL_MS = 2000; // between two looks at the queue; a plain bound

export type WatchedQueue = Pick<Queue, 'getJobCounts' | 'getWorkers'>;

/** Health of the job queue. A question is answered at once with what was seen last. A timer looks, with two or three commands to Redis. */
export class QueueHealth implements JobsHealthSource, OnApplicationBootstrap, OnApplicationShutdown {
  private latest: JobsHealth = { up: false, detail: 'Redis, which holds the jobs, has not answered yet' };
  private downSince: Date | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly queue: WatchedQueue) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.refresh(), INTERVAL_MS).unref();
    await this.refresh();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  health(): JobsHealth {
    return this.latest;
  }

  private async refresh(): Promise<void> {
    try {
      const asked = Promise.all([this.queue.getJobCounts('waiting', 'prioritized'), this.workers()]);
      const [counts, workers] = await raceTimeout(asked, TIMEOUT_MS);
      const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0);
      this.downSince = undefined;
      const idle = workers === 0;
      this.latest = { up: !idle, waiting, workers, ...(idle ? { detail: 'no worker is there' } : {}) };
    } catch (error) {
      this.downSince ??= new Date();
      const since = this.downSince.toISOString();
      const detail = `Redis, which holds the jobs, does not answer since ${since}: ${reasonOf(error as Error)}`;
      this.latest = { up: false, detail };
    }
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
