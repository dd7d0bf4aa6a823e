import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { raceTimeout } from '../core/async.js';
import { logDefect } from '../core/error-response.js';
import { ClientClosedError } from '../core/errors.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { GraceOptions } from '../http/in-flight.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import type { JobData, JobOutcome, ToolJob } from './job-record.js';
import { JobRedis, QUEUE_NAME } from './job-redis.js';
import { ToolJobRunner } from './job-runners.js';
import { JOBS_OPTIONS, type JobWorkersOptions, type ResolvedJobsOptions } from './jobs.options.js';

/** A worker that does not renew its lock on a job for this long loses it, ms; another one takes over the work of a dead one then. */
const LOCK_MS = 6_000;
/** How often jobs of dead workers are looked for, ms. */
const STALLED_INTERVAL_MS = 2_000;
/** A job whose workers have died this often is not given to another one: the job may be what kills them. */
const MAX_STALLED = 3;
/** How long Redis has for taking back jobs in progress when the host is stopped, ms; it may be down. */
const HAND_OVER_MS = 1_500;
/** How often expired outcomes are removed, ms. */
const CLEAN_INTERVAL_MS = 60_000;

/** Ends work in progress here: another worker does it. */
class HandedOverError extends Error {}

/** Ends work in progress for good: its job was cancelled. */
class JobCancelledError extends ClientClosedError {}

/** Works on jobs. Any number of workers may run. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Map<ToolJob, AbortController>();
  private worker?: Worker<JobData, JobOutcome>;
  private cleaner?: NodeJS.Timeout;
  private stopListening?: () => void;
  private stopping = false;

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(ToolJobRunner) private readonly runner: ToolJobRunner,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
    @Inject(RESOLVED_OPTIONS) private readonly host: GraceOptions,
  ) {}

  onApplicationBootstrap(): void {
    const { redis, options } = this;
    if (options.workers === false) return;
    const connection = redis.connect({ maxRetriesPerRequest: null, lazyConnect: false });
    // A host must start and stop while Redis is down. BullMQ cannot close a worker that was never connected.
    connection.once('ready', () => {
      if (!this.stopping) this.begin(connection, options.workers as Required<JobWorkersOptions>);
    });
  }

  /** Takes no new jobs, waits for those in progress, and gives back those that do not end in time. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.cleaner);
    this.stopListening?.();
    const { worker } = this;
    if (!worker) return;
    const closing = worker.close();
    if (this.running.size > 0) await raceTimeout(closing, this.host.shutdown.graceMs).catch(() => undefined);
    this.abort(() => true, new HandedOverError());
    await raceTimeout(closing, HAND_OVER_MS)
      .catch(() => raceTimeout(worker.disconnect(), HAND_OVER_MS))
      .catch(() => undefined);
  }

  private begin(connection: Redis, { concurrency }: Required<JobWorkersOptions>): void {
    const { redis, options, queue, events } = this;
    const { Worker: BullMqWorker } = redis.peers.bullmq;
    const worker = new BullMqWorker<JobData, JobOutcome>(QUEUE_NAME, (job, token) => this.work(job, token!), {
      connection,
      prefix: options.prefix,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: MAX_STALLED,
    });
    this.worker = worker;
    // `JobRedis` logs that Redis is down.
    worker.on('error', () => undefined);
    worker.on('lockRenewalFailed', (ids: string[]) =>
      this.abort((job) => ids.includes(job.id!), new HandedOverError()),
    );
    const onEnd = (job: ToolJob | undefined): void => {
      if (job) events.end(job.id!).catch(() => undefined);
    };
    worker.on('completed', onEnd);
    worker.on('failed', (job, error) => {
      logDefect(error, `job ${job?.id ?? 'unknown'}`);
      onEnd(job);
    });
    worker.on('drained', () => void queue.turns.reset().catch(() => undefined));
    this.cleaner = setInterval(() => void this.clean(), CLEAN_INTERVAL_MS).unref();
    redis
      .listen(redis.keys.cancellations(), (id) => void this.onCancelled(id))
      .then(
        (stop) => (this.stopping ? stop() : (this.stopListening = stop)),
        () => undefined,
      );
  }

  private async work(job: ToolJob, token: string): Promise<JobOutcome> {
    const { queue, redis } = this;
    const { DelayedError } = redis.peers.bullmq;
    const controller = new AbortController();
    this.running.set(job, controller);
    try {
      await queue.turns.begin(job.data.turn);
      if (await queue.isCancelled(job.id!)) return { cancelled: true };
      return await this.runner.run(job, controller.signal);
    } catch (error) {
      const reason: unknown = controller.signal.reason;
      if (reason instanceof JobCancelledError) return { cancelled: true };
      if (!(reason instanceof HandedOverError)) throw error;
      await job.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    } finally {
      this.running.delete(job);
    }
  }

  /** @param id empty: some messages may have been missed, so all jobs are looked at */
  private async onCancelled(id: string): Promise<void> {
    for (const job of [...this.running.keys()]) {
      const cancelled = id === '' ? await this.queue.isCancelled(job.id!).catch(() => false) : job.id === id;
      if (cancelled) this.abort((other) => other === job, new JobCancelledError());
    }
  }

  private abort(which: (job: ToolJob) => boolean, reason: Error): void {
    for (const [job, controller] of this.running) if (which(job)) controller.abort(reason);
  }

  /** BullMQ removes expired jobs only when another job ends. */
  private async clean(): Promise<void> {
    const { queue, options } = this;
    await Promise.all([
      queue.queue.clean(options.resultTtlMs, 1_000, 'completed'),
      queue.queue.clean(options.resultTtlMs, 1_000, 'failed'),
    ]).catch(() => undefined);
  }
}
