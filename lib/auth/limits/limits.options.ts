import { requireInteger, requireKnownKeys, requirePort } from '../../core/check-options.js';
import { InvalidOptionError } from '../../core/errors.js';
import { memoryLimitStore } from '../../core/limit-stores.js';
import type { LimitStore } from '../../core/shared-state.js';
import { TOOL_NAMES, type ToolName } from '../../core/tool-names.js';

/** Limits of one caller; absent: no limit. */
export interface CallerLimits {
  /** Requests a minute, both tools together, 1..1,000,000. */
  requestsPerMinute?: number;
  /** Requests a minute for one tool, 1..1,000,000; counts besides `requestsPerMinute`. */
  tools?: Partial<Record<ToolName, number>>;
  /** Model tokens (sent and received) a day, 1..10^12; the day starts at midnight UTC. */
  dailyTokens?: number;
  /** Money a day in the unit of `price`, more than 0; needs `limits.price`. */
  dailyCost?: number;
}

/** What a key may have of its own, in place of the limits of everybody. */
export interface KeyLimits extends CallerLimits {
  /** Pieces of work at once, 1..100,000. */
  concurrency?: number;
}

/** How many pieces of work run at once. What the cache answers, and requests that share work under way, do not count. */
export interface ConcurrencyOptions {
  /** In all, 1..100,000. Default 100. */
  total?: number;
  /** For each key, 1..100,000. Default: as `total`. */
  perKey?: number;
  /** How many may wait for their turn, 0..1,000,000. Default 200; beyond it 503. */
  queue?: number;
  /** How long one may wait, ms, 1..600,000. Default 10,000; beyond it 503. */
  queueTimeoutMs?: number;
}

/** What model tokens cost. */
export interface TokenPrice {
  /** For a million tokens sent. */
  inputPerMillion: number;
  /** For a million tokens received. */
  outputPerMillion: number;
}

/** Limits on requests; each can be overridden for one key (`ApiKeyEntry.limits`). */
export interface LimitOptions extends CallerLimits {
  /** How much runs at once, or false: as much as comes. */
  concurrency?: ConcurrencyOptions | false;
  /** What tokens cost, for `dailyCost`. */
  price?: TokenPrice;
  /**
   * Refused keys a minute for each client address, 1..1,000,000; beyond it the store of keys is not asked any more and the answer is 429.
   * Default: no limit. Set it where looking up a key costs something, and only where the host knows the client's address (behind a proxy:
   * `trust proxy`); else one bad client locks out all behind the same proxy.
   */
  failedKeysPerMinute?: number;
  /** Where it is counted. Default: where the option `shared` counts, else in this process. */
  store?: LimitStore;
}

/** The limits with every default filled in. */
export interface ResolvedLimits {
  /** Of a caller that has none of its own. */
  caller: CallerLimits;
  concurrency?: Required<ConcurrencyOptions>;
  price?: TokenPrice;
  failedKeysPerMinute?: number;
  store: LimitStore;
}

const CALLER_KEYS = ['requestsPerMinute', 'tools', 'dailyTokens', 'dailyCost'] as const;
const MOST_PER_MINUTE = 1_000_000;
const MOST_AT_ONCE = 100_000;

/**
 * @param shared where it is counted when `store` is not set; default: in this process
 * @throws InvalidOptionError saying what was expected and what came
 */
export function resolveLimits(limits: LimitOptions, shared: LimitStore = memoryLimitStore()): ResolvedLimits {
  requireKnownKeys('limits', limits, [
    ...CALLER_KEYS,
    'concurrency',
    'price',
    'failedKeysPerMinute',
    'store',
  ]);
  const { requestsPerMinute, tools, dailyTokens, dailyCost, price, failedKeysPerMinute, store } = limits;
  const caller = { requestsPerMinute, tools, dailyTokens, dailyCost };
  checkCallerLimits('limits', caller);
  if (price !== undefined) {
    requireKnownKeys('limits.price', price, ['inputPerMillion', 'outputPerMillion']);
    requirePositive('limits.price.inputPerMillion', price.inputPerMillion, 0);
    requirePositive('limits.price.outputPerMillion', price.outputPerMillion, 0);
  }
  if (dailyCost !== undefined && !price) {
    throw new InvalidOptionError('limits.price', 'set where `limits.dailyCost` is', price);
  }
  if (failedKeysPerMinute !== undefined)
    requireInteger('limits.failedKeysPerMinute', failedKeysPerMinute, 1, MOST_PER_MINUTE);
  return {
    caller,
    concurrency: resolveConcurrency(limits.concurrency ?? {}),
    price,
    failedKeysPerMinute,
    store: store === undefined ? shared : requirePort('limits.store', 'LimitStore', store, ['add']),
  };
}

/**
 * The limits of one key in the options.
 * @throws InvalidOptionError
 */
export function checkKeyLimits(option: string, limits: KeyLimits): void {
  requireKnownKeys(option, limits, [...CALLER_KEYS, 'concurrency']);
  checkCallerLimits(option, limits);
  if (limits.concurrency !== undefined)
    requireInteger(`${option}.concurrency`, limits.concurrency, 1, MOST_AT_ONCE);
}

function checkCallerLimits(option: string, limits: CallerLimits): void {
  const { requestsPerMinute, tools, dailyTokens, dailyCost } = limits;
  if (requestsPerMinute !== undefined)
    requireInteger(`${option}.requestsPerMinute`, requestsPerMinute, 1, MOST_PER_MINUTE);
  if (tools !== undefined) {
    requireKnownKeys(`${option}.tools`, tools, TOOL_NAMES);
    for (const [tool, limit] of Object.entries(tools))
      requireInteger(`${option}.tools.${tool}`, limit, 1, MOST_PER_MINUTE);
  }
  if (dailyTokens !== undefined) requireInteger(`${option}.dailyTokens`, dailyTokens, 1, 1e12);
  if (dailyCost !== undefined) requirePositive(`${option}.dailyCost`, dailyCost, Number.MIN_VALUE);
}

function requirePositive(option: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return;
  throw new InvalidOptionError(option, least > 0 ? 'a number above 0' : 'a number of at least 0', value);
}

function resolveConcurrency(given: ConcurrencyOptions | false): Required<ConcurrencyOptions> | undefined {
  if (given === false) return undefined;
  requireKnownKeys('limits.concurrency', given, ['total', 'perKey', 'queue', 'queueTimeoutMs']);
  const { total = 100, perKey = total, queue = 200, queueTimeoutMs = 10_000 } = given;
  return {
    total: requireInteger('limits.concurrency.total', total, 1, MOST_AT_ONCE),
    perKey: requireInteger('limits.concurrency.perKey', perKey, 1, MOST_AT_ONCE),
    queue: requireInteger('limits.concurrency.queue', queue, 0, 1_000_000),
    queueTimeoutMs: requireInteger('limits.concurrency.queueTimeoutMs', queueTimeoutMs, 1, 600_000),
  };
}
