import { Redis } from 'ioredis';
import type { SharedState } from '../../lib/core/shared-state.js';
import { closeAll, freshPrefix, REDIS_URL, connected } from './sharing.js';

const never = new AbortController().signal;

describe('leases in Redis', () => {
  let prefix: string;
  let one: SharedState;
  let two: SharedState;

  beforeEach(async () => {
    prefix = freshPrefix();
    [one, two] = await Promise.all([
      connected({ url: REDIS_URL, prefix }),
      connected({ url: REDIS_URL, prefix }),
    ]);
  });
  afterEach(closeAll);

  it('go to one of two replicas, and to the other once they are released', async () => {
    const lease = await one.leases.acquire('work', 5000);
    expect(lease).toBeDefined();
    expect(await two.leases.acquire('work', 5000)).toBeUndefined();
    expect(await two.leases.acquire('other work', 5000)).toBeDefined();
    await lease!.release();
    expect(await two.leases.acquire('work', 5000)).toBeDefined();
  });

  it('end the wait of others when they are released', async () => {
    const lease = await one.leases.acquire('work', 600_000);
    const waiting = two.leases.released('work', never);
    await lease!.release();
    await waiting;
    expect(await two.leases.acquire('work', 5000)).toBeDefined();
  });

  it('need not be waited for when nobody has them', async () => {
    await two.leases.released('work', never);
  });

  it('renew themselves for as long as the work takes', async () => {
    const redis = new Redis(REDIS_URL);
    const lease = await one.leases.acquire('work', 6000);
    const key = `${prefix}:lease:work`;
    for (
      let left = 6000, last = 6001;
      left <= last;
      await new Promise((resolve) => setTimeout(resolve, 50))
    ) {
      last = left;
      left = await redis.pttl(key);
      expect(left).toBeGreaterThan(0);
    }
    expect(await two.leases.acquire('work', 6000)).toBeUndefined();
    await lease!.release();
    redis.disconnect();
  });

  it('are free again when their owner has died', async () => {
    await one.leases.acquire('work', 500);
    await one.close();
    await two.leases.released('work', never);
    expect(await two.leases.acquire('work', 500)).toBeDefined();
  });

  it('end a wait when the signal fires', async () => {
    await one.leases.acquire('work', 600_000);
    const leaving = new AbortController();
    const waiting = two.leases.released('work', leaving.signal);
    leaving.abort();
    await waiting;
  });

  it('cannot be released by an owner that has lost them', async () => {
    const redis = new Redis(REDIS_URL);
    const lease = await one.leases.acquire('work', 5000);
    await redis.set(`${prefix}:lease:work`, 'another owner', 'PX', 5000);
    await lease!.release();
    expect(await redis.get(`${prefix}:lease:work`)).toBe('another owner');
    redis.disconnect();
  });

  it('leave nothing behind', async () => {
    const redis = new Redis(REDIS_URL);
    const lease = await one.leases.acquire('work', 5000);
    await two.leases.acquire('work', 5000);
    await lease!.release();
    expect(await redis.keys(`${prefix}:*`)).toEqual([]);
    redis.disconnect();
  });
});
