import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

const require = createRequire(import.meta.url);
/** The package as it is built. */
export const tools = require('../../dist/index.js');
const KEY = 'a-key';

/** The other side of the sockets: see `outside.mjs`. */
export async function startOutside() {
  const worker = new Worker(new URL('./outside.mjs', import.meta.url));
  const addresses = await new Promise((resolve) => worker.once('message', resolve));
  const waiting = new Map();
  let last = 0;
  worker.on('message', ({ id, result }) => {
    waiting.get(id)(result);
    waiting.delete(id);
  });
  const send = (name, value) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      worker.postMessage({ id: last, name, value });
    });
  return {
    ...addresses,
    /** Sets pages, videos, the model's answer. */
    set: (given) => send('set', given),
    ask: (url, tool, body) =>
      send('ask', {
        url: `${url}/v1/tools/${tool}`,
        headers: { 'content-type': 'application/json', 'x-api-key': KEY },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    end: () => worker.terminate(),
  };
}

/** A host with these options, listening. */
export async function startHost(options) {
  Logger.overrideLogger(false);
  class AppModule {}
  Module({ imports: [tools.ToolsModule.forRoot({ apiKeys: [KEY], ...options })] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
}

/** A model on the fake server. */
export function modelOn(llm) {
  return createOpenAICompatible({ name: 'fake', baseURL: llm, apiKey: 'key', includeUsage: true })('fake');
}
