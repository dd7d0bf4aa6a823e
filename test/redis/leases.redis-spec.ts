import { Redis } from 'ioredis';
import type { SharedState } from '../../lib/core/shared-state.js';
import { closeAll, freshPrefix, REDIS_URL, replica } from './sharing.js';

const never = new AbortController().signal;

describe('leases in Redis', () => {
  let prefix: string;
  let one: SharedState;
  let two: SharedState;

  beforeEach(async () => {
    prefix = freshPrefix();
    [one, two] = await Promise.all([
      replica({ url: REDIS_URL, prefix }),
      replica({ url: REDIS_URL, prefix }),
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

  it('wake who waits as soon as they are released', async () => {
    // The first wait makes the connection that later ones are woken over.
    await one.leases.acquire('first', 300);
    await two.leases.released('first', AbortSignal.timeout(50));
    const lease = await one.leases.acquire('work', 5000);
    const waiting = two.leases.released('work', never);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    await lease!.release();
    await waiting;
    expect(performance.now() - start).toBeLessThan(300);
  });

  it('are there for nobody to wait for when nobody has them', async () => {
    const start = performance.now();
    await two.leases.released('work', never);
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('say whether anybody else has asked', async () => {
    const lease = await one.leases.acquire('work', 5000);
    expect(await lease!.awaited()).toBe(false);
    await two.leases.acquire('work', 5000);
    expect(await lease!.awaited()).toBe(true);
    await lease!.release();
    const next = await two.leases.acquire('work', 5000);
    expect(await next!.awaited()).toBe(false);
  });

  it('renew themselves for as long as the work takes', async () => {
    const lease = await one.leases.acquire('work', 300);
    await two.leases.released('work', AbortSignal.timeout(900));
    expect(await two.leases.acquire('work', 300)).toBeUndefined();
    await lease!.release();
  });

  it('are free again when their owner has died', async () => {
    await one.leases.acquire('work', 500);
    await one.close();
    const start = performance.now();
    await two.leases.released('work', never);
    expect(performance.now() - start).toBeLessThan(1700);
    expect(await two.leases.acquire('work', 500)).toBeDefined();
  });

  it('end a wait when the signal fires', async () => {
    await one.leases.acquire('work', 5000);
    const leaving = new AbortController();
    const waiting = two.leases.released('work', leaving.signal);
    leaving.abort();
    const start = performance.now();
    await waiting;
    expect(performance.now() - start).toBeLessThan(200);
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
