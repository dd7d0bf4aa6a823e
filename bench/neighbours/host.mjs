// The host of one scenario, in a process of its own. Arguments: adapter, scenario, addresses of the upstreams as JSON.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pages } from './pages.mjs';

const require = createRequire(import.meta.url);
const { ToolsModule, unpdfReader } = require('../../dist/index.js');
const { dnsResolve } = require('../../dist/web/dns.js');
const { bullMqJobs } = require('../../dist/queue/index.js');
const { postgresDocuments } = require('../../dist/postgres/index.js');
const { Pool } = require('pg');
const [adapter, scenario, json] = process.argv.slice(2);
const { web, dns, llm, redis, postgres } = JSON.parse(json);

const HONEST = Array.from({ length: 10 }, (_, i) => `honest-${i}`);
const HOSTILE = 'hostile';
/** Ten honest keys and a hostile one, each with the same limits. */
const keys = (limits = {}) => [...HONEST.map((key) => ({ key })), { key: HOSTILE, limits }];

/** The provider resolves the engine's name by the system's resolver, as every upstream of a host is resolved. */
const engine = {
  name: 'engine',
  search: async ({ text }, { signal }) => {
    const response = await fetch(`http://localhost:${web}/search?q=${encodeURIComponent(text)}`, {
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
    const kind = ['forbidden', 'mute'].find((name) => id.startsWith(name));
    const text = (kind ? `This is ${kind}. ` : '') + WORDS;
    const count = id.startsWith('hours') ? 9_000 : id.startsWith('long') ? 1_500 : 60;
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

/** 20,000 pages in PostgreSQL. */
async function documentsIn(connectionString) {
  // As many connections as are of use to two cores.
  const pool = new Pool({ connectionString, max: 4 });
  pool.on('error', () => undefined);
  const documents = postgresDocuments({ pool });
  await documents.migrate();
  await documents.upsert(pages(20_000));
  await pool.query('ANALYZE');
  return documents;
}

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

/** Where `limits` is `{}`, one key may have a hundred requests at work. */
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
  'questions that the engine is slow at': { apiKeys: keys(), search },
  'misspelt questions to PostgreSQL': {
    apiKeys: keys(),
    search: { providers: postgres ? [await documentsIn(postgres)] : [] },
    limits: {},
  },
  'slow PDFs': {
    apiKeys: keys(),
    search: false,
    readPage: { allowHosts: [`127.0.0.1:${web}`], pdf: unpdfReader() },
    limits: {},
  },
  'long videos': { apiKeys: keys(), model, search: false, limits: {} },
  'prompts that the model is silent at': {
    apiKeys: keys(),
    model,
    search: false,
    summarize: { deadlineMs: 5_000 },
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
