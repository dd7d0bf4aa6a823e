import { isIP } from 'node:net';
import type { Pool } from 'pg';
import {
  documents,
  providersFromEnvironment,
  type SearchProvider,
  type ToolsModuleOptions,
} from '../lib/index.js';
import { hashApiKey } from '../lib/auth/api-key-store.js';
import type { PostgresDocuments } from '../lib/postgres/index.js';
import { DEMO_ARTICLES } from './content/articles/index.js';

/** What the environment says about the sample app. */
export interface Settings {
  host: string;
  port: number;
  /** Keys that are let in. */
  apiKeys: (string | { hash: string })[];
  /** True: nobody has set keys, so the demo key is in use. */
  demoKey: boolean;
  /** Requests a minute for each key; absent: no limit. */
  requestsPerMinute?: number;
  /** False: only the demo talks, no request to YouTube. */
  youtube: boolean;
  /** Whether the tools are served to agents over MCP. */
  mcp: boolean;
  /** Asked in order. */
  searchProviders: SearchProvider[];
  /** What the process is there for. */
  role: 'all' | 'api' | 'worker';
  /** Redis or Valkey, for what replicas share and for jobs; absent: every process is alone, and there are no jobs. */
  redisUrl?: string;
  /** Where the demo articles are searched; absent: in memory. */
  postgres?: { pool: Pool; articles: PostgresDocuments };
  /** The language model; empty: the embedded engines work alone. */
  model: Pick<ToolsModuleOptions, 'model' | 'modelOptions'>;
}

/** Everybody knows it: it is let in from this machine only. */
const DEMO_KEY = 'demo-key';

/**
 * Reads `HOST`, `PORT`, `TOOLS_API_KEYS` (keys or hashes `sha256:…`, separated by commas), `RATE_LIMIT`, `MCP`, `YOUTUBE`, `SEARCH_PROVIDERS` with the variables of the
 * providers that it names, `LLM_BASE_URL`, `LLM_API_KEY`, `LLM_MODEL`, `LLM_CONTEXT_TOKENS`, `REDIS_URL` and `ROLE`, and `DATABASE_URL`.
 * @throws Error naming the variable and what it accepts
 */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const postgres = await readPostgres(env);
  const demoArticles = (): SearchProvider => postgres?.articles ?? documents(DEMO_ARTICLES);
  const apiKeys = (env.TOOLS_API_KEYS ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
    .map((key) => (key.startsWith('sha256:') ? { hash: key } : key));
  const host = env.HOST || '127.0.0.1';
  const role = readRole(env);
  if (role.role !== 'worker' && !isLoopback(host) && (apiKeys.length === 0 || apiKeys.includes(DEMO_KEY)))
    throw new Error(
      `TOOLS_API_KEYS must hold keys of your own, because HOST=${host} is reached from other machines; npm run key makes one`,
    );
  return {
    host,
    port: integer('PORT', env.PORT, 0, 65_535) ?? 3000,
    apiKeys: apiKeys.length > 0 ? apiKeys : [{ hash: hashApiKey(DEMO_KEY) }],
    demoKey: apiKeys.length === 0,
    requestsPerMinute: integer('RATE_LIMIT', env.RATE_LIMIT, 1, 1_000_000),
    mcp: onOrOff('MCP', env.MCP) ?? true,
    youtube: onOrOff('YOUTUBE', env.YOUTUBE) ?? true,
    searchProviders: providersFromEnvironment(env, { documents: demoArticles }) ?? [demoArticles()],
    ...role,
    ...(postgres ? { postgres } : {}),
    model: await readModel(env),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readRole({ REDIS_URL: redisUrl, ROLE }: NodeJS.ProcessEnv): Pick<Settings, 'role' | 'redisUrl'> {
  const role = ROLE || 'all';
  if (role !== 'all' && role !== 'api' && role !== 'worker')
    throw new Error(`ROLE must be all, api or worker, received ${JSON.stringify(ROLE)}`);
  if (role !== 'all' && !redisUrl)
    throw new Error(`ROLE=${role} needs REDIS_URL, e.g. redis://127.0.0.1:6379`);
  // The error does not repeat the address: it may hold a password.
  if (redisUrl && !/^rediss?:\/\/./.test(redisUrl))
    throw new Error('REDIS_URL must begin with redis:// or rediss://, e.g. redis://127.0.0.1:6379');
  return redisUrl ? { role, redisUrl } : { role };
}

async function readPostgres({
  DATABASE_URL: connectionString,
}: NodeJS.ProcessEnv): Promise<Settings['postgres']> {
  if (!connectionString) return undefined;
  // The error does not repeat the address: it may hold a password.
  if (!/^postgres(?:ql)?:\/\/./.test(connectionString))
    throw new Error('DATABASE_URL must begin with postgres://, e.g. postgres://user@127.0.0.1:5432/articles');
  // Packages that only some set-ups need: loaded, they take memory.
  const { Pool } = await import('pg');
  const { postgresDocuments } = await import('../lib/postgres/index.js');
  const pool = new Pool({ connectionString });
  // A connection that breaks while nobody uses it would end the process.
  pool.on('error', (error) => process.stderr.write(`PostgreSQL: ${error.message}\n`));
  return { pool, articles: postgresDocuments({ pool }) };
}

/** Any server that speaks OpenAI's chat completions: OpenAI itself, Ollama, vLLM, LM Studio, a gateway. */
async function readModel(env: NodeJS.ProcessEnv): Promise<Settings['model']> {
  const { LLM_BASE_URL: baseURL, LLM_MODEL: name, LLM_API_KEY: apiKey } = env;
  if (!baseURL && !name) return {};
  if (!baseURL || !name) {
    throw new Error(
      'LLM_BASE_URL and LLM_MODEL belong together, e.g. http://127.0.0.1:11434/v1 and qwen3:8b',
    );
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL,
    apiKey,
    includeUsage: true,
    // A redirect would carry the transcript to wherever the server says, inside the network too.
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  });
  const contextTokens = integer('LLM_CONTEXT_TOKENS', env.LLM_CONTEXT_TOKENS, 1024, 100_000_000);
  return { model: provider(name), modelOptions: contextTokens === undefined ? {} : { contextTokens } };
}

function integer(name: string, value: string | undefined, min: number, max: number): number | undefined {
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new Error(`${name} must be an integer from ${min} to ${max}, received ${JSON.stringify(value)}`);
}

function onOrOff(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined || value === '') return undefined;
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error(`${name} must be on or off, received ${JSON.stringify(value)}`);
}
