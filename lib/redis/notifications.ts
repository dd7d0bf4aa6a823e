import type { Redis } from 'ioredis';

/** Waits for notifications of one name. */
export interface Subscription {
  /** Resolves when one has come since the last call, when the signal fires, or after `ms`. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Notifications between processes over one pub/sub channel: each message is a name, and wakes whoever waits for it. Redis keeps no
 * message for processes that are not connected, so a waiter must also look for itself from time to time.
 */
export class Notifications {
  private readonly listeners = new Map<string, Set<() => void>>();
  private subscriber: Redis | undefined;
  private closed = false;

  /** @param connect opens the connection, which is only needed once somebody has to wait */
  constructor(
    private readonly connect: () => Redis,
    readonly channel: string,
  ) {}

  /** Listens from now on. */
  subscribe(name: string): Subscription {
    let pending = false;
    let wake: (() => void) | undefined;
    const notify = (): void => {
      pending = true;
      wake?.();
    };
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(notify));
    return {
      next: async (ms, signal) => {
        this.open();
        if (!pending && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
            signal.addEventListener('abort', wake, { once: true });
          });
          signal.removeEventListener('abort', wake!);
        }
        pending = false;
      },
      close: () => {
        listeners.delete(notify);
        if (listeners.size === 0 && this.listeners.get(name) === listeners) this.listeners.delete(name);
      },
    };
  }

  /** Wakes everybody: there will be no more notifications. */
  notifyAll(): void {
    for (const listeners of [...this.listeners.values()]) for (const notify of [...listeners]) notify();
  }

  close(): void {
    this.closed = true;
    this.subscriber?.disconnect();
    this.notifyAll();
  }

  private open(): void {
    if (this.subscriber || this.closed) return;
    this.subscriber = this.connect();
    // The connection for commands reports that Redis is down; this one reconnects by itself.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', (_channel, name) =>
      this.listeners.get(name)?.forEach((notify) => notify()),
    );
    this.subscriber.subscribe(this.channel).catch(() => undefined);
  }
}
