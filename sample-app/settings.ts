import { documents, providersFromEnvironment, type SearchProvider } from '../lib/index.js';
import { DEMO_ARTICLES } from './content/articles/index.js';

/** What the environment says about the sample app. */
export interface Settings {
  host: string;
  port: number;
  /** Keys that are let in. */
  apiKeys: string[];
  /** True: nobody has set keys, so the demo key is in use. */
  demoKey: boolean;
  /** Requests a minute for each key; absent: no limit. */
  requestsPerMinute?: number;
  /** False: only the demo talks, no request to YouTube. */
  youtube: boolean;
  /** Asked in order. */
  searchProviders: SearchProvider[];
}

const DEMO_KEY = 'demo-key';

/**
 * Reads `HOST`, `PORT`, `TOOLS_API_KEYS` (separated by commas), `RATE_LIMIT`, `YOUTUBE`, and `SEARCH_PROVIDERS` with the variables of
 * the providers that it names.
 * @throws Error naming the variable and what it accepts
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const demoArticles = (): SearchProvider => documents(DEMO_ARTICLES);
  const apiKeys = (env.TOOLS_API_KEYS ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);
  return {
    host: env.HOST || '127.0.0.1',
    port: integer('PORT', env.PORT, 0, 65_535) ?? 3000,
    apiKeys: apiKeys.length > 0 ? apiKeys : [DEMO_KEY],
    demoKey: apiKeys.length === 0,
    requestsPerMinute: integer('RATE_LIMIT', env.RATE_LIMIT, 1, 1_000_000),
    youtube: onOrOff('YOUTUBE', env.YOUTUBE) ?? true,
    searchProviders: providersFromEnvironment(env, { documents: demoArticles }) ?? [demoArticles()],
  };
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
