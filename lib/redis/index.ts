import type { Redis, RedisOptions } from 'ioredis';
import type { CacheStore } from '../core/cache.js';
import { InvalidOptionError } from '../core/errors.js';
import {
  check,
  integer,
  optional,
  options,
  parseOption,
  secret,
  string,
  withDefault,
} from '../core/schema.js';
import { MemoryLimitStore, type LimitStore, type SharedState } from '../core/shared-state.js';
import { type ProviderOptionFactory, loadPeer } from '../core/ports.js';
import { RedisAccess, scriptOn } from './access.js';
import { redisCallGate } from './call-gate.js';
import { redisLeases } from './leases.js';

/** Which Redis to use, and how: Redis 6.2 or later, or Valkey; one server or Sentinel. */
export interface RedisSharedOptions {
  /** `redis://…` or `rediss://…`, with user, password and number of the database where they are needed. */
  url?: string;
  /** An ioredis client instead of `url`, e.g. on Sentinel. Only its settings are used, for new connections. */
  client?: Redis;
  /** First part of every key. Hosts that use the same Redis but share nothing need one each. 1..64 letters, digits and `:._-`. Default `nestjs-tools`. */
  prefix?: string;
  /** After this long without an answer the host goes on without Redis, ms, 5..1,000. Default 80. */
  timeoutMs?: number;
}

const OPTIONS = options({
  url: optional(secret(string({ pattern: /^rediss?:\/\/./, expected: 'redis://… or rediss://…' }))),
  client: optional(
    check<Redis>('an ioredis client that is not a Cluster', (value) => {
      const client = value as Partial<Redis> | null | undefined;
      return typeof client?.duplicate === 'function' && !client.isCluster;
    }),
  ),
  prefix: withDefault(
    string({ pattern: /^[\w:.-]{1,64}$/, expected: '1 to 64 letters, digits and :._-' }),
    'nestjs-tools',
  ),
  timeoutMs: withDefault(integer(5, 1000), 80),
});

/**
 * State that replicas share, in Redis or Valkey, for the option `shared`. Needs the optional package `ioredis`, which is loaded when the
 * module starts. Start-up waits at most a second for the connection, and goes on without it.
 *
 * @throws InvalidOptionError; at start MissingPeerError when `ioredis` is not installed
 * @publicApi
 */
export function redisShared(options: RedisSharedOptions): ProviderOptionFactory<SharedState> {
  const { url, client, prefix, timeoutMs } = parseOption('redisShared', OPTIONS, options);
  const where = url ?? client;
  if (where === undefined || (url !== undefined && client !== undefined))
    throw new InvalidOptionError(
      'redisShared',
      'given one of `url` and `client`',
      InvalidOptionError.WITHHELD,
    );
  return { useFactory: () => connect(where, prefix, timeoutMs) };
}

async function connect(where: string | Redis, prefix: string, timeoutMs: number): Promise<SharedState> {
  const access = new RedisAccess(await connectionTo(where), timeoutMs);
  await access.start();
  return {
    cache: redisCache(access, prefix),
    limits: redisLimits(access, prefix),
    leases: redisLeases(access, prefix),
    calls: redisCallGate(access, prefix),
    health: () => access.health(),
    close: async () => access.close(),
  };
}

/** Results as plain strings, `<prefix>:cache:<tool>:<version>:<hash>`, each with its time to live. Without Redis the cache is empty. */
function redisCache(access: RedisAccess, prefix: string): CacheStore {
  // Keys for a host's own stores begin with the package's name, which is in the prefix already.
  const entryOf = (key: string): string => `${prefix}:cache:${key.replace(/^nestjs-tools:/, '')}`;
  return {
    get: (key) => access.run(() => access.redis.get(entryOf(key))),
    set: (key, value, ttlMs) => access.run(() => access.redis.set(entryOf(key), value, 'PX', ttlMs)),
  };
}

/** KEYS: counter. ARGV: amount, window ms. Returns the sum of the window, and the ms until it ends. Asking begins no window. */
const COUNT = `
local left = redis.call('pttl', KEYS[1])
if left > 0 then return { redis.call('incrby', KEYS[1], ARGV[1]), left } end
if ARGV[1] ~= '0' then redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2]) end
return { tonumber(ARGV[1]), tonumber(ARGV[2]) }`;

/** Counters `<prefix>:limit:<policy>:<caller>`, each gone when its window ends. Without Redis this process counts for itself. */
function redisLimits(access: RedisAccess, prefix: string): LimitStore {
  const count = scriptOn(access.redis, 'toolsLimitCount', 1, COUNT);
  const alone = new MemoryLimitStore();
  return {
    add: (key, amount, windowSeconds) =>
      access.run(
        async () => {
          const answer = await count([`${prefix}:limit:${key}`], [amount, windowSeconds * 1000]);
          const [used, resetMs] = answer as [number, number];
          return { used, resetMs };
        },
        () => alone.add(key, amount, windowSeconds),
      ),
  };
}

/** A command that cannot be sent at once is not sent at all, and none is sent twice: its caller has gone on without Redis. */
const SETTINGS: RedisOptions = {
  lazyConnect: true,
  connectionName: 'nestjs-tools',
  disableClientInfo: true,
  connectTimeout: 5000,
  // The last command is on its way by then; a longer wait would only keep the process from ending.
  disconnectTimeout: 200,
  // A connection whose other end has vanished silently is given up and opened again.
  socketTimeout: 5000,
  retryStrategy: (attempt) => Math.min(1000, 50 * attempt),
  // After a failover the old primary refuses to write until it is connected to again.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

/**
 * A connection that is not open yet.
 * @throws MissingPeerError naming the install command
 */
async function connectionTo(where: string | Redis): Promise<Redis> {
  if (typeof where !== 'string') return where.duplicate(SETTINGS);
  const { Redis: Client } = await loadPeer('ioredis', 'redisShared', () => import('ioredis'));
  return new Client(where, SETTINGS);
}
