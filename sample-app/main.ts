import 'reflect-metadata';
import type { AddressInfo, Server } from 'node:net';
import { ConsoleLogger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { createApp } from './create-app.js';
import { readSettings, type Settings } from './settings.js';

/** Leaves out what Nest says of each module and route at start. */
class ToolsLogger extends ConsoleLogger {
  override log(message: unknown, ...more: unknown[]): void {
    if (more.at(-1) === 'ToolsModule') super.log(message, ...more);
  }
}

async function main(): Promise<void> {
  const logger = new ToolsLogger({ logLevels: ['error', 'warn', 'log'] });
  const settings = await readSettings(process.env);
  if (settings.role === 'worker') {
    const worker = await NestFactory.createApplicationContext(AppModule.register(settings), { logger });
    worker.enableShutdownHooks();
    process.stdout.write('nestjs-tools is working on jobs\n');
    return;
  }
  const app = await createApp(settings, { logger });
  await app.listen(settings.port, settings.host);
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  process.stdout.write(welcome(settings, port));
}

/** What a provider searches, for people. */
const SEARCHED: Readonly<Record<string, string>> = {
  documents: 'the demo articles',
  postgres: 'the demo articles in PostgreSQL',
};

function welcome(settings: Settings, port: number): string {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const url = `http://${host}:${port}`;
  // Double quotes, in which a shell puts the value of the variable.
  const header = settings.demoKey ? `'X-API-Key: demo-key'` : '"X-API-Key: $TOOLS_API_KEY"';
  const curl = (tool: string, body: object): string =>
    `curl -s ${url}/v1/tools/${tool} -H ${header} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
  return [
    `nestjs-tools is listening on ${url}`,
    `  Try it       ${url}`,
    `  Swagger UI   ${url}/docs`,
    `  OpenAPI      ${url}/openapi.json`,
    `  Health       ${url}/health`,
    `  MCP          ${settings.mcp ? `${url}/v1/tools/mcp (MCP=off to switch off)` : 'off'}`,
    `  API key      ${settings.demoKey ? 'demo-key (set TOOLS_API_KEYS for your own)' : `${settings.apiKeys.length} from TOOLS_API_KEYS; for the commands below: export TOOLS_API_KEY=one of them`}`,
    `  Videos       the demo talks sampleTalk1 … sampleTalk7${settings.youtube ? ', then YouTube' : ' only (YOUTUBE=off)'}`,
    `  Model        ${settings.model.model ? process.env.LLM_MODEL : 'none (the embedded engines; set LLM_BASE_URL and LLM_MODEL for one)'}`,
    `  Jobs         ${settings.redisUrl === undefined ? 'none (set REDIS_URL for them)' : `on Redis, ${settings.role === 'api' ? 'done by workers (ROLE=worker)' : 'done here too'}`}`,
    `  Search       ${settings.searchProviders.map(({ name }) => SEARCHED[name] ?? name).join(', then ')}`,
    '',
    curl('summarize_content', { content_id: 'sampleTalk1' }),
    '',
    curl('search_web', { query: 'Common organelles within a human eukaryote', llm_answer: true }),
    '',
    '',
  ].join('\n');
}

main().catch((error: unknown) => {
  const { code, port, message } = error as Partial<NodeJS.ErrnoException & { port: number }>;
  const taken = `Port ${port} is in use. Choose another one: PORT=${(port ?? 0) + 1} npm start`;
  process.stderr.write(`${code === 'EADDRINUSE' ? taken : (message ?? String(error))}\n`);
  process.exit(1);
});
