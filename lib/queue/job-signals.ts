import type { Redis } from 'ioredis';
import type { JobRedis } from './job-redis.js';

type Listener = (message: string) => void;

/** A channel that somebody listens to. */
interface Channel {
  listeners: Set<Listener>;
  /** Resolves when messages begin to come. */
  open: Promise<unknown>;
}

/** Messages between processes (publish, subscribe), all over one connection, which is opened when somebody first listens. */
export class JobSignals {
  private client?: Redis;
  private readonly channels = new Map<string, Channel>();

  constructor(private readonly redis: JobRedis) {}

  /**
   * Calls the listener with each message on a channel, and with an empty one whenever some may have been missed.
   * @returns a function that stops it
   */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const client = (this.client ??= this.connect());
    const known = this.channels.get(channel);
    const own = known ?? { listeners: new Set(), open: client.subscribe(channel) };
    this.channels.set(channel, own);
    own.listeners.add(listener);
    const stop = (): void => {
      own.listeners.delete(listener);
      if (own.listeners.size > 0 || this.channels.get(channel) !== own) return;
      this.channels.delete(channel);
      // Nobody waits for this. A connection that is down forgets its channels by itself.
      client.unsubscribe(channel).catch(() => undefined);
    };
    try {
      await own.open;
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  private connect(): Redis {
    // The ready check sends a command that a subscribed connection must not send.
    const client = this.redis.connect({ maxRetriesPerRequest: null, enableReadyCheck: false });
    client.on('message', (channel, message) => this.notify(channel, message));
    client.on('ready', () => {
      for (const channel of this.channels.keys()) this.notify(channel, '');
    });
    return client;
  }

  private notify(channel: string, message: string): void {
    for (const listener of [...(this.channels.get(channel)?.listeners ?? [])]) listener(message);
  }
}
