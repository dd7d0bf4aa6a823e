import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { MemoryTranscript } from '../../lib/content/youtube/providers/memory.provider.js';
import type { ModelOptions } from '../../lib/model/options.js';
import type { RedisSharedOptions } from '../../lib/redis/index.js';
import type { SummarizeOptions } from '../../lib/summarize/summarize.options.js';

/** What a replica is told. */
export interface ApiSettings {
  redis: RedisSharedOptions;
  llmUrl: string;
  talks: Record<string, MemoryTranscript>;
  modelOptions?: ModelOptions;
  summarize?: SummarizeOptions;
}

/** One replica in a process of its own; its key is `key` where no other is given. */
export interface ApiProcess {
  summarize(contentId: string, init?: RequestInit): Promise<Response>;
  /** Sends a message to its MCP endpoint. @returns the result */
  mcp(method: string, params?: object, key?: string): Promise<Record<string, unknown>>;
  /** What its health indicator says. */
  health(): Promise<{ tools: { status: string; shared: { status: string; detail?: string } } }>;
  /** Its log so far. */
  log(): string;
  /** As a crash does. */
  kill(): Promise<void>;
  /** As a deployment does. */
  stop(): Promise<void>;
}

const running: ChildProcess[] = [];

/** Starts a replica on a free loopback port; needs the built package. */
export async function startApi(settings: ApiSettings): Promise<ApiProcess> {
  const child = fork('test/redis/replica-host.mjs', {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  running.push(child);
  child.send(settings);
  let log = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (log += String(chunk)));
  const gone = once(child, 'exit');
  const started = once(child, 'message');
  const url = await Promise.race([
    started.then(([message]) => (message as { url: string }).url.replace('[::1]', '127.0.0.1')),
    gone.then(() => Promise.reject(new Error(`The replica did not start: ${log}`))),
  ]);
  const health: ApiProcess['health'] = async () => (await (await fetch(`${url}/health`)).json()) as never;
  // On a busy machine it may have begun without Redis.
  while ((await health()).tools.shared.status !== 'up')
    await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    summarize: (contentId, init = {}) =>
      fetch(`${url}/v1/tools/summarize_content`, {
        method: 'POST',
        ...init,
        headers: { 'Content-Type': 'application/json', 'X-API-Key': 'key', ...init.headers },
        body: JSON.stringify({ content_id: contentId }),
      }),
    mcp: async (method, params = {}, key = 'key') => {
      const answer = await fetch(`${url}/v1/tools/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return ((await answer.json()) as { result: Record<string, unknown> }).result;
    },
    health,
    log: () => log,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
    stop: async () => {
      child.send('stop');
      await gone;
    },
  };
}

/** Ends every replica that still runs, for `afterEach`. */
export async function killApis(): Promise<void> {
  await Promise.all(
    running.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }),
  );
}
