// The sample app's module in a process of its own, with providers in front that ask the misbehaving upstream. Speaks to its parent over IPC.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const { Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const dist = '../../dist-app';
const { memoryTranscripts, ToolsExceptionFilter, ToolsModule } = require(`${dist}/lib/index.js`);
const { DEMO_TALKS } = require(`${dist}/sample-app/content/talks/index.js`);
const { parseJson, requestUpstream } = require(`${dist}/lib/core/upstream/request.js`);
const { withRetry } = require(`${dist}/lib/core/upstream/retry.js`);
const { UpstreamInvalidError, UpstreamUnavailableError } = require(`${dist}/lib/core/errors.js`);

const { UPSTREAM, KEY } = process.env;
const RESOLUTION_MS = 1;
const loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loopDelay.enable();
const faults = [];
process.on('unhandledRejection', (reason) => faults.push(`unhandled rejection: ${reason?.stack ?? reason}`));
process.on('uncaughtException', (error) => faults.push(`uncaught exception: ${error.stack}`));

/** Asks the upstream as every provider does: bounded, one retry layer, each failure typed. */
const ask = (path, subject, context) =>
  withRetry(
    async () => {
      const url = `${UPSTREAM}${path}?q=${encodeURIComponent(subject)}`;
      const response = await requestUpstream({ upstream: 'Soak', url, timeoutMs: 400 }, context);
      if (response.status === 429)
        throw new UpstreamUnavailableError('Soak is busy.', { retryAfterSeconds: 1 });
      if (response.status !== 200) throw new UpstreamInvalidError(`Soak answered ${response.status}.`);
      return parseJson(response, 'Soak');
    },
    context,
    { attempts: 2, baseMs: 20, capMs: 100 },
  );

const SUBJECT = /\bsoak\w{7}\b/;
const search = {
  name: 'soak',
  search: (query, context) => ask('/search', SUBJECT.exec(query.text)[0], context),
};
const transcripts = {
  name: 'soak',
  fetchTranscript: (id, _request, context) => ask('/transcript', id, context),
};

class SoakModule {}
Module({
  imports: [
    ToolsModule.forRoot({
      apiKeys: [{ key: KEY, name: 'soak' }],
      youtube: { transcripts: [memoryTranscripts(DEMO_TALKS), transcripts] },
      search: { providers: [search] },
      summarize: { deadlineMs: 3000 },
      logRequests: false,
    }),
  ],
})(SoakModule);

const app = await NestFactory.create(SoakModule, { logger: false });
app.useGlobalFilters(app.get(ToolsExceptionFilter));
await app.listen(0, '127.0.0.1');
// Opened now and not with the first line that Node itself writes, so that they are there when handles are first counted.
process.stdout.uncork();
process.stderr.uncork();

/** Resources that keep the process alive, by kind. */
const resources = () => {
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

process.on('message', async (message) => {
  if (message === 'stop') {
    await app.close();
    return process.disconnect();
  }
  const loop = {
    p99: loopDelay.percentile(99) / 1e6 - RESOLUTION_MS,
    max: loopDelay.max / 1e6 - RESOLUTION_MS,
  };
  // Twice: what is only reachable from a finalizer goes in the second round.
  global.gc();
  await new Promise((resolve) => setImmediate(resolve));
  global.gc();
  process.send({ heapUsed: process.memoryUsage().heapUsed, resources: resources(), faults, loop });
  loopDelay.reset();
});
process.send({ port: app.getHttpServer().address().port });
