import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { raceTimeout } from '../core/async.js';
import { errorResponse, logDefect, logInternalError } from '../core/error-response.js';
import { RequestLimits } from '../auth/request-limits.js';
import { ClientClosedError, RateLimitedError } from '../core/errors.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { GraceOptions } from '../http/in-flight.js';
import { CallReporter } from '../tools/request-log.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { TOOLS } from '../tools/tools.js';
import { BatchQueue, END } from './batch-queue.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import type { JobData, JobOutcome, ToolJob } from './job-record.js';
import { JobRedis, QUEUE_NAME } from './job-redis.js';
import { JOBS_OPTIONS, type JobWorkersOptions, type ResolvedJobsOptions } from './jobs.options.js';

@Injectable()
export class ToolJobRunner {
  constructor(
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(CallReporter) private readonly reporter: CallReporter,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws the signal's reason, nothing else
   */
  async run(job: ToolJob, signal: AbortSignal): Promise<JobOutcome> {
    const { calls, reporter } = this;
    const { input, owner, requestId, noCache } = job.data;
    const tool = TOOLS.find(({ name }) => name === job.data.tool)!;
    const progress = this.events.reporterOf(job);
    const observation = reporter.begin(tool.name, requestId, 'job');
    observation.identity = { id: owner.id, name: owner.name ?? owner.id };
    let outcome: JobOutcome;
    try {
      const data = await calls.run(tool, input, {
        caller: owner,
        queued: true,
        observation,
        client: { signal },
        requestId,
        noCache,
        deadlineMs: this.options.deadlineMs,
        checkpoint: {
          kept: job.data.kept,
          // Without it the work begins anew where this worker is lost.
          keep: (kept) => job.updateData({ ...job.data, kept }).catch(() => undefined),
        },
        onProgress: (event) => progress.progress(event),
      });
      const seconds = Math.max(0, Date.now() - job.timestamp) / 1000;
      outcome = { body: { data, request_id: requestId, seconds_taken: seconds } };
    } catch (error) {
      if (signal.aborted) {
        // A job that was cancelled has cost what it has cost; one that goes on elsewhere is reported there.
        if (signal.reason instanceof ClientClosedError) reporter.report(observation, 499, false);
        else observation.span.end();
        throw signal.reason;
      }
      const { body } = errorResponse(error, requestId);
      logInternalError(error, body);
      outcome = { error: body };
    } finally {
      await progress.end();
    }
    reporter.report(observation, 'error' in outcome ? outcome.error.statusCode : 200, true);
    return outcome;
  }
}

/** A worker that does not renew its lock on a job for this long loses it, ms; another one takes over the work of a dead one then; set by hand. */
const LOCK_MS = 6_000;
/** How often jobs of dead workers are looked for, ms; set by hand. */
const STALLED_INTERVAL_MS = 2_000;
/** A job whose workers have died this often is not given to another one: the job may be what kills them; a plain bound. */
const MAX_STALLED = 3;
/** How long Redis has for taking back jobs in progress when the host is stopped, ms; it may be down; set by hand. */
const HAND_OVER_MS = 1_500;
/** How often the worker looks whether a job in progress was cancelled, ms; set by hand. */
const LOOK_INTERVAL_MS = 500;
/** How often expired outcomes are removed, ms; set by hand. */
const CLEAN_INTERVAL_MS = 60_000;

const ENDED: JobOutcome = { cancelled: true };

/** Ends work in progress here: another worker does it. */
class HandedOverError extends Error {}

/** Works on jobs. Any number of workers may run. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Map<ToolJob, AbortController>();
  private readonly timers: NodeJS.Timeout[] = [];
  private worker?: Worker<JobData, JobOutcome>;
  private stopping = false;

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(ToolJobRunner) private readonly runner: ToolJobRunner,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
    @Inject(RESOLVED_OPTIONS) private readonly host: GraceOptions,
    @Inject(BatchQueue) private readonly batches: BatchQueue,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {}

  onApplicationBootstrap(): void {
    const { workers } = this.options;
    if (workers === false) return;
    const connection = this.redis.connect({ maxRetriesPerRequest: null, lazyConnect: false });
    // A host must start and stop while Redis is down. BullMQ cannot close a worker that was never connected.
    connection.once('ready', () => {
      if (!this.stopping) this.begin(connection, workers as Required<JobWorkersOptions>);
    });
  }

  /** Takes no new jobs, waits for those in progress, and gives back those that do not end in time. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearInterval(timer);
    const { worker } = this;
    if (!worker) return;
    const closing = worker.close();
    if (this.running.size > 0) await raceTimeout(closing, this.host.shutdown.graceMs).catch(() => undefined);
    for (const controller of this.running.values()) controller.abort(new HandedOverError());
    await raceTimeout(closing, HAND_OVER_MS)
      .catch(() => raceTimeout(worker.disconnect(), HAND_OVER_MS))
      .catch(() => undefined);
  }

  private begin(connection: Redis, { concurrency }: Required<JobWorkersOptions>): void {
    const { redis, options, queue } = this;
    const { Worker: BullMqWorker, createRedisBackend } = redis.peers.bullmq;
    const settings = {
      connection,
      prefix: options.prefix,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: MAX_STALLED,
    };
    const work = (job: ToolJob, token?: string): Promise<JobOutcome> => this.work(job, token!);
    const worker = new BullMqWorker<JobData, JobOutcome>(QUEUE_NAME, work, settings, createRedisBackend);
    this.worker = worker;
    // `JobRedis` logs that Redis is down.
    worker.on('error', () => undefined);
    worker.on('lockRenewalFailed', (ids: string[]) => {
      for (const [job, controller] of this.running)
        if (ids.includes(job.id!)) controller.abort(new HandedOverError());
    });
    worker.on('failed', (job, error) => {
      logDefect(error, `job ${job?.id ?? 'unknown'}`);
      // Its workers died too often: nobody has noted its end.
      if (job?.finishedOn) void this.batches.noteEnd(job as ToolJob, null).catch(() => undefined);
    });
    worker.on('drained', () => void queue.resetTurns().catch(() => undefined));
    this.timers.push(
      setInterval(() => void this.stopCancelled().catch(() => undefined), LOOK_INTERVAL_MS).unref(),
      setInterval(() => void this.clean().catch(() => undefined), CLEAN_INTERVAL_MS).unref(),
    );
  }

  private async work(job: ToolJob, token: string): Promise<JobOutcome> {
    const controller = new AbortController();
    this.running.set(job, controller);
    const { batches } = this;
    try {
      const isEnd = job.name === END;
      const wait = isEnd
        ? await batches.follow(job, controller.signal)
        : job.data.batch && (await this.rateWait(job));
      if (wait) return await this.later(job, token, wait);
      if (isEnd) return ENDED;
      await this.queue.begin(job);
      if (await this.queue.isCancelled(job.id!)) return { cancelled: true };
      await batches.noteBegin(job);
      const outcome = await this.runner.run(job, controller.signal);
      await batches.noteEnd(job, outcome);
      return outcome;
    } catch (error) {
      const reason: unknown = controller.signal.reason;
      if (reason instanceof ClientClosedError) return { cancelled: true };
      if (!(reason instanceof HandedOverError)) throw error;
      return this.later(job, token, 0);
    } finally {
      this.running.delete(job);
    }
  }

  /** Seconds until the caller may have another request. An item of a batch counts as a request when it begins. */
  private rateWait({ data: { owner, tool } }: ToolJob): Promise<number | undefined> {
    // A budget of the day is the item's error.
    const wait = (error: unknown) =>
      error instanceof RateLimitedError ? error.retryAfterSeconds : undefined;
    return this.limits.take(owner, tool, () => undefined).then(() => undefined, wait);
  }

  /** Gives a job back. @param seconds until a worker takes it again @throws DelayedError */
  private async later(job: ToolJob, token: string, seconds: number): Promise<never> {
    await job.moveToDelayed(Date.now() + seconds * 1000, token);
    throw new this.redis.peers.bullmq.DelayedError();
  }

  private async stopCancelled(): Promise<void> {
    for (const [job, controller] of this.running)
      if (await this.queue.isCancelled(job.id!)) controller.abort(new ClientClosedError());
  }

  /** BullMQ removes expired jobs only when another job ends. */
  private async clean(): Promise<void> {
    const { queue } = this.queue;
    await queue.clean(this.options.resultTtlMs, 1_000, 'completed');
    await queue.clean(this.options.resultTtlMs, 1_000, 'failed');
  }
}
