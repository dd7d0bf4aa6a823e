// The host of one scenario, in a process of its own. Arguments: adapter, scenario, addresses of the upstreams as JSON.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const require = createRequire(import.meta.url);
const { ToolsModule } = require('../../dist/index.js');
const { dnsResolve } = require('../../dist/web/dns.js');
const { bullMqJobs } = require('../../dist/queue/index.js');
const [adapter, scenario, json] = process.argv.slice(2);
const { web, dns, llm, redis } = JSON.parse(json);

const HONEST = Array.from({ length: 10 }, (_, i) => `honest-${i}`);
const HOSTILE = 'hostile';
/** Ten honest keys and a hostile one, each with the same limits. */
const keys = (limits = {}) => [...HONEST.map((key) => ({ key })), { key: HOSTILE, limits }];

/** The provider resolves the engine's name by the system's resolver, as every upstream of a host is resolved. */
const engine = {
  name: 'engine',
  search: async ({ query }, { signal }) => {
    const response = await fetch(`http://localhost:${web}/search?q=${encodeURIComponent(query)}`, {
      signal,
      headers: { connection: 'close' },
    });
    return { hits: await response.json() };
  },
};
const WORDS = 'The reef is built by tiny animals that live in warm and shallow water near the coast. ';
const videos = {
  sourceType: 'youtube',
  identify: (id) => id,
  urlAt: (id, seconds) => `https://example.org/${id}?t=${seconds}`,
  load: async (id, _request, { signal }) => {
    await sleep(200, undefined, { signal });
    const text = (id.startsWith('forbidden') ? 'This is forbidden. ' : '') + WORDS;
    const count = id.startsWith('long') ? 9_000 : 60;
    return {
      id,
      url: `https://example.org/${id}`,
      language: 'en',
      captions: 'manual',
      chapters: [],
      provider: 'videos',
      segments: Array.from({ length: count }, (_, i) => ({
        startMs: i * 5_000,
        endMs: i * 5_000 + 4_900,
        text,
      })),
    };
  },
};
const model = createOpenAICompatible({ name: 'fake', baseURL: llm, apiKey: 'key', includeUsage: true })(
  'fake',
);
const search = {
  providers: [engine],
  pages: { allowHosts: [`127.0.0.1:${web}`], resolve: dnsResolve({ servers: [dns] }) },
};
const base = {
  cache: false,
  contentSources: [videos],
  logRequests: false,
  limits: { concurrency: { perKey: 4 } },
};

/** A key store as a database is one: each look-up takes 10 ms, five at once. */
function slowKeyStore() {
  let running = 0;
  const waiting = [];
  return {
    verify: async (key) => {
      if (running >= 5) await new Promise((resolve) => waiting.push(resolve));
      running++;
      await sleep(10);
      running--;
      waiting.shift()?.();
      return HONEST.includes(key) ? { id: key, name: key } : undefined;
    },
  };
}

const OPTIONS = {
  'silent names': { apiKeys: keys(), search },
  'refusals by a filter': { apiKeys: keys(), model, search: false },
  'a queue of one': { apiKeys: keys({ concurrency: 1 }), search: false },
  'huge results': { apiKeys: keys(), search },
  'jobs beyond the budget': {
    apiKeys: keys({ dailyTokens: 20_000 }),
    model,
    search: false,
    ...(redis ? { jobs: bullMqJobs({ connection: { url: redis }, prefix: `bench-${process.pid}` }) } : {}),
  },
  'wrong keys': {
    apiKeys: slowKeyStore(),
    search,
    limits: { ...base.limits, failedKeysPerMinute: 20 },
  },
};

Logger.overrideLogger(false);
class AppModule {}
Module({ imports: [ToolsModule.forRoot({ ...base, ...OPTIONS[scenario] })] })(AppModule);
const app =
  adapter === 'Fastify'
    ? await NestFactory.create(AppModule, new (require('@nestjs/platform-fastify').FastifyAdapter)(), {
        logger: false,
      })
    : await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
process.on('disconnect', () => process.exit(0));
