import { KEY_HASH } from './auth/api-key.js';
import type { ApiKeyEntry, ApiKeyOption, ApiKeyStore } from './auth/api-key-store.js';
import {
  checkKeyLimits,
  resolveLimits,
  type KeyLimits,
  type LimitOptions,
  type ResolvedLimits,
} from './auth/limits/limits.options.js';
import type { ContentSource } from './content/content-source.js';
import type { TranscriptProvider } from './content/youtube/transcript-provider.js';
import type { YouTubeSourceOptions } from './content/youtube/youtube.source.js';
import { memoryCacheStore, type CacheStore } from './core/cache-store.js';
import {
  isPlain,
  requireArray,
  requireInteger,
  requireKnownKeys,
  requireOneOf,
  requirePort,
} from './core/check-options.js';
import { InvalidOptionError } from './core/errors.js';
import { parseOption } from './core/schema.js';
import type { ProviderOption } from './core/ports.js';
import type { SharedState } from './core/shared-state.js';
import type { ToolsHooks } from './core/request-event.js';
import { TOOL_NAMES } from './core/tool-names.js';
import type { Budget, ModelOptions } from './model/options.js';
import type { LanguageModelLike } from './model/ai-sdk.js';
import type { AnswerVerifier } from './search/answer-engine.js';
import { contactAddress } from './search/providers/provider-options.js';
import type { SearchProvider } from './search/search-provider.js';
import {
  resolveSearchOptions,
  type ResolvedSearchOptions,
  type SearchOptions,
} from './search/search.options.js';
import { createPageReader, type PageReader, type PageReaderOptions } from './web/page-reader.js';
import { SUMMARY_LENGTHS, type Summarizer, type SummaryLength } from './summarize/summarizer.js';

/** How summaries are made. */
export interface SummarizeOptions {
  /** `short`, `medium` or `long`: about 100, 180 or 320 words. Default `medium`. */
  length?: SummaryLength;
  /** Time for a whole request, ms, 1,000..3,600,000. Default 120,000. */
  deadlineMs?: number;
  /** How long a summary is kept in the cache, ms; 0 keeps none. Default one hour. */
  cacheTtlMs?: number;
}

/** Where the words of YouTube videos come from, and how long they may take and are kept. */
export interface YouTubeOptions extends Omit<YouTubeSourceOptions, 'transcripts' | 'cache' | 'sharing'> {
  /** Tried in order. Default: `innertubeTranscripts()`. */
  transcripts?: readonly ProviderOption<TranscriptProvider>[];
}

/** Where and how the web is searched. */
export interface SearchModuleOptions extends SearchOptions {
  /** Asked in order. Default: You.com without a key, then Wikipedia; a line of the log says so at start. */
  providers?: readonly ProviderOption<SearchProvider>[];
  /**
   * An e-mail address or a web page of yours, told to the default providers. With one, Wikipedia answers 200 requests a minute instead
   * of 10. With `providers`, pass it to `wikipedia({ contact })` and `you({ contact })`. Default: none.
   */
  contact?: string;
  /** Highest `top_n` that is accepted, 1..50. Default 20. */
  maxTopN?: number;
  /** How pages are fetched whose provider gave only a snippet, or false: snippets are what there is. */
  pages?: PageReaderOptions | false;
  /**
   * A second look at answers that the model wrote: one more call that removes sentences whose meaning the sources do not support. `'model'`
   * asks the model itself; `modelVerifier(cheaperModel)` another one; or a verifier of the host's own. Default: none.
   */
  verifyAnswers?: 'model' | ProviderOption<AnswerVerifier>;
}

/** What happens to requests in flight when the host is stopped. */
export interface ShutdownOptions {
  /** How long they may go on, ms, 0..600,000; then they are cancelled. New ones are refused at once (503). Default 10,000. */
  graceMs?: number;
}

