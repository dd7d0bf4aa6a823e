import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { startRedis, type RedisServer } from './redis-server.mjs';
import { closeAll, connected, freshPrefix, replica } from './sharing.js';
import { slowLinkTo, type SlowLink } from './slow-link.js';
import type { SharedState } from '../../lib/core/shared-state.js';

const never = new AbortController().signal;

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

  it('whose answers take too long is not asked by anybody, until they come in time again', async () => {
    link = await slowLinkTo(server.port);
    const shared = await connected({ url: link.url });
    link.delayMs = 600_000;
    await aRequest(shared);
    expect(shared.health()).toMatchObject({
      up: false,
      detail: expect.stringContaining('no answer within 1000 ms'),
    });
    const { sent } = link;
    for (let i = 0; i < 1000; i++) await aRequest(shared);
    // Nothing but a ping of the timer that looks whether it is back.
    expect(link.sent - sent).toBeLessThan(1000);
    await eventually(
      () => warnings.length > 0,
      () => 'no warning',
    );
    link.delayMs = 0;
    link.dropConnections();
    await eventually(isUp(shared, true), healthOf(shared));
    expect(warnings).toEqual([expect.stringContaining('works alone')]);
    expect(news).toEqual([expect.stringContaining('used again')]);
    await shared.cache.set('key', 'after', 60_000);
    expect(await shared.cache.get('key')).toBe('after');
  });

  it('that hangs holds up nobody for longer than its time, and is used again when it goes on', async () => {
    const shared = await connected({ url: server.url, timeoutMs: 80 });
    server.pause();
    await Promise.all(Array.from({ length: 50 }, () => aRequest(shared)));
    await aRequest(shared);
    server.resume();
    await eventually(isUp(shared, true), healthOf(shared));
  });

  it('that is stopped costs nothing, and is used again when it is started', async () => {
    const shared = await connected({ url: server.url });
    await server.stop();
    await aRequest(shared);
    await eventually(
      () => warnings.length > 0,
      () => 'no warning',
    );
    for (let i = 0; i < 100; i++) await aRequest(shared);
    await eventually(() => shared.health().detail!.includes('ECONNREFUSED'), healthOf(shared));
    server = await startRedis({ port: server.port });
    await eventually(isUp(shared, true), healthOf(shared));
    expect(warnings).toHaveLength(1);
  });

  it('does not keep a host from starting, and is used when it comes', async () => {
    await server.stop();
    const shared = await replica({ url: server.url });
    expect(warnings).toHaveLength(1);
    await aRequest(shared);
    server = await startRedis({ port: server.port });
    await eventually(isUp(shared, true), healthOf(shared));
  });

  it('leaves each process to count by itself', async () => {
    const prefix = freshPrefix();
    const [one, two] = await Promise.all([
      connected({ url: server.url, prefix }),
      connected({ url: server.url, prefix }),
    ]);
    await one.limits.add('minute:caller', 5, 60);
    expect(await two.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 6 });
    await server.stop();
    await one.limits.add('minute:caller', 1, 60);
    expect(await one.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 2 });
    expect(await two.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 1 });
  });

  it('ends the waiting for leases and for permits at once: everybody goes on', async () => {
    const prefix = freshPrefix();
    const [one, two] = await Promise.all([
      connected({ url: server.url, prefix }),
      connected({ url: server.url, prefix }),
    ]);
    await one.leases.acquire('work', 60_000);
    await one.calls.acquire('model', { maxParallel: 1 }, 100, never);
    const released = two.leases.released('work', never);
    const permit = two.calls.acquire('model', { maxParallel: 1 }, 100, never);
    await server.stop();
    await Promise.all([released, permit]);
    expect(await two.leases.acquire('work', 60_000)).toBeDefined();
  });

  it('knows leases and calls under way again after a restart', async () => {
    const prefix = freshPrefix();
    const shared = await connected({ url: server.url, prefix });
    await shared.leases.acquire('work', 600);
    await server.stop();
    server = await startRedis({ port: server.port });
    await eventually(isUp(shared, true), healthOf(shared));
    const redis = new Redis(server.url);
    while ((await redis.exists(`${prefix}:lease:work`)) === 0);
    redis.disconnect();
  });

  it('that refuses to write is still read, and the log says so once', async () => {
    const redis = new Redis(server.url);
    const shared = await connected({ url: server.url });
    await shared.cache.set('key', 'value', 60_000);
    await redis.config('SET', 'maxmemory', '1');
    for (let i = 0; i < 5; i++) await shared.cache.set('key', 'later', 60_000);
    expect(await shared.limits.add('minute:caller', 1, 60)).toMatchObject({ used: 1 });
    expect(await shared.cache.get('key')).toBe('value');
    expect(warnings.map(String)).toEqual([expect.stringContaining('OOM')]);
    redis.disconnect();
  });
});
