import type { Redis } from 'ioredis';
import { requireInteger, requireKnownKeys } from '../core/check-options.js';
import { InvalidOptionError } from '../core/errors/index.js';
import type { ProvidedFactory } from '../core/provided.js';
import type { SharedState } from '../core/sharing/index.js';
import { connectionsFor } from './connections.js';
import { RedisAccess } from './redis-access.js';
import { redisCache } from './redis-cache.js';
import { RedisCallGate } from './redis-call-gate.js';
import { RedisLeases } from './redis-leases.js';
import { redisLimits } from './redis-limits.js';
import { WakeUps } from './wake-ups.js';

/** Which Redis, and how it is used: Redis 6.2 or later, or Valkey; one server or Sentinel. */
export interface RedisSharedOptions {
  /** `redis://…` or `rediss://…`, with user, password and number of the database where they are needed. */
  url?: string;
  /** An ioredis client in place of `url`, e.g. on Sentinel. Its settings are used for connections of our own; itself is left alone. */
  client?: Redis;
  /** Begins every key; hosts that share a Redis and nothing else have one each. 1..64 letters, digits and `:._-`. Default `nestjs-tools`. */
  prefix?: string;
  /** After so long without an answer the host goes on without Redis, ms, 5..100. Default 80. */
  timeoutMs?: number;
}

const KEY_PREFIX = /^[\w:.-]{1,64}$/;

/**
 * What replicas share, in Redis or Valkey: for the option `shared`. Needs the optional package `ioredis`, which is loaded when the module
 * starts. A start waits at most a second for the connection; without it the host starts all the same.
 *
 * @throws InvalidOptionError; at start MissingPeerError when `ioredis` is not installed
 * @publicApi
 */
export function redisShared(options: RedisSharedOptions): ProvidedFactory<SharedState> {
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
  const wakeUps = new WakeUps(subscriber, `${prefix}:wake`);
  await access.start();
  return {
    cache: redisCache(access, prefix),
    limits: redisLimits(access, prefix),
    leases: new RedisLeases(access, wakeUps, prefix),
    calls: new RedisCallGate(access, wakeUps, prefix),
    health: () => access.health(),
    close: () => {
      wakeUps.close();
      access.close();
      return Promise.resolve();
    },
  };
}
