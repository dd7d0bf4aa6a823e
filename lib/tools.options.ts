import { LIMITS_SCHEMA, resolveApiKeys, resolveLimits, type AuthOptions } from './auth/auth.options.js';
import { resolveContent, YOUTUBE_SCHEMA, type ContentModuleOptions } from './content/content.providers.js';
import { memoryCacheStore, type CacheStore } from './core/cache.js';
import { InvalidOptionError } from './core/errors.js';
import type { ProviderOption } from './core/ports.js';
import type { ToolsHooks } from './core/request-event.js';
import {
  anything,
  boolean,
  check,
  func,
  integer,
  isRecord,
  oneOf,
  optional,
  options,
  parseOption,
  port,
  union,
  withDefault,
  type Schema,
} from './core/schema.js';
import type { SharedState } from './core/shared-state.js';
import { checkModels, type ModelModuleOptions } from './model/model.providers.js';
import type { Summarizer } from './summarize/summarizer.js';
import { resolveToolOption, type HostOptions } from './tools/tool-definition.js';
import { TOOLS, type ToolOptions } from './tools/tools.js';

/** Options for stopping the host. */
export interface ShutdownOptions {
  /** Time for running requests to finish, ms, 0..600,000; then they are cancelled. New ones are refused at once (503). Default 10,000. */
  graceMs?: number;
}

/** Options of the module; all are optional. */
export interface ToolsModuleOptions
  extends AuthOptions, ModelModuleOptions, ContentModuleOptions, ToolOptions {
  /** The engine that writes summaries. Default: one on `model`, else the embedded extractive one, which needs no key and no network. */
  summarizer?: ProviderOption<Summarizer>;
  /** Where summaries and answers are cached: any Keyv instance, or false for nowhere. Default: the cache of `shared`, else in memory, 64 MiB. */
  cache?: CacheStore | false;
  /**
   * State that the replicas of this host share, e.g. `redisShared({ url })` of `nestjs-tools/redis`: results, counters, equal work and the model's
   * limits. `cache` and `limits.store` can still be set on their own. Default: every process is alone.
   */
  shared?: ProviderOption<SharedState>;
  /** Functions that are called at fixed moments, e.g. for billing. */
  hooks?: ToolsHooks;
  /** Whether each request is one line in Nest's log when it has ended. Default true. */
  logRequests?: boolean;
  /** Options for stopping the host. The host must call `app.enableShutdownHooks()` to react to signals. */
  shutdown?: ShutdownOptions;
}

/** Options that are needed before any factory runs. They stand next to `useFactory`. */
export const EXTRA_NAMES = [
  'path',
  'guards',
  'decorators',
  'security',
  'controllers',
  'jobs',
  'mcp',
  'isGlobal',
  'imports',
] as const;

/** Checked by the folder that it belongs to. */
const ELSEWHERE = anything();

const FIELDS = {
  apiKeys: ELSEWHERE,
  ...Object.fromEntries(TOOLS.map(({ option }) => [option.name, ELSEWHERE])),
  model: ELSEWHERE,
  modelOptions: ELSEWHERE,
  mapModel: ELSEWHERE,
  mapModelOptions: ELSEWHERE,
  visionModel: ELSEWHERE,
  visionModelOptions: ELSEWHERE,
  budget: ELSEWHERE,
  summarizer: ELSEWHERE,
  youtube: ELSEWHERE,
  contentSources: ELSEWHERE,
  limits: ELSEWHERE,
  cache: optional(union(oneOf(false), port<CacheStore>('Keyv store or another CacheStore', 'get', 'set'))),
  shared: ELSEWHERE,
  hooks: withDefault(options<ToolsHooks>({ onUsage: optional(func()), onBatchEnd: optional(func()) }), {}),
  logRequests: withDefault(boolean(), true),
  shutdown: withDefault(options({ graceMs: withDefault(integer(0, 600_000), 10_000) }), { graceMs: 10_000 }),
} satisfies Partial<Record<keyof ToolsModuleOptions, Schema<unknown>>>;

/** Paths of the options one level down whose names say where they belong, and of what is called otherwise elsewhere. */
const PATHS = new Map([
  ...pathsOf([
    ...TOOLS.map(({ option }) => [option.name, option.schema] as const),
    ['youtube', YOUTUBE_SCHEMA],
    ['limits', LIMITS_SCHEMA],
  ]),
  ['documents', 'search.providers'],
  ['rateLimit', 'limits.requestsPerMinute'],
]);

const OPTIONS = options(FIELDS, EXTRA_NAMES, PATHS);

/** Paths of fields by their name; several schemas may have a field of one name. */
function pathsOf(schemas: readonly (readonly [string, Schema<unknown>])[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [name, { fields = [] }] of schemas)
    for (const field of fields) {
      const others = paths.get(field);
      paths.set(field, `${others === undefined ? '' : `${others}\` or \``}${name}.${field}`);
    }
  return paths;
}

/** @throws InvalidOptionError for anything else, e.g. what a factory returns that found no configuration */
export function requireObject(options: unknown): void {
  parseOption('', check('an object', isRecord), options);
  if (typeof (options as { then?: unknown }).then === 'function')
    throw new InvalidOptionError(
      'forRoot',
      'an object and not a Promise: use `await`, or `forRootAsync({ useFactory })`',
    );
}

/**
 * Checks everything once, at start, and fills in the defaults. The models' own options are checked when their clients are created.
 * @param shared value of the option `shared`, resolved; default: none
 * @throws InvalidOptionError
 */
export function resolveOptions(options: ToolsModuleOptions, shared?: SharedState): HostOptions {
  requireObject(options);
  const misplaced = EXTRA_NAMES.find((name) => Object.hasOwn(options, name));
  if (misplaced)
    throw new InvalidOptionError(misplaced, 'passed next to `useFactory`, not returned by the factory');
  const { cache = shared?.cache ?? memoryCacheStore(), ...parsed } = parseOption('', OPTIONS, options);
  checkModels(options);
  return {
    ...parsed,
    apiKeys: resolveApiKeys(options.apiKeys),
    limits: resolveLimits(options.limits, shared?.limits),
    ...Object.fromEntries(
      TOOLS.map(({ option }) => [
        option.name,
        resolveToolOption(option, (options as HostOptions)[option.name]),
      ]),
    ),
    ...resolveContent(options),
    cache: cache === false ? undefined : cache,
    shared,
  };
}
