import { Module, type DynamicModule } from '@nestjs/common';
import { innertubeTranscripts, memoryTranscripts, ToolsModule } from '../lib/index.js';
import { DEMO_TALKS } from './content/talks/index.js';
import type { Settings } from './settings.js';

/** A small host: both tools over the demo content. */
@Module({})
export class AppModule {
  static register(settings: Settings): DynamicModule {
    const demoTalks = memoryTranscripts(DEMO_TALKS);
    return {
      module: AppModule,
      imports: [
        ToolsModule.forRoot({
          apiKeys: settings.apiKeys,
          ...settings.model,
          youtube: { transcripts: settings.youtube ? [demoTalks, innertubeTranscripts()] : [demoTalks] },
          search: { providers: settings.searchProviders },
          limits: { requestsPerMinute: settings.requestsPerMinute },
        }),
      ],
    };
  }
}
