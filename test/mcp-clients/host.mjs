/**
 * A host on the built package, as a process of its own. The first message of the parent is its settings; it sends its address when it listens.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { Module, ValidationPipe, VersioningType } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { map } = require('rxjs');
const { documents, memoryTranscripts, ToolsModule } = require('../../dist/index.js');
const { mcpController } = require('../../dist/mcp/mcp.controller.js');
const { resolveMcp } = require('../../dist/mcp/mcp.options.js');

const [{ adapter, dressed, keyless, fixtures }] = await once(process, 'message');

const TALK =
  'Coral reefs are built by tiny animals. Each coral polyp makes a cup of limestone. Warm water makes corals expel their algae, which is ' +
  'called bleaching. A bleached coral can recover when the water cools within a few weeks. Reefs protect coasts from storms.';

/** The tools that the conformance suite calls. */
const FIXTURES = [
  {
    name: 'test_simple_text',
    call: async () => ({
      text: 'This is a simple text response for testing.',
      structured: {},
      isError: false,
    }),
  },
  {
    name: 'test_error_handling',
    call: async () => ({
      text: 'This tool intentionally returns an error for testing',
      structured: {},
      isError: true,
    }),
  },
  {
    name: 'test_tool_with_progress',
    call: async (_args, { onProgress }) => {
      for (const done of [0, 50, 100]) {
        onProgress({ stage: 'test', done, total: 100 });
        await sleep(20);
      }
      return { text: 'done', structured: {}, isError: false };
    },
  },
].map((tool) => ({
  title: tool.name,
  description: tool.name,
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object' },
  ...tool,
}));

const tools = ToolsModule.forRoot({
  ...(keyless ? { guards: [] } : { apiKeys: ['a-key'] }),
  youtube: {
    transcripts: [memoryTranscripts({ sampleTalk1: { title: 'Coral reefs', language: 'en', text: TALK } })],
  },
  search: {
    providers: [
      documents([
        {
          url: 'https://school.example/vesuvius',
          title: 'Mount Vesuvius',
          text: 'Mount Vesuvius erupted in AD 79 and buried Pompeii.',
        },
        {
          url: 'https://school.example/cell',
          title: 'The cell',
          text: 'Robert Hooke discovered cells in 1665 with a simple microscope.',
        },
      ]),
    ],
  },
  logRequests: false,
  mcp: true,
});
if (fixtures) {
  const mount = {
    path: 'v1/tools',
    guards: [],
    operationIdSuffix: '',
    jobs: false,
    decorators: [],
    security: false,
  };
  const toolsOf = async () => ({ list: FIXTURES, cancel: () => undefined });
  tools.controllers = [
    ...tools.controllers,
    mcpController(mount, resolveMcp({ path: 'fixtures' }), [], toolsOf),
  ];
}

class Host {}
Module({ imports: [tools] })(Host);
const platform =
  adapter === 'fastify'
    ? new (require('@nestjs/platform-fastify').FastifyAdapter)()
    : new (require('@nestjs/platform-express').ExpressAdapter)();
const app = await NestFactory.create(Host, platform, { logger: ['error', 'warn'] });
if (dressed) {
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalInterceptors({
    intercept: (_context, next) => next.handle().pipe(map((body) => ({ host: body }))),
  });
}
await app.listen(0, '127.0.0.1');
process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
process.on('message', async (message) => {
  if (message === 'memory') {
    globalThis.gc();
    process.send({ heap: process.memoryUsage().heapUsed });
  }
});
process.on('disconnect', () => process.exit());
