import { Module, type DynamicModule } from '@nestjs/common';
import { InvalidOptionError } from '../core/errors.js';
import { ToolsModule } from '../tools.module.js';
import type { ToolsModuleAsyncOptions, ToolsModuleSyncOptions } from '../tools.module-definition.js';
import { BullMqJobs } from './bullmq-jobs.js';

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