/** What a host may set; everything is optional. */
export interface ToolsModuleOptions {
  /** Keys that are let in, plain or as hashes, or a store of the host's own. Default none: every request is refused. */
  apiKeys?: readonly ApiKeyOption[] | ProviderOption<ApiKeyStore>;
  /** Settings of `summarize_content`, or false: the tool is off (501). */
  summarize?: SummarizeOptions | false;
  /**
   * A language model of the AI SDK (package `ai` 6 or 7), e.g. `openai('gpt-5-mini')`: it then writes the summaries. Default none: the
   * embedded engines do.
   */
  model?: LanguageModelLike;
  /** What is known of the model: window, parallel calls, calls and tokens a minute, prices. */
  modelOptions?: ModelOptions;
  /** Reads the parts of long transcripts; a cheaper one will do. Default: `model`. */
  mapModel?: LanguageModelLike;
  /** Default: `modelOptions` where `mapModel` is not given, else their defaults. */
  mapModelOptions?: ModelOptions;
  /** Sees the pictures of `multi_modal`. Default: `model`. */
  visionModel?: LanguageModelLike;
  /** Default: `modelOptions` where `visionModel` is not given, else their defaults. */
  visionModelOptions?: ModelOptions;
  /** What one request may cost in model calls; checked before each call. Default: no limit. */
  budget?: Budget;
  /** The engine that writes summaries. Default: one on `model`, else the embedded extractive one, which needs no key and no network. */
  summarizer?: ProviderOption<Summarizer>;
  /** Settings of the source type `youtube`. */
  youtube?: YouTubeOptions;
  /** Further sources, or one of the host's own in place of `youtube`. */
  contentSources?: readonly ProviderOption<ContentSource>[];
  /** Settings of `search_web`, or false: the tool is off (501). */
  search?: SearchModuleOptions | false;
  /** Limits on requests, budgets, and how much runs at once. Default: 100 pieces of work at once, 200 waiting. */
  limits?: LimitOptions;
  /** Where summaries and answers are kept: any Keyv instance, or false for nowhere. Default: what `shared` has, else in memory, 64 MiB. */
  cache?: CacheStore | false;
  /**
   * What the replicas of this host share, e.g. `redisShared({ url })` of `nestjs-tools/redis`: results, counters, equal work and the model's
   * limits. `cache` and `limits.store` can still be set on their own. Default: every process is alone.
   */
  shared?: ProviderOption<SharedState>;
  /** Functions that are told of requests, e.g. for billing. */
  hooks?: ToolsHooks;
  /** Whether each request is one line in Nest's log when it has ended. Default true. */
  logRequests?: boolean;
  /** What happens when the host is stopped; the host must have called `app.enableShutdownHooks()` for signals to count. */
  shutdown?: ShutdownOptions;
}

/** The options with every default filled in. */
export interface ResolvedToolsOptions {
  apiKeys: readonly ApiKeyOption[] | ProviderOption<ApiKeyStore>;
  summarize: Required<SummarizeOptions> & { enabled: boolean };
  summarizer?: ProviderOption<Summarizer>;
  youtube: YouTubeOptions;
  contentSources: readonly ProviderOption<ContentSource>[];
  search: {
    providers?: readonly ProviderOption<SearchProvider>[];
    contact?: string;
    maxTopN: number;
    pages?: PageReader;
    verifyAnswers?: 'model' | ProviderOption<AnswerVerifier>;
    service: ResolvedSearchOptions;
  };
  limits: ResolvedLimits;
  cache?: CacheStore;
  shared?: SharedState;
  hooks: ToolsHooks;
  logRequests: boolean;
  shutdown: Required<ShutdownOptions>;
}

/** What must be known when the module is defined, and stands beside the options; a factory comes too late to give it. */
export const EXTRA_NAMES = ['path', 'guards', 'controllers', 'jobs', 'isGlobal', 'imports'] as const;

/** What says nothing without a `model`. */
const MODEL_DEPENDENTS = [
  'modelOptions',
  'mapModel',
  'mapModelOptions',
  'visionModel',
  'visionModelOptions',
  'budget',
] as const satisfies readonly (keyof ToolsModuleOptions)[];

/** What `resolveOptions` takes. */
const OPTION_NAMES = [
  'apiKeys',
  'summarize',
  'model',
  ...MODEL_DEPENDENTS,
  'summarizer',
  'youtube',
  'contentSources',
  'search',
  'limits',
  'cache',
  'shared',
  'hooks',
  'logRequests',
  'shutdown',
] as const;

/**
 * Fills in the defaults and checks everything once, at start; but for the models, which `resolveModels` makes.
 * @param shared what is behind the option `shared`; default: nothing
 * @throws InvalidOptionError saying what was expected and what came
 */
