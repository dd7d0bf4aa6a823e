import { Redis } from 'ioredis';
import { Notifications } from '../../lib/redis/access.js';
import { freshPrefix, REDIS_URL } from './sharing.js';

/** Longer than any test: only a notification ends the wait. */
const FOREVER_MS = 2 ** 31 - 1;
const never = new AbortController().signal;

describe('notifications between processes', () => {
  let channel: string;
  let redis: Redis;
  let notifications: Notifications;

  beforeEach(() => {
    channel = freshPrefix();
    redis = new Redis(REDIS_URL);
    notifications = new Notifications(() => new Redis(REDIS_URL), channel);
  });
  afterEach(() => {
    notifications.close();
    redis.disconnect();
  });

  /** Publishes until somebody has heard it: a message of before the subscription is lost. */
  const publish = async (name: string): Promise<void> => {
    while ((await redis.publish(channel, name)) === 0);
  };

  it('wake whoever waits for their name, and nobody else', async () => {
    const [mine, other] = [notifications.subscribe('mine'), notifications.subscribe('other')];
    let woken = 0;
    const waiting = mine.next(FOREVER_MS, never).then(() => woken++);
    void other.next(FOREVER_MS, never).then(() => (woken = -1));
    await publish('mine');
    await waiting;
    expect(woken).toBe(1);
  });

  it('that came since the last wait end the next one at once', async () => {
    const subscription = notifications.subscribe('mine');
    const first = subscription.next(FOREVER_MS, never);
    await publish('mine');
    await first;
    const other = notifications.subscribe('other');
    const heard = other.next(FOREVER_MS, never);
    await publish('mine');
    await publish('other');
    await heard;
    await subscription.next(FOREVER_MS, never);
  });

  it('are not waited for any more once the signal fires, the time is up, or all is closed', async () => {
    const leaving = new AbortController();
    const left = notifications.subscribe('a').next(FOREVER_MS, leaving.signal);
    leaving.abort();
    await left;
    await notifications.subscribe('b').next(1, never);
    const closed = notifications.subscribe('c').next(FOREVER_MS, never);
    notifications.close();
    await closed;
  });
});
