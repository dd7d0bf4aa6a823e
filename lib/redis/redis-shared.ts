import type { Redis } from 'ioredis';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import type { CacheStore } from '../core/cache.js';
import { requireInteger, requireKnownKeys } from '../core/check-options.js';
import { InvalidOptionError } from '../core/errors.js';
import { memoryLimitStore, rateLimiterStore } from '../core/limit-stores.js';
import type { ProviderOptionFactory } from '../core/ports.js';
import type { LimitStore, SharedState } from '../core/shared-state.js';
import { RedisAccess } from './access.js';
import { RedisCallGate } from './call-gate.js';
import { connectionsFor } from './connections.js';
import { RedisLeases } from './leases.js';
import { Notifications } from './notifications.js';

/** Which Redis to use, and how: Redis 6.2 or later, or Valkey; one server or Sentinel. */
export interface RedisSharedOptions {
  /** `redis://…` or `rediss://…`, with user, password and number of the database where they are needed. */
  url?: string;
  /** An ioredis client instead of `url`, e.g. on Sentinel. Only its settings are used, for new connections. */
  client?: Redis;
  /** First part of every key. Hosts that use the same Redis but share nothing need one each. 1..64 letters, digits and `:._-`. Default `nestjs-tools`. */
  prefix?: string;
  /** After this long without an answer the host goes on without Redis, ms, 5..100. Default 80. */
  timeoutMs?: number;
}

const KEY_PREFIX = /^[\w:.-]{1,64}$/;

/**
 * State that replicas share, in Redis or Valkey, for the option `shared`. Needs the optional package `ioredis`, which is loaded when the
 * module starts. Start-up waits at most a second for the connection, and goes on without it.
 *
 * @throws InvalidOptionError; at start MissingPeerError when `ioredis` is not installed
 * @publicApi
 */
export function redisShared(options: RedisSharedOptions): ProviderOptionFactory<SharedState> {
  requireKnownKeys('redisShared', options, ['url', 'client', 'prefix', 'timeoutMs']);
  const { url, client, prefix = 'nestjs-tools', timeoutMs = 80 } = options;
  if ((url === undefined) === (client === undefined))
    throw new InvalidOptionError('redisShared', 'given one of `url` and `client`', options);
  if (url !== undefined && !/^rediss?:\/\/./.test(url))
    // It may have a password.
    throw new InvalidOptionError('redisShared.url', 'redis://… or rediss://…', InvalidOptionError.WITHHELD);
  if (client !== undefined && (client.isCluster || typeof client.duplicate !== 'function'))
    throw new InvalidOptionError('redisShared.client', 'an ioredis client that is no Cluster', client);
  if (typeof prefix !== 'string' || !KEY_PREFIX.test(prefix))
    throw new InvalidOptionError('redisShared.prefix', '1 to 64 letters, digits and :._-', prefix);
  requireInteger('redisShared.timeoutMs', timeoutMs, 5, 100);
  return { useFactory: () => connect(url ?? client!, prefix, timeoutMs) };
}

async function connect(where: string | Redis, prefix: string, timeoutMs: number): Promise<SharedState> {
  const { commands, subscriber } = await connectionsFor(where);
  const access = new RedisAccess(commands, timeoutMs);
  const notifications = new Notifications(subscriber, `${prefix}:wake`);
  await access.start();
  return {
    cache: redisCache(access, prefix),
    limits: redisLimits(access, prefix),
    leases: new RedisLeases(access, notifications, prefix),
    calls: new RedisCallGate(access, notifications, prefix),
    health: () => access.health(),
    close: () => {
      notifications.close();
      access.close();
      return Promise.resolve();
    },
  };
}

/** Results as plain strings, `<prefix>:cache:<tool>:<version>:<hash>`, each with its time to live. Without Redis the cache is empty. */
function redisCache(access: RedisAccess, prefix: string): CacheStore {
  // Keys for a host's own stores begin with the package's name, which is in the prefix already.
  const entryOf = (key: string): string => `${prefix}:cache:${key.replace(/^nestjs-tools:/, '')}`;
  return {
    get: (key) =>
      access.run<string | null>(
        () => access.redis.get(entryOf(key)),
        () => null,
      ),
    set: (key, value, ttlMs) =>
      access.run<unknown>(
        () => access.redis.set(entryOf(key), value, 'PX', ttlMs),
        () => undefined,
      ),
  };
}

/** Counters `<prefix>:limit:<policy>:<caller>`, each gone when its window ends. Without Redis this process counts for itself. */
function redisLimits(access: RedisAccess, prefix: string): LimitStore {
  const limiter = new RateLimiterRedis({
    storeClient: access.redis,
    keyPrefix: `${prefix}:limit`,
    points: 1,
    duration: 60,
  });
  const shared = rateLimiterStore(limiter);
  const alone = memoryLimitStore();
  return {
    add: (key, amount, windowSeconds) =>
      access.run(
        async () => shared.add(key, amount, windowSeconds),
        async () => alone.add(key, amount, windowSeconds),
      ),
  };
}