export function resolveOptions(options: ToolsModuleOptions, shared?: SharedState): ResolvedToolsOptions {
  const misplaced = EXTRA_NAMES.find((name) => Object.hasOwn(options, name));
  if (misplaced) throw new InvalidOptionError(misplaced, 'given beside `useFactory` and not by it');
  requireKnownKeys('options', options, OPTION_NAMES, EXTRA_NAMES);
  const { apiKeys = [], youtube = {}, contentSources = [], limits = {} } = options;
  if (Array.isArray(apiKeys)) apiKeys.forEach((key: unknown, index) => checkApiKey(`apiKeys[${index}]`, key));
  else checkKeyStore(apiKeys);
  checkModels(options);
  requireKnownKeys('youtube', youtube, ['transcripts', 'deadlineMs', 'hopMs', 'cacheTtlMs', 'failureTtlMs']);
  if (youtube.transcripts !== undefined) requireArray('youtube.transcripts', youtube.transcripts);
  return {
    apiKeys: apiKeys as ResolvedToolsOptions['apiKeys'],
    summarize: resolveSummarize(options.summarize ?? {}),
    summarizer: options.summarizer,
    youtube,
    contentSources: requireArray('contentSources', contentSources),
    search: resolveSearch(options.search ?? {}),
    limits: resolveLimits(limits, shared?.limits),
    cache: resolveCache(options.cache ?? shared?.cache),
    shared,
    ...resolveOperation(options),
  };
}

function resolveOperation(
  options: ToolsModuleOptions,
): Pick<ResolvedToolsOptions, 'hooks' | 'logRequests' | 'shutdown'> {
  const { hooks = {}, logRequests = true, shutdown = {} } = options;
  requireKnownKeys('hooks', hooks, ['onUsage']);
  if (hooks.onUsage !== undefined && typeof hooks.onUsage !== 'function')
    throw new InvalidOptionError('hooks.onUsage', 'a function', hooks.onUsage);
  if (typeof logRequests !== 'boolean')
    throw new InvalidOptionError('logRequests', 'true or false', logRequests);
  requireKnownKeys('shutdown', shutdown, ['graceMs']);
  const { graceMs = 10_000 } = shutdown;
  return {
    hooks,
    logRequests,
    shutdown: { graceMs: requireInteger('shutdown.graceMs', graceMs, 0, 600_000) },
  };
}

function checkModels(options: ToolsModuleOptions): void {
  if (options.model === undefined) {
    const useless = MODEL_DEPENDENTS.find((key) => options[key] !== undefined);
    if (useless) throw new InvalidOptionError(useless, 'given together with `model`', options[useless]);
  }
  for (const name of ['model', 'mapModel', 'visionModel'] as const)
    if (options[name] !== undefined) checkModel(name, options[name]);
}

function checkModel(option: string, model: LanguageModelLike): void {
  if (typeof model === 'string' && model !== '') return;
  const version = (model as { specificationVersion?: unknown } | null)?.specificationVersion;
  if (typeof version === 'string') return;
  throw new InvalidOptionError(option, "a language model of the AI SDK, e.g. openai('gpt-5-mini')", model);
}

const MAX_TTL_MS = 365 * 24 * 3_600_000;

function resolveCache(cache: CacheStore | false | undefined): CacheStore | undefined {
  if (cache === false) return undefined;
  return cache === undefined ? memoryCacheStore() : requirePort('cache', 'CacheStore', cache, ['get', 'set']);
}

function resolveSummarize(summarize: SummarizeOptions | false): ResolvedToolsOptions['summarize'] {
  const given = summarize === false ? {} : summarize;
  requireKnownKeys('summarize', given, ['length', 'deadlineMs', 'cacheTtlMs']);
  const { length = 'medium', deadlineMs = 120_000, cacheTtlMs = 3_600_000 } = given;
  return {
    enabled: summarize !== false,
    length: requireOneOf('summarize.length', length, SUMMARY_LENGTHS),
    deadlineMs: requireInteger('summarize.deadlineMs', deadlineMs, 1_000, 3_600_000),
    cacheTtlMs: requireInteger('summarize.cacheTtlMs', cacheTtlMs, 0, MAX_TTL_MS),
  };
}

const SEARCH_KEYS = [
  'providers',
  'contact',
  'pages',
  'maxTopN',
  'cacheTtlMs',
  'deadlineMs',
  'answerDeadlineMs',
  'hedgeAfterMs',
  'combine',
  'rewrite',
  'language',
  'freshness',
  'includeDomains',
  'excludeDomains',
  'readPages',
  'readMs',
  'answerPassages',
  'answerThreshold',
  'verifyAnswers',
] as const;

