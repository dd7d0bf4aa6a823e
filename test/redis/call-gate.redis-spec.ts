import { setMaxListeners } from 'node:events';
import { Redis } from 'ioredis';
import type { CallLimits, CallPermit, SharedState } from '../../lib/core/shared-state.js';
import { closeAll, freshPrefix, REDIS_URL, connected } from './sharing.js';

const never = new AbortController().signal;
setMaxListeners(0, never);

describe('permits for model calls over all processes', () => {
  let prefix: string;
  let one: SharedState;
  let two: SharedState;
  let redis: Redis;
  const key = (part: string): string => `${prefix}:calls:model:${part}`;
  const enter = (of: SharedState, limits: CallLimits, tokens = 100, signal = never): Promise<CallPermit> =>
    of.calls.acquire('model', limits, tokens, signal);
  /** Whether it has to wait; then it stops waiting. */
  const waits = async (of: SharedState, limits: CallLimits, tokens = 100): Promise<boolean> => {
    const leaving = AbortSignal.timeout(500);
    return enter(of, limits, tokens, leaving).then(
      () => false,
      () => true,
    );
  };
  /** Makes a minute pass for what has started. */
  const aMinuteLater = async (): Promise<void> => {
    for (const id of await redis.zrange(key('started'), 0, -1))
      await redis.zincrby(key('started'), -60_000, id);
  };

  beforeEach(async () => {
    prefix = freshPrefix();
    redis = new Redis(REDIS_URL);
    [one, two] = await Promise.all([
      connected({ url: REDIS_URL, prefix }),
      connected({ url: REDIS_URL, prefix }),
    ]);
  });
  afterEach(async () => {
    redis.disconnect();
    await closeAll();
  });

  it('is for so many at once, whichever process they are in', async () => {
    const limits = { maxParallel: 2 };
    const first = await enter(one, limits);
    await enter(two, limits);
    expect(await waits(one, limits)).toBe(true);
    expect(await waits(two, limits)).toBe(true);
    const next = enter(two, limits);
    first.release();
    (await next).release();
    expect(await waits(one, limits)).toBe(false);
  });

  it('never lets more run than may, however many ask', async () => {
    const limits = { maxParallel: 3 };
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const permit = await enter(index % 2 ? one : two, limits);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        permit.release();
      }),
    );
    expect(most).toBe(3);
  });

  it('is given to callers in turns', async () => {
    const limits = { maxParallel: 1 };
    const first = await one.calls.acquire('model', limits, 100, never, 'greedy');
    const order: string[] = [];
    const callers = ['greedy', 'greedy', 'greedy', 'modest', 'greedy', 'modest'];
    const rest = callers.map(async (caller) => {
      const permit = await one.calls.acquire('model', limits, 100, never, caller);
      order.push(caller);
      permit.release();
    });
    first.release();
    await Promise.all(rest);
    expect(order).toEqual(['greedy', 'modest', 'greedy', 'modest', 'greedy', 'greedy']);
  });

  it('counts models apart', async () => {
    await enter(one, { maxParallel: 1 });
    const other = await two.calls.acquire('other model', { maxParallel: 1 }, 100, never);
    expect(other).toBeDefined();
  });

  it('is for so many calls a minute in all, ended or not', async () => {
    const limits = { callsPerMinute: 3 };
    for (const gate of [one, two, one]) (await enter(gate, limits)).release();
    expect(await waits(two, limits)).toBe(true);
    await aMinuteLater();
    expect(await waits(two, limits)).toBe(false);
  });

  it('is for so many tokens a minute in all, as they were really spent', async () => {
    const limits = { tokensPerMinute: 1000 };
    const first = await enter(one, limits, 600);
    expect(await waits(two, limits, 600)).toBe(true);
    first.release(300);
    (await enter(two, limits, 600)).release();
    expect(await waits(one, limits, 200)).toBe(true);
    await aMinuteLater();
    // What is larger than the limit gets an empty minute.
    expect(await waits(one, limits, 5000)).toBe(false);
  });

  it('is not taken by a caller that stops waiting', async () => {
    const limits = { maxParallel: 1 };
    const first = await enter(one, limits);
    expect(await waits(two, limits)).toBe(true);
    first.release();
    expect(await waits(one, limits)).toBe(false);
  });

  it('comes back from processes that have died', async () => {
    await redis.zadd(key('running'), Date.now() + 400, 'dead caller');
    await enter(one, { maxParallel: 1 });
    expect(await redis.zscore(key('running'), 'dead caller')).toBeNull();
  });

  it('leaves keys that end by themselves', async () => {
    const limits = { maxParallel: 1, callsPerMinute: 10, tokensPerMinute: 10_000 };
    const permit = await enter(one, limits);
    await waits(two, limits);
    permit.release();
    for (const name of await redis.keys(`${prefix}:*`)) expect(await redis.pttl(name)).toBeGreaterThan(0);
  });
});
