/**
 * A process of a host with jobs, started by the tests and the bench: an API (`ROLE=api`), a worker (`ROLE=worker`) or both (`ROLE=all`), on
 * the built package. Settings come from the environment, see below; it says `ready <address>` on its standard output, and ends when its
 * standard input does.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { setDefaultBackendFactory } from 'bullmq';
import { contentOf, transcript } from '../../bench/llm-transcripts.mjs';
import { documents, memoryVideos, ToolsModule } from '../../dist/index.js';
import { redisShared } from '../../dist/redis/index.js';
import { bullMqJobs, ToolsWorkerModule } from '../../dist/queue/index.js';
import { HealthController } from './health-controller.mjs';

// The host keeps its own queues elsewhere, which says nothing of ours.
setDefaultBackendFactory(() => {
  throw new Error("the backend of the host's own queues");
});

const {
  ROLE = 'api',
  REDIS_URL,
  LLM_URL,
  PREFIX = 'nestjs-tools',
  CONCURRENCY = '2',
  RESULT_TTL_MS = '3600000',
  MODEL_OPTIONS = '{}',
  CACHE = 'on',
  LIMITS = '{}',
  JOBS = '{}',
  HOOK_URL,
  SHARED,
  PAGES,
} = process.env;

/** `words-1000` is a video of a thousand words; so is `words-1000-anything`, another one. */
const videos = {
  sourceType: 'youtube',
  identify: (id) => id,
  urlAt: (id, seconds) => `https://www.youtube.com/watch?v=${id}&t=${seconds}s`,
  load: async (id) => ({ ...contentOf(transcript(Number(id.split('-')[1]))), id, title: id }),
};

const model = LLM_URL
  ? createOpenAICompatible({ name: 'fake', baseURL: LLM_URL, apiKey: 'key', includeUsage: true })(
      'fake-model',
    )
  : undefined;

/** Gives the best of the pages only, so that each search finds one. */
function bestOf(pages) {
  const all = documents(pages);
  const search = async (query, context) => ({ hits: (await all.search(query, context)).hits.slice(0, 1) });
  return { name: 'best', search };
}

const options = {
  apiKeys: ['key-a', 'key-b'],
  model,
  ...(model ? { modelOptions: JSON.parse(MODEL_OPTIONS) } : {}),
  contentSources: [videos],
  ...(PAGES ? { search: { providers: [bestOf(JSON.parse(PAGES))] }, research: true } : { search: false }),
  transcript: true,
  listVideos: {
    providers: [
      {
        name: 'breaks-off',
        listVideos: async ({ value, page }) => {
          if (value !== '@breaks-off') return undefined;
          if (page) throw new Error('down');
          return { items: [{ id: 'words-300-a', title: 'A' }], next: 'more' };
        },
      },
      memoryVideos({
        '@many': {
          videos: Array.from({ length: 40 }, (_, n) => ({ id: `words-30-${10 + n}`, title: `Talk ${n}` })),
        },
        '@talks': { videos: ['a', 'b', 'c'].map((end) => ({ id: `words-300-${end}`, title: end })) },
      }),
    ],
  },
  hooks: {
    ...(HOOK_URL
      ? {
          onBatchEnd: async (event) =>
            void (await fetch(HOOK_URL, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              redirect: 'manual',
              body: JSON.stringify(event),
            })),
        }
      : {}),
  },
  logRequests: false,
  shutdown: { graceMs: 1_000 },
  ...(SHARED ? { shared: redisShared({ url: REDIS_URL, prefix: PREFIX }) } : {}),
  limits: JSON.parse(LIMITS),
  ...(CACHE === 'off' ? { cache: false } : {}),
  jobs: bullMqJobs({
    connection: { url: REDIS_URL },
    prefix: PREFIX,
    workers: ROLE === 'api' ? false : { concurrency: Number(CONCURRENCY) },
    resultTtlMs: Number(RESULT_TTL_MS),
    ...JSON.parse(JOBS),
  }),
};

class Host {}
Module({
  controllers: [HealthController],
  imports: [ROLE === 'worker' ? ToolsWorkerModule.forRoot(options) : ToolsModule.forRoot(options)],
})(Host);

const logger = ['error', 'warn'];
let app;
let address = '';
if (ROLE !== 'worker') {
  app = await NestFactory.create(Host, { logger });
  await app.listen(0, '127.0.0.1');
  address = (await app.getUrl()).replace('[::1]', '127.0.0.1');
} else {
  app = await NestFactory.createApplicationContext(Host, { logger });
}
process.stdin.resume().once('end', () => void app.close().then(() => process.exit(0)));
process.stdout.write(`ready ${address}\n`);
