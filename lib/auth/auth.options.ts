import {
  array,
  check,
  integer,
  isRecord,
  nullable,
  numberAbove,
  object,
  oneOf,
  optional,
  options,
  parseOption,
  port,
  refine,
  secret,
  string,
  union,
  withheld,
  type Fields,
} from '../core/schema.js';
import { MemoryLimitStore, type LimitStore } from '../core/shared-state.js';
import type { ProviderOption } from '../core/ports.js';
import type { DomainLists } from '../core/domains.js';
import { TOOL_NAMES, type ToolName } from '../core/request-event.js';
import {
  KEY_HASH,
  storeOf,
  type ApiKeyEntry,
  type ApiKeyIdentity,
  type ApiKeyOption,
  type ApiKeyStore,
  type VerifyKey,
} from './api-key-store.js';

/** Limits of one caller; absent: no limit. */
export interface CallerLimits {
  /** Requests a minute for each key, all tools together, 1..1,000,000. Default: no limit. */
  requestsPerMinute?: number;
  /** Requests a minute for one tool, e.g. `{ summarize_content: 10 }`, 1..1,000,000; applies in addition to `requestsPerMinute`. Default: no limit. */
  tools?: Partial<Record<ToolName, number>>;
  /** Model tokens (sent and received) a day for each key, 1..10^12; the day starts at midnight UTC. Default: no limit. */
  dailyTokens?: number;
  /** Money a day for each key, more than 0, in the unit of the prices in `modelOptions`, `search.prices` and `speechTranscripts()`. Default: no limit. */
  dailyCost?: number;
}

/** Limits of one key. Each one overrides the global limit of the same name. */
export interface KeyLimits extends CallerLimits {
  /** Pieces of work at once, 1..100,000. */
  concurrency?: number;
}

/** How much work runs at once. Answers from the cache and requests that share running work do not count. */
export interface ConcurrencyOptions {
  /** In total, 1..100,000. Default 100. */
  total?: number;
  /** For each key, 1..100,000. Default: as `total`. */
  perKey?: number;
  /** How many requests may wait for a slot, 0..1,000,000. Default 200; any more get 503. */
  queue?: number;
  /** How long a request may wait, ms, 1..600,000. Default 10,000; then it gets 503. */
  queueTimeoutMs?: number;
}

/** Limits on requests; each can be overridden for one key (`ApiKeyEntry.limits`). */
export interface LimitOptions extends CallerLimits {
  /** How much work runs at once, or false for no limit. */
  concurrency?: ConcurrencyOptions | false;
  /**
   * Refused keys and access tokens a minute for each client address, 1..1,000,000. Beyond it nobody is asked about them and the answer is 429.
   * Default: no limit. Set it where looking up a key is expensive, and only where the host knows the client's address (behind a proxy:
   * `trust proxy`); otherwise one bad client locks out everybody behind the same proxy.
   */
  failedKeysPerMinute?: number;
  /** Where limits are counted. Default: in `shared` where that is set, otherwise in this process. */
  store?: LimitStore;
}

export interface ResolvedLimits {
  caller: CallerLimits;
  concurrency?: Required<ConcurrencyOptions>;
  failedKeysPerMinute?: number;
  store: LimitStore;
}

/** Options for keys and limits. */
export interface AuthOptions {
  /**
   * Accepted keys, plain or as hashes; or a function that checks a key, e.g. `async (key) => keys.ownerOf(key)`; or a key store of the host's own.
   * Default none: every request is refused.
   */
  apiKeys?: readonly ApiKeyOption[] | VerifyKey | ProviderOption<ApiKeyStore>;
  /** Limits on requests, budgets, and how much runs at once. Default: 100 pieces of work at once, 200 waiting. */
  limits?: LimitOptions;
}

export interface ResolvedAuthOptions {
  apiKeys: readonly ApiKeyOption[] | ProviderOption<ApiKeyStore>;
  limits: ResolvedLimits;
}

const PER_MINUTE = integer(1, 1_000_000);
const AT_ONCE = integer(1, 100_000);
const DOMAINS = array(string({ min: 1 }));

/** Limits and domains may come from a row of a database, where what is absent is null. */
const TOOL_RATES = Object.fromEntries(TOOL_NAMES.map((name) => [name, nullable(PER_MINUTE)])) as Fields<
  Partial<Record<ToolName, number>>
>;
const CALLER_FIELDS: Fields<CallerLimits> = {
  requestsPerMinute: nullable(PER_MINUTE),
  tools: nullable(options(TOOL_RATES)),
  dailyTokens: nullable(integer(1, 1e12)),
  dailyCost: nullable(numberAbove(0)),
};
const KEY_LIMITS: Fields<KeyLimits> = { ...CALLER_FIELDS, concurrency: nullable(AT_ONCE) };
const PAGES: Fields<DomainLists> = { includeDomains: nullable(DOMAINS), excludeDomains: nullable(DOMAINS) };

