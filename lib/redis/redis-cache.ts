import type { CacheStore } from '../core/cache/cache-store.js';
import type { RedisAccess } from './redis-access.js';

/** Results as plain strings, `<prefix>:cache:<tool>:<version>:<hash>`, each with its time to live. Without Redis there is nothing in it. */
export function redisCache(access: RedisAccess, prefix: string): CacheStore {
  return {
    get: (key) =>
      access.run<string | null>(
        () => access.redis.get(entryOf(prefix, key)),
        () => null,
      ),
    set: (key, value, ttlMs) =>
      access.run<unknown>(
        () => access.redis.set(entryOf(prefix, key), value, 'PX', ttlMs),
        () => undefined,
      ),
  };
}

/** The package's name, which begins the keys for stores of a host's own, would stand there twice. */
const entryOf = (prefix: string, key: string): string =>
  `${prefix}:cache:${key.replace(/^nestjs-tools:/, '')}`;
