import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import { memoryLimitStore, rateLimiterStore, type LimitStore } from '../core/limits/index.js';
import type { RedisAccess } from './redis-access.js';

/** Counters `<prefix>:limit:<policy>:<caller>`, each gone when its window ends. Without Redis this process counts by itself. */
export function redisLimits(access: RedisAccess, prefix: string): LimitStore {
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
