import { Module, type DynamicModule } from '@nestjs/common';
import {
  innertubeTranscripts,
  memoryTranscripts,
  ToolsModule,
  type ToolsModuleSyncOptions,
} from '../lib/index.js';
import { bullMqJobs, ToolsWorkerModule } from '../lib/queue/index.js';
import { redisShared } from '../lib/redis/index.js';
import { DEMO_TALKS } from './content/talks/index.js';
import { DocumentedErrorsFilter } from './documented-errors.filter.js';
import type { Settings } from './settings.js';

/** A small host: both tools over the demo content; with Redis also jobs, and as a worker nothing but those. */
@Module({})
export class AppModule {
  static register(settings: Settings): DynamicModule {
    const options = toolsOptions(settings);
    return {
      module: AppModule,
      providers: [DocumentedErrorsFilter],
      imports: [
        settings.role === 'worker' ? ToolsWorkerModule.forRoot(options) : ToolsModule.forRoot(options),
      ],
    };
  }
}

function toolsOptions(settings: Settings): ToolsModuleSyncOptions {
  const { redisUrl: url, role } = settings;
  const demoTalks = memoryTranscripts(DEMO_TALKS);
  return {
    apiKeys: settings.apiKeys,
    ...settings.model,
    youtube: { transcripts: settings.youtube ? [demoTalks, innertubeTranscripts()] : [demoTalks] },
    search: { providers: settings.searchProviders },
    mcp: settings.mcp,
    limits: { requestsPerMinute: settings.requestsPerMinute },
    ...(url === undefined
      ? {}
      : {
          shared: redisShared({ url }),
          jobs: bullMqJobs({ connection: { url }, workers: role === 'api' ? false : {} }),
        }),
  };
}
