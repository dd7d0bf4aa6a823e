/**
 * One replica as a process of its own: a small host on the built package. The first message of the parent is its settings, the second
 * tells it to stop; it sends its address when it listens.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HealthController } from './health-controller.mjs';

const require = createRequire(import.meta.url);
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { memoryTranscripts, ToolsModule } = require('nestjs-tools');
const { redisShared } = require('nestjs-tools/redis');

const [{ redis, llmUrl, talks, modelOptions, summarize }] = await once(process, 'message');

class Api {}
const model = createOpenAICompatible({ name: 'fake', baseURL: llmUrl, apiKey: 'key', includeUsage: true });
Module({
  imports: [
    ToolsModule.forRoot({
      apiKeys: [
        'key',
        { key: 'sixty-a-minute', name: 'sixty', limits: { requestsPerMinute: 60 } },
        { key: 'six-a-minute', name: 'six', limits: { requestsPerMinute: 6 } },
        { key: 'thousand-tokens-a-day', name: 'thousand', limits: { dailyTokens: 1000 } },
      ],
      model: model('fake-model'),
      modelOptions,
      youtube: { transcripts: [memoryTranscripts(talks)] },
      search: false,
      shared: redisShared(redis),
      mcp: true,
      summarize,
    }),
  ],
  controllers: [HealthController],
})(Api);

const app = await NestFactory.create(Api, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
process.once('message', async () => {
  await app.close();
  process.disconnect();
});
process.send({ url: await app.getUrl() });
