/**
 * `npm run bench -- redis`: how large the entries of `redisShared` are in a real Redis, and what each step costs. Starts Debian's
 * `redis-server` and a fake model on loopback.
 */
import { createRequire } from 'node:module';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { startRedis } from '../test/redis/redis-server.mjs';
import { startFakeLlm } from '../test/support/fake-llm/fake-llm.mjs';

const require = createRequire(import.meta.url);
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { Redis } = require('ioredis');
const { documents, SearchService, SHARED_STATE, SummarizerService, ToolsModule } = require('nestjs-tools');
const { redisShared } = require('nestjs-tools/redis');

const WORDS = [
  'harbour',
  'engineer',
  'measured',
  'the',
  'winter',
  'bridge',
  'of',
  'committee',
  'described',
  'a',
];
const wordsOf = (count, from = 0) =>
  Array.from({ length: count }, (_, i) => WORDS[(i * 7 + from + (i >> 3)) % WORDS.length]).join(' ');
/** Ten words and four seconds a segment, as captions are. */
const transcripts = {
  name: 'made-up',
  fetchTranscript: (id) =>
    Promise.resolve({
      title: 'A made-up talk',
      language: 'en',
      captions: 'manual',
      durationMs: Number(id.slice(0, 6)) * 400,
      segments: Array.from({ length: Number(id.slice(0, 6)) / 10 }, (_, i) => ({
        startMs: i * 4000,
        endMs: i * 4000 + 3900,
        text: wordsOf(10, i),
      })),
      chapters: [],
    }),
};

const server = await startRedis();
const llm = await startFakeLlm();
const redis = new Redis(server.url);
const model = createOpenAICompatible({ name: 'fake', baseURL: llm.url, apiKey: 'key', includeUsage: true });
class Host {}
Module({
  imports: [
    ToolsModule.forRoot({
      controllers: false,
      model: model('fake-model'),
      modelOptions: { maxParallelCalls: 8, callsPerMinute: 10_000, tokensPerMinute: 100_000_000 },
      youtube: { transcripts: [transcripts] },
      search: {
        providers: [
          documents(
            Array.from({ length: 20 }, (_, i) => ({
              url: `https://example.org/${i}`,
              title: `Article ${i}`,
              text: wordsOf(300, i),
            })),
          ),
        ],
      },
      shared: redisShared({ url: server.url }),
    }),
  ],
})(Host);
const app = await NestFactory.createApplicationContext(Host, { logger: ['error', 'warn'] });
const summarizer = app.get(SummarizerService);
const search = app.get(SearchService);
const shared = app.get(SHARED_STATE);
const never = new AbortController().signal;

const seen = new Set();
const bytes = async (what) => {
  const fresh = (await redis.keys('*')).filter((key) => !seen.has(key)).sort();
  for (const key of fresh) {
    seen.add(key);
    console.log(`${what.padEnd(44)} ${String(await redis.memory('USAGE', key)).padStart(9)} B  ${key}`);
  }
};

console.log('Entries, as `MEMORY USAGE` has them');
await summarizer.summarize({ contentId: '010000aaaaa', method: 'recursive' });
await bytes('a talk of 10,000 words');
await summarizer.summarize({ contentId: '150000aaaaa', method: 'recursive' });
await bytes('a talk of 150,000 words');
await search.search({ query: 'harbour bridge', topN: 5 });
await bytes('a search, 5 results');
await search.search({ query: 'harbour bridge', llmAnswer: true });
await bytes('a search with an answer');
await shared.limits.add('minute:0123456789abcdef', 1, 60);
await bytes('a counter');
const lease = await shared.leases.acquire(
  'nestjs-tools:search:1:Gn0cGgWc3kqzP1mCyOK5dGnQn8O5zC1s7k5F0hV7x2I',
  5000,
);
await bytes('work under way');
await lease.release();
const permits = await Promise.all(
  Array.from({ length: 8 }, () =>
    shared.calls.acquire('other-model', { maxParallel: 8, callsPerMinute: 10_000 }, 1000, never),
  ),
);
await bytes('8 calls to a model under way');
for (const permit of permits) permit.release();

const ROUNDS = 2000;
const measure = async (what, work) => {
  for (let i = 0; i < 200; i++) await work(i);
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await work(i);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * ROUNDS)].toFixed(2);
  console.log(`${what.padEnd(44)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
};
console.log('\nOne step after the other, on loopback');
await shared.cache.set('nestjs-tools:small', 'x'.repeat(2000), 60_000);
await measure('read a result of 2 kB', () => shared.cache.get('nestjs-tools:small'));
await measure('count a request', () => shared.limits.add('minute:bench', 1, 60));
await measure('take and release a lease', async (i) =>
  (await shared.leases.acquire(`bench-${i}`, 5000)).release(),
);
await measure('enter and leave the gate of model calls', async () =>
  (await shared.calls.acquire('bench', { maxParallel: 8 }, 1000, never)).release(),
);
await measure('a cached search', () => search.search({ query: 'harbour bridge', topN: 5 }));

await app.close();
redis.disconnect();
await llm.close();
await server.stop();
