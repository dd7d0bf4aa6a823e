import { type Provider, type Type, Module, type DynamicModule } from '@nestjs/common';
import { InvalidOptionError } from '../core/errors.js';
import { JOB_INTAKE, JOBS_HEALTH } from '../core/injection-tokens.js';
import type { Mount } from '../http/tools-controller.decorator.js';
import type {
  JobsExtension,
  ToolsModuleAsyncOptions,
  ToolsModuleSyncOptions,
} from '../tools.module-definition.js';
import { ToolsModule } from '../tools.module.js';
import { BatchQueue } from './batch-queue.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import { JobRedis, loadJobPeers } from './job-redis.js';
import { JobWorker, ToolJobRunner } from './job-worker.js';
import { jobsController } from './jobs.controller.js';
import {
  DEFAULT_WORKERS,
  JOBS_OPTIONS,
  resolveJobsOptions,
  type BullMqJobsOptions,
  type ResolvedJobsOptions,
} from './jobs.options.js';
import { QueueHealth } from './queue-health.js';

export type { WebhookOptions } from './webhooks.js';
export type { BullMqJobsOptions, JobsConnection, JobWorkersOptions } from './jobs.options.js';

/** Jobs on BullMQ, for `ToolsModule.forRoot({ jobs })` and `ToolsWorkerModule.forRoot({ jobs })`. */
export class BullMqJobs implements JobsExtension {
  readonly providers: readonly Provider[];

  constructor(private readonly options: ResolvedJobsOptions) {
    this.providers = [
      { provide: JOBS_OPTIONS, useValue: options },
      { provide: JobRedis, useFactory: async () => new JobRedis(await loadJobPeers(), options) },
      JobEvents,
      JobQueue,
      BatchQueue,
      ToolJobRunner,
      JobWorker,
      { provide: JOB_INTAKE, useExisting: JobQueue },
      {
        provide: JOBS_HEALTH,
        useFactory: ({ queue }: JobQueue) => new QueueHealth(queue),
        inject: [JobQueue],
      },
    ];
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
