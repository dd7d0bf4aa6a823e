import { jest } from '@jest/globals';
import { QueueHealth, type WatchedQueue } from '../../lib/queue/queue-health.js';

type Workers = Awaited<ReturnType<WatchedQueue['getWorkers']>>;

const WORKER = { id: '7', addr: '127.0.0.1:5000', name: 'nestjs-tools', rawname: 'bull:bmVzdGpz' };
const SECOND = 1_000;
const HOUR = 3_600_000;

/** BullMQ's queue, and how often it was looked at. */
function queueWith(workers: () => Promise<Workers>) {
  const redis = { isDown: false, looks: 0 };
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:6379'), { code: 'ECONNREFUSED' });
  const queue: WatchedQueue = {
    getJobCounts: () => {
      redis.looks++;
      return redis.isDown ? Promise.reject(refused) : Promise.resolve({ waiting: 3, prioritized: 4 });
    },
    getWorkers: () => (redis.isDown ? Promise.reject(refused) : workers()),
  };
  return { redis, health: new QueueHealth(queue) };
}

const namedError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

describe('the health of the queue', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-20T22:00:00Z') }));
  afterEach(() => jest.useRealTimers());

  it('tells how many wait, and how many work', async () => {
    const { health } = queueWith(() => Promise.resolve([WORKER, { ...WORKER, id: '8' }]));
    await health.onApplicationBootstrap();
    expect(health.health()).toEqual({ up: true, waiting: 7, workers: 2 });
    health.onApplicationShutdown();
  });

  it('is down where nobody works', async () => {
    const { health } = queueWith(() => Promise.resolve([]));
    await health.onApplicationBootstrap();
    expect(health.health()).toEqual({ up: false, waiting: 7, workers: 0, detail: 'no worker is there' });
    health.onApplicationShutdown();
  });

  it.each<[string, () => Promise<Workers>]>([
    [
      'does not know the question, for which BullMQ has a placeholder',
      () => Promise.resolve([{ name: 'GCP does not support client list' }]),
    ],
    [
      'does not allow it',
      () =>
        Promise.reject(namedError('ReplyError', "NOPERM this user has no permissions to run 'client|list'")),
    ],
  ])('does not say how many work where Redis %s', async (_why, workers) => {
    const { health } = queueWith(workers);
    await health.onApplicationBootstrap();
    expect(health.health()).toEqual({ up: true, waiting: 7, workers: undefined });
    health.onApplicationShutdown();
  });

  it('is down where the question for workers fails for another reason', async () => {
    const { health } = queueWith(() => Promise.reject(new Error('Connection is closed.')));
    await health.onApplicationBootstrap();
    expect(health.health()).toMatchObject({
      up: false,
      detail: expect.stringContaining('Connection is closed.'),
    });
    health.onApplicationShutdown();
  });

  it('is known within two seconds of an outage and of its end', async () => {
    const { health, redis } = queueWith(() => Promise.resolve([WORKER]));
    await health.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(redis.looks).toBe(1 + HOUR / (2 * SECOND));
    expect(health.health().up).toBe(true);
    redis.isDown = true;
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    const { up, detail, ...rest } = health.health();
    expect([up, rest]).toEqual([false, {}]);
    expect(detail).toMatch(
      /^Redis, which holds the jobs, does not answer since 2026-11-20T23:00:\S+Z: ECONNREFUSED$/,
    );
    redis.isDown = false;
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    expect(health.health().up).toBe(true);
    expect(jest.getTimerCount()).toBe(1);
    health.onApplicationShutdown();
  });

  it('is looked at no more once the host is stopped, whoever asks, also where a look is under way', async () => {
    let answer: (workers: Workers) => void = () => undefined;
    const { health, redis } = queueWith(() => new Promise((resolve) => (answer = resolve)));
    const starting = health.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_001);
    await starting;
    health.onApplicationShutdown();
    answer([WORKER]);
    await jest.advanceTimersByTimeAsync(0);
    expect(jest.getTimerCount()).toBe(0);
    health.health();
    await jest.advanceTimersByTimeAsync(HOUR);
    health.health();
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(redis.looks).toBe(1);
  });
});
