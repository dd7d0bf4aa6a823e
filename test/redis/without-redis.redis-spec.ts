import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { startRedis, type RedisServer } from './redis-server.mjs';
import { closeAll, freshPrefix, replica } from './sharing.js';
import { slowLinkTo, type SlowLink } from './slow-link.js';
import type { SharedState } from '../../lib/core/shared-state.js';

const never = new AbortController().signal;
const timeOf = async (work: () => unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

describe('a Redis that is not there', () => {
  let server: RedisServer;
  let link: SlowLink | undefined;
  let warnings: string[];
  let news: string[];

  /** Everything that a request asks of what is shared. */
  const aRequest = async (shared: SharedState): Promise<void> => {
    await shared.limits.add('minute:caller', 1, 60);
    await shared.cache.get('key');
    const lease = await shared.leases.acquire('key', 5000);
    const permit = await shared.calls.acquire('model', { maxParallel: 1 }, 100, never);
    permit.release();
    await shared.cache.set('key', 'value', 60_000);
    await lease?.release();
  };
  const isUp =
    (shared: SharedState, up: boolean): (() => boolean) =>
    () =>
      shared.health().up === up;
  const healthOf = (shared: SharedState) => (): string => JSON.stringify(shared.health());

  beforeEach(async () => {
    server = await startRedis();
    [warnings, news] = [[], []];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: string) => void warnings.push(text));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((text: string) => void news.push(text));
  });
  afterEach(async () => {
    await server.stop();
    link?.close();
    link = undefined;
    await closeAll();
    jest.restoreAllMocks();
  });

  it('costs one request 100 ms at most when its answers take five seconds, then nothing, and is used again when they do not', async () => {
    link = await slowLinkTo(server.port);
    const shared = await replica({ url: link.url });
    await aRequest(shared);
    expect(shared.health()).toEqual({ up: true });
    link.delayMs = 5000;
    expect(await timeOf(() => aRequest(shared))).toBeLessThan(150);
    expect(
      await timeOf(async () => {
        for (let i = 0; i < 1000; i++) await aRequest(shared);
      }),
    ).toBeLessThan(500);
    expect(shared.health()).toMatchObject({
      up: false,
      detail: expect.stringContaining('no answer within 80 ms'),
    });
    await eventually(
      () => warnings.length > 0,
      () => 'no warning',
    );
    link.delayMs = 0;
    await eventually(isUp(shared, true), healthOf(shared), 15_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('goes on alone');
    expect(news).toEqual([expect.stringContaining('used again')]);
    await shared.cache.set('key', 'after', 60_000);
    expect(await shared.cache.get('key')).toBe('after');
  }, 30_000);

  it('costs as little when it hangs', async () => {
    const shared = await replica({ url: server.url });
    server.pause();
    expect(await timeOf(() => Promise.all(Array.from({ length: 50 }, () => aRequest(shared))))).toBeLessThan(
      200,
    );
    expect(await timeOf(() => aRequest(shared))).toBeLessThan(20);
    server.resume();
    await eventually(isUp(shared, true), healthOf(shared), 5000);
  });

  it('costs nothing when it is stopped, and is used again within about a second when it is started', async () => {
    const shared = await replica({ url: server.url });
    await server.stop();
    expect(await timeOf(() => aRequest(shared))).toBeLessThan(100);
    await eventually(
      () => warnings.length > 0,
      () => 'no warning',
    );
    for (let i = 0; i < 100; i++) await aRequest(shared);
    await eventually(() => shared.health().detail!.includes('ECONNREFUSED'), healthOf(shared));
    server = await startRedis({ port: server.port });
    const down = await timeOf(() => eventually(isUp(shared, true), healthOf(shared), 5000));
    expect(down).toBeLessThan(2000);
    expect(warnings).toHaveLength(1);
  });

  it('does not keep a host from starting, and is used when it comes', async () => {
    await server.stop();
    let shared!: SharedState;
    expect(await timeOf(async () => (shared = await replica({ url: server.url })))).toBeLessThan(1200);
    expect(warnings).toHaveLength(1);
    await aRequest(shared);
    server = await startRedis({ port: server.port });
    await eventually(isUp(shared, true), healthOf(shared), 5000);
  });

  it('leaves each process to count by itself', async () => {
    const prefix = freshPrefix();
    const [one, two] = await Promise.all([
      replica({ url: server.url, prefix }),
      replica({ url: server.url, prefix }),
    ]);
    await one.limits.add('minute:caller', 5, 60);
    expect(await two.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 6 });
    await server.stop();
    await one.limits.add('minute:caller', 1, 60);
    expect(await one.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 2 });
    expect(await two.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 1 });
  });

  it('ends the waiting for leases and for room at once: everybody goes on', async () => {
    const prefix = freshPrefix();
    const [one, two] = await Promise.all([
      replica({ url: server.url, prefix }),
      replica({ url: server.url, prefix }),
    ]);
    await one.leases.acquire('work', 60_000);
    await one.calls.acquire('model', { maxParallel: 1 }, 100, never);
    const released = two.leases.released('work', never);
    const permit = two.calls.acquire('model', { maxParallel: 1 }, 100, never);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.stop();
    expect(await timeOf(() => Promise.all([released, permit]))).toBeLessThan(300);
    expect(await two.leases.acquire('work', 60_000)).toBeDefined();
  });

  it('knows leases and calls under way again after a restart', async () => {
    const prefix = freshPrefix();
    const shared = await replica({ url: server.url, prefix });
    await shared.leases.acquire('work', 600);
    await server.stop();
    server = await startRedis({ port: server.port });
    await eventually(isUp(shared, true), healthOf(shared), 5000);
    const redis = new Redis(server.url);
    let found = 0;
    const look = setInterval(() => void redis.exists(`${prefix}:lease:work`).then((n) => (found = n)), 20);
    await eventually(
      () => found === 1,
      () => 'no lease',
    );
    clearInterval(look);
    redis.disconnect();
  });

  it('is told what was given back meanwhile when it answers again', async () => {
    const prefix = freshPrefix();
    const shared = await replica({ url: server.url, prefix });
    const redis = new Redis(server.url);
    const lease = await shared.leases.acquire('work', 60_000);
    const permit = await shared.calls.acquire('model', { maxParallel: 1 }, 100, never);
    server.pause();
    permit.release();
    await lease!.release();
    // Asked while it hangs: a yes that comes too late is given back as well.
    expect(await shared.leases.acquire('other work', 60_000)).toBeDefined();
    server.resume();
    await eventually(isUp(shared, true), healthOf(shared), 5000);
    await shared.limits.add('minute:caller', 1, 60);
    expect(await redis.keys(`${prefix}:lease:*`)).toEqual([]);
    expect(await redis.keys(`${prefix}:calls:*`)).toEqual([]);
    redis.disconnect();
  });

  it('that refuses to write still counts as down, says so once, and is still read', async () => {
    const redis = new Redis(server.url);
    const shared = await replica({ url: server.url });
    await shared.cache.set('key', 'value', 60_000);
    await redis.config('SET', 'maxmemory', '1');
    for (let i = 0; i < 5; i++) await shared.cache.set('key', 'later', 60_000);
    expect(await shared.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 1 });
    expect(await shared.cache.get('key')).toBe('value');
    expect(warnings).toEqual([expect.stringContaining('OOM')]);
    expect(shared.health()).toMatchObject({ up: false, detail: expect.stringContaining('OOM') });
    redis.disconnect();
  });
});
