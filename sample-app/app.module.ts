import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  innertubeTranscripts,
  innertubeVideos,
  memoryTranscripts,
  memoryVideos,
  ToolsModule,
  type PageRenderer,
  type ToolsModuleSyncOptions,
} from '../lib/index.js';
import { bullMqJobs, ToolsWorkerModule } from '../lib/queue/index.js';
import { redisShared } from '../lib/redis/index.js';
import { DEMO_ARTICLES } from './content/articles/index.js';
import { DEMO_TALKS } from './content/talks/index.js';
import { DocumentedErrorsFilter } from './documented-errors.filter.js';
import { HealthController } from './health.controller.js';
import type { Settings } from './settings.js';

/** Writes the demo articles to PostgreSQL when the app starts. Those that are there already are not written again. */
class ArticlesInPostgres implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly postgres: NonNullable<Settings['postgres']>) {}

  async onModuleInit(): Promise<void> {
    await this.postgres.articles.migrate();
    await this.postgres.articles.upsert(DEMO_ARTICLES);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.postgres.pool.end();
  }
}

/** A small host: all tools over the demo content; with Redis also jobs, and as a worker nothing but those. */
@Module({})
export class AppModule {
  static register(settings: Settings): DynamicModule {
    const options = toolsOptions(settings);
    const { postgres } = settings;
    return {
      module: AppModule,
      controllers: settings.role === 'worker' ? [] : [HealthController],
      providers: [
        DocumentedErrorsFilter,
        ...(postgres
          ? [{ provide: ArticlesInPostgres, useFactory: () => new ArticlesInPostgres(postgres) }]
          : []),
      ],
      imports: [
        settings.role === 'worker' ? ToolsWorkerModule.forRoot(options) : ToolsModule.forRoot(options),
      ],
    };
  }
}

const articles = new Map(DEMO_ARTICLES.map((article) => [article.url, article]));

/** The demo articles as pages: their addresses lead nowhere. */
const demoPages: PageRenderer = {
  name: 'demo-articles',
  handles: (url) => articles.has(url),
  render: async (url) => {
    const { title, text } = articles.get(url)!;
    return { title, content: `# ${title}\n\n${text}` };
  },
};

/** The demo talks as a playlist and as a channel. */
const DEMO_LIST = {
  title: 'nestjs-tools demo talks',
  videos: Object.entries(DEMO_TALKS).map(([id, { title = id, channel, durationMs }]) => ({
    id,
    title,
    channel,
    durationMs,
    isLive: false,
  })),
};
const DEMO_LISTS = memoryVideos({ PLsampleTalksOfOurOwn: DEMO_LIST, '@sample-talks': DEMO_LIST });

function toolsOptions(settings: Settings): ToolsModuleSyncOptions {
  const { redisUrl: url, role } = settings;
  const demoTalks = memoryTranscripts(DEMO_TALKS);
  return {
    apiKeys: settings.apiKeys,
    ...settings.model,
    youtube: { transcripts: settings.youtube ? [demoTalks, innertubeTranscripts()] : [demoTalks] },
    search: { providers: settings.searchProviders },
    readPage: { renderer: demoPages },
    transcript: true,
    askVideo: true,
    research: true,
    listVideos: { providers: settings.youtube ? [DEMO_LISTS, innertubeVideos()] : [DEMO_LISTS] },
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
