import { type Provider, type Type, Module, type DynamicModule } from '@nestjs/common';
import { RequestLimits } from '../auth/request-limits.js';
import type { StepRunner } from '../core/context.js';
import { JOB_INTAKE, JOBS_HEALTH, RESOLVED_OPTIONS, SUMMARIZER } from '../core/injection-tokens.js';
import type { GraceOptions } from '../http/in-flight.js';
import type { Mount } from '../http/tools-controller.decorator.js';
import {
  TOOLS,
  type JobsExtension,
  type ToolsModuleAsyncOptions,
  type ToolsModuleSyncOptions,
} from '../tools.module-definition.js';
import { FlowJournal } from './flow-journal.js';
import { JobEvents, JobReporter } from './job-events.js';
import { JobKeys, JobRedis, loadJobPeers, JobSignals } from './job-redis.js';
import { JobQueue } from './job-queue.js';
import { JobStreams, jobsController } from './jobs.controller.js';
import { JobWorker } from './job-worker.js';
import {
  DEFAULT_WORKERS,
  resolveJobsOptions,
  type BullMqJobsOptions,
  type ResolvedJobsOptions,
} from './jobs.options.js';
import type { Summarizer } from '../summarize/summarizer.js';
import { CallReporter } from '../tools/observation.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { QueueHealth } from './queue-health.js';
import { StepJobRunner, ToolJobRunner } from './job-runners.js';
import { InvalidOptionError } from '../core/errors.js';
import { ToolsModule } from '../tools.module.js';

/** Jobs on BullMQ, for `ToolsModule.forRoot({ jobs })` and `ToolsWorkerModule.forRoot({ jobs })`. */
export class BullMqJobs implements JobsExtension {
  readonly providers: readonly Provider[];

  constructor(private readonly options: ResolvedJobsOptions) {
    this.providers = providersOf(options);
  }

  controllers(mount: Mount): Type<unknown>[] {
    return [jobsController(mount)];
  }

  /** The same jobs for a process that only works on them. */
  forWorker(): BullMqJobs {
    const { workers } = this.options;
    return workers ? this : new BullMqJobs({ ...this.options, workers: DEFAULT_WORKERS });
  }
}

/**
 * Lets requests become jobs, on BullMQ. Needs the packages `bullmq` and `ioredis`.
 *
 * @example
 * ToolsModule.forRoot({ jobs: bullMqJobs({ connection: { url: 'redis://127.0.0.1:6379' } }) })
 * @throws InvalidOptionError saying what was expected and what came
 * @publicApi
 */
export function bullMqJobs(options: BullMqJobsOptions): BullMqJobs {
  return new BullMqJobs(resolveJobsOptions(options));
}

function providersOf(options: ResolvedJobsOptions): Provider[] {
  const keys = new JobKeys(options.prefix);
  const keptMs = options.resultTtlMs + options.deadlineMs;
  return [
    { provide: JobRedis, useFactory: async () => new JobRedis(await loadJobPeers(), options) },
    { provide: JobSignals, useFactory: (redis: JobRedis) => new JobSignals(redis), inject: [JobRedis] },
    {
      provide: JobEvents,
      useFactory: (redis: JobRedis, signals: JobSignals) => new JobEvents(redis, keys, signals, keptMs),
      inject: [JobRedis, JobSignals],
    },
    {
      provide: JobQueue,
      useFactory: (redis: JobRedis, events: JobEvents) => new JobQueue(redis, keys, events, options),
      inject: [JobRedis, JobEvents],
    },
    {
      provide: JobStreams,
      useFactory: (queue: JobQueue, events: JobEvents) =>
        new JobStreams(queue, events, options.maxStreamsPerKey),
      inject: [JobQueue, JobEvents],
    },
    { provide: JOB_INTAKE, useExisting: JobQueue },
    {
      provide: JOBS_HEALTH,
      useFactory: ({ queue }: JobQueue) => new QueueHealth(queue),
      inject: [JobQueue],
    },
    {
      provide: ToolJobRunner,
      useFactory: (
        redis: JobRedis,
        events: JobEvents,
        queue: JobQueue,
        calls: ToolCalls,
        reporter: CallReporter,
      ) =>
        new ToolJobRunner({
          tools: TOOLS,
          calls,
          reporter,
          deadlineMs: options.deadlineMs,
          progressOf: async ({ id }) =>
            new JobReporter(id!, redis, keys, events, keptMs, await queue.reportedOf(id!)),
          journalOf: (job) => new FlowJournal(job, redis, keys, queue),
        }),
      inject: [JobRedis, JobEvents, JobQueue, ToolCalls, CallReporter],
    },
    {
      provide: StepJobRunner,
      useFactory: (redis: JobRedis, summarizer: Summarizer, limits: RequestLimits) =>
        new StepJobRunner({
          redis,
          keys,
          runner: summarizer.runStep ? (summarizer as StepRunner) : undefined,
          limits,
          deadlineMs: options.deadlineMs,
          keptMs,
        }),
      inject: [JobRedis, SUMMARIZER, RequestLimits],
    },
    {
      provide: JobWorker,
      useFactory: (
        redis: JobRedis,
        queue: JobQueue,
        events: JobEvents,
        signals: JobSignals,
        tools: ToolJobRunner,
        steps: StepJobRunner,
        { shutdown: { graceMs } }: GraceOptions,
      ) => new JobWorker({ redis, keys, queue, events, signals, tools, steps, options, graceMs }),
      inject: [JobRedis, JobQueue, JobEvents, JobSignals, ToolJobRunner, StepJobRunner, RESOLVED_OPTIONS],
    },
  ];
}

/**
 * A process that only works on jobs: the module without its endpoints, with workers on. Give it the same options as the processes that
 * take the requests. `NestFactory.createApplicationContext(…)` is enough of a host.
 * @publicApi
 */
@Module({})
export class ToolsWorkerModule {
  /** @throws InvalidOptionError when `jobs` is missing */
  static forRoot(options: ToolsModuleSyncOptions): DynamicModule {
    return worker(ToolsModule.forRoot({ ...options, ...withoutEndpoints(options.jobs) }));
  }

  /** @throws InvalidOptionError when `jobs` is missing */
  static forRootAsync(options: ToolsModuleAsyncOptions): DynamicModule {
    return worker(ToolsModule.forRootAsync({ ...options, ...withoutEndpoints(options.jobs) }));
  }
}

function worker(tools: DynamicModule): DynamicModule {
  return { module: ToolsWorkerModule, imports: [tools], exports: [ToolsModule] };
}

function withoutEndpoints(jobs: unknown): { controllers: false; jobs: BullMqJobs } {
  if (!(jobs instanceof BullMqJobs)) throw new InvalidOptionError('jobs', 'bullMqJobs({ … })', jobs);
  return { controllers: false, jobs: jobs.forWorker() };
}
