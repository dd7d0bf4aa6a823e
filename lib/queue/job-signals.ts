import type { Redis } from 'ioredis';
import type { JobRedis } from './job-redis.js';

type Listener = (message: string) => void;

/** Messages between processes (publish, subscribe), all over one connection, which is made when somebody first listens. */
export class JobSignals {
  private client?: Redis;
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(private readonly redis: JobRedis) {}

  /**
   * Calls the listener with each message on a channel, and with an empty one whenever some may have been missed.
   * @returns stops listening
   */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const client = (this.client ??= this.connect());
    const known = this.listeners.get(channel);
    const all = known ?? new Set();
    all.add(listener);
    if (!known) {
      this.listeners.set(channel, all);
      await client.subscribe(channel);
    }
    return () => {
      all.delete(listener);
      if (all.size > 0 || this.listeners.get(channel) !== all) return;
      this.listeners.delete(channel);
      // Nobody waits for this; a connection that is down forgets its channels by itself.
      client.unsubscribe(channel).catch(() => undefined);
    };
  }

  private connect(): Redis {
    const client = this.redis.connect({ maxRetriesPerRequest: null });
    client.on('message', (channel, message) => this.tell(channel, message));
    client.on('ready', () => {
      for (const channel of this.listeners.keys()) this.tell(channel, '');
    });
    return client;
  }

  private tell(channel: string, message: string): void {
    for (const listener of [...(this.listeners.get(channel) ?? [])]) listener(message);
  }
}