function resolveSearch(search: SearchModuleOptions | false): ResolvedToolsOptions['search'] {
  const given = search === false ? {} : search;
  requireKnownKeys('search', given, SEARCH_KEYS);
  const { providers, contact, maxTopN = 20, pages = {}, verifyAnswers, ...service } = given;
  if (typeof verifyAnswers === 'string' && verifyAnswers !== 'model') {
    throw new InvalidOptionError('search.verifyAnswers', '"model" or an AnswerVerifier', verifyAnswers);
  }
  if (providers !== undefined && contact !== undefined) {
    const expected = 'absent with `search.providers`: pass it to wikipedia({ contact }) and you({ contact })';
    throw new InvalidOptionError('search.contact', expected, contact);
  }
  return {
    contact: parseOption('search.contact', contactAddress, contact),
    providers: providers === undefined ? undefined : requireArray('search.providers', providers),
    maxTopN: requireInteger('search.maxTopN', maxTopN, 1, 50),
    pages: pages === false ? undefined : createPageReader(pages),
    verifyAnswers,
    service: { ...resolveSearchOptions(service), enabled: search !== false },
  };
}

const KEY_FORMS = 'a non-empty string, or { key | hash, name, expiresAt, tools, limits }';

function withheldUnlessAbsent(value: unknown): unknown {
  return value === undefined || value === null ? value : InvalidOptionError.WITHHELD;
}

/** Refuses what looks like keys in a wrong form; what a store lacks is said when it is there. */
function checkKeyStore(value: unknown): void {
  if (Object(value) === value && !isKeysByName(value as object)) return;
  const expected = 'an array of keys, or an ApiKeyStore';
  throw new InvalidOptionError('apiKeys', expected, withheldUnlessAbsent(value));
}

/** `{ 'nt_…': 'billing' }` */
function isKeysByName(value: object): boolean {
  const values: unknown[] = Object.values(value);
  return isPlain(value) && values.length > 0 && values.every((v) => typeof v === 'string');
}

function checkApiKey(option: string, value: unknown): void {
  // What came is not repeated where it may be a key.
  if (typeof value === 'string') {
    if (value.trim() === '' || value !== value.trim()) {
      throw new InvalidOptionError(
        option,
        'a non-empty string without surrounding white space',
        InvalidOptionError.WITHHELD,
      );
    }
    // Taken as a key, whoever has seen the configuration could get in with the hash itself.
    if (/^sha256:/i.test(value)) {
      const expected = "a plain key; a hash is given as `{ hash: 'sha256:…' }`";
      throw new InvalidOptionError(option, expected, InvalidOptionError.WITHHELD);
    }
    return;
  }
  if (typeof value !== 'object' || value === null)
    throw new InvalidOptionError(option, KEY_FORMS, withheldUnlessAbsent(value));
  const names = ['key', 'hash', 'name', 'expiresAt', 'tools', 'limits'] as const;
  // A key in place of a name is not repeated either.
  if (!names.some((name) => name in value))
    throw new InvalidOptionError(option, KEY_FORMS, InvalidOptionError.WITHHELD);
  requireKnownKeys(option, value as ApiKeyEntry, names);
  const { key, hash, name, expiresAt, tools, limits } = value as Record<string, unknown>;
  if ((key === undefined) === (hash === undefined)) {
    throw new InvalidOptionError(option, 'an entry with one of `key` and `hash`', value);
  }
  if (key !== undefined && typeof key !== 'string')
    throw new InvalidOptionError(`${option}.key`, 'a non-empty string', withheldUnlessAbsent(key));
  if (key !== undefined) checkApiKey(`${option}.key`, key);
  if (hash !== undefined && (typeof hash !== 'string' || !KEY_HASH.test(hash))) {
    const expected = '`sha256:` and 64 hexadecimal digits in lower case';
    throw new InvalidOptionError(`${option}.hash`, expected, InvalidOptionError.WITHHELD);
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new InvalidOptionError(`${option}.name`, 'a non-empty string', name);
  }
  if (expiresAt !== undefined && Number.isNaN(new Date(expiresAt as string | Date).getTime())) {
    throw new InvalidOptionError(
      `${option}.expiresAt`,
      'an ISO 8601 date or a Date',
      InvalidOptionError.WITHHELD,
    );
  }
  if (tools !== undefined) {
    for (const tool of requireArray(`${option}.tools`, tools as string[]))
      requireOneOf(`${option}.tools`, tool, TOOL_NAMES);
  }
  if (limits !== undefined) checkKeyLimits(`${option}.limits`, limits as KeyLimits);
}
