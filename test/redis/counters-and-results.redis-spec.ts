import { Redis } from 'ioredis';
import type { SharedState } from '../../lib/core/shared-state.js';
import { redisShared } from '../../lib/redis/index.js';
import { closeAll, freshPrefix, REDIS_URL, connected } from './sharing.js';

describe('counters and results in Redis', () => {
  let prefix: string;
  let one: SharedState;
  let two: SharedState;
  let redis: Redis;

  beforeEach(async () => {
    prefix = freshPrefix();
    redis = new Redis(REDIS_URL);
    [one, two] = await Promise.all([
      connected({ url: REDIS_URL, prefix }),
      connected({ client: redis, prefix }),
    ]);
  });
  afterEach(async () => {
    await closeAll();
    redis.disconnect();
  });

  it('keep what one connected has made for the others, for its time', async () => {
    expect(await two.cache.get('nestjs-tools:search:1:hash')).toBeNull();
    await one.cache.set('nestjs-tools:search:1:hash', 'made', 60_000);
    expect(await two.cache.get('nestjs-tools:search:1:hash')).toBe('made');
    const left = await redis.pttl(`${prefix}:cache:search:1:hash`);
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('count together, within one window', async () => {
    const counts = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (i % 2 ? one : two).limits.add('minute:caller', 1, 60)),
    );
    expect(counts.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    const asked = await one.limits.add('minute:caller', 0, 60);
    expect(asked.used).toBe(100);
    expect(asked.resetMs).toBeGreaterThan(50_000);
    expect(await one.limits.add('minute:nobody', 0, 60)).toEqual({ used: 0, resetMs: 60_000 });
    expect(await redis.pttl(`${prefix}:limit:minute:caller`)).toBeGreaterThan(50_000);
  });

  it('are kept apart by their prefix', async () => {
    const other = await connected({ url: REDIS_URL, prefix: freshPrefix() });
    await one.cache.set('key', 'mine', 60_000);
    await one.limits.add('minute:caller', 5, 60);
    expect(await other.cache.get('key')).toBeNull();
    expect(await other.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 1 });
  });

  it("leave a host's own client as it is", async () => {
    await two.close();
    expect(await redis.ping()).toBe('PONG');
  });

  it.each<[object, string]>([
    [{}, 'one of `url` and `client`'],
    [{ url: 'http://127.0.0.1' }, 'redisShared.url'],
    [{ url: 'redis://h', prefix: 'with space' }, 'redisShared.prefix'],
    [{ url: 'redis://h', timeoutMs: 5000 }, 'redisShared.timeoutMs'],
    [{ url: 'redis://h', prefx: 'x' }, 'redisShared.prefx'],
    [{ client: {} }, 'redisShared.client'],
  ])('are not made from %j', (options, message) => {
    expect(() => redisShared(options)).toThrow(message);
  });
});