/** An identity from a key store or a guard of the host: a limit that cannot be read must not become no limit. */
export const IDENTITY_SCHEMA = object<Omit<ApiKeyIdentity, 'name'>>({
  id: string({ min: 1 }),
  tools: nullable(array(oneOf(...TOOL_NAMES))),
  limits: nullable(object<KeyLimits>({ ...KEY_LIMITS, tools: nullable(object(TOOL_RATES)) })),
  pages: nullable(object(PAGES)),
});

export const LIMITS_SCHEMA = options<LimitOptions>({
  ...CALLER_FIELDS,
  concurrency: optional(
    union(
      oneOf(false),
      options<ConcurrencyOptions>({
        total: optional(AT_ONCE),
        perKey: optional(AT_ONCE),
        queue: optional(integer(0, 1_000_000)),
        queueTimeoutMs: optional(integer(1, 600_000)),
      }),
    ),
  ),
  failedKeysPerMinute: optional(PER_MINUTE),
  store: optional(port<LimitStore>('LimitStore', 'add')),
});

/**
 * The limits of the host.
 * @param shared where they are counted unless `store` is set; default: in this process
 * @throws InvalidOptionError
 */
export function resolveLimits(options: LimitOptions = {}, shared?: LimitStore): ResolvedLimits {
  const {
    concurrency = {},
    failedKeysPerMinute,
    store = shared ?? new MemoryLimitStore(),
    ...caller
  } = parseOption('limits', LIMITS_SCHEMA, options);
  return {
    caller,
    concurrency: concurrency === false ? undefined : withDefaults(concurrency),
    failedKeysPerMinute,
    store,
  };
}

function withDefaults(options: ConcurrencyOptions): Required<ConcurrencyOptions> {
  const { total = 100, perKey = total, queue = 200, queueTimeoutMs = 10_000 } = options;
  return { total, perKey, queue, queueTimeoutMs };
}

/** Clients encode other characters of a header differently. */
const isSent = (key: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key);
const PLAIN_KEY = secret(
  refine(
    refine(
      string({ min: 1 }),
      'a non-empty string of ASCII characters without surrounding white space',
      isSent,
    ),
    "a plain key; a hash is given as `{ hash: 'sha256:…' }`",
    (key) => !/^sha256:/i.test(key),
  ),
);

const KEY_FIELDS = options<ApiKeyEntry>({
  key: optional(PLAIN_KEY),
  hash: optional(
    secret(string({ pattern: KEY_HASH, expected: '`sha256:` and 64 hexadecimal digits in lower case' })),
  ),
  name: optional(string({ min: 1 })),
  expiresAt: optional(check<string | Date>('an ISO 8601 date or a Date', isDate)),
  tools: optional(array(oneOf(...TOOL_NAMES))),
  limits: optional(options(KEY_LIMITS)),
  pages: optional(options(PAGES)),
});
const KEY_ENTRY = refine(
  KEY_FIELDS,
  'an entry with one of `key` and `hash`',
  ({ key, hash }) => (key === undefined) !== (hash === undefined),
);

/** An object without any known name may have keys of clients for names; they are not shown. */
const KEY_OBJECT = withheld(
  check<object>(
    'a non-empty string, or { key | hash, name, expiresAt, tools, limits, pages }',
    (value) => isRecord(value) && KEY_FIELDS.fields!.some((name) => name in value),
  ),
);

export function resolveApiKeys(apiKeys: AuthOptions['apiKeys'] = []): ResolvedAuthOptions['apiKeys'] {
  if (typeof apiKeys === 'function' && !isClass(apiKeys)) return storeOf(apiKeys as VerifyKey);
  if (!Array.isArray(apiKeys))
    return parseOption('apiKeys', KEY_STORE, apiKeys) as ProviderOption<ApiKeyStore>;
  return apiKeys.map((key: unknown, index) => {
    const option = `apiKeys[${index}]`;
    if (typeof key === 'string') return parseOption(option, PLAIN_KEY, key);
    parseOption(option, KEY_OBJECT, key);
    return parseOption(option, KEY_ENTRY, key);
  });
}

/** A class of key stores, and not a function that checks a key. Compilers turn classes into functions with methods. */
function isClass(value: object): boolean {
  const { prototype } = value as { prototype?: object };
  return prototype !== undefined && ('verify' in prototype || /^class\b/.test(String(value)));
}

/** A store of the host's own. What it lacks is said when it has been created. */
const KEY_STORE = withheld(
  check<ProviderOption<ApiKeyStore>>(
    'an array of keys, a function that checks a key, or an ApiKeyStore',
    (value) => Object(value) === value,
  ),
);

function isDate(value: unknown): boolean {
  return (typeof value === 'string' || value instanceof Date) && !Number.isNaN(new Date(value).getTime());
}
