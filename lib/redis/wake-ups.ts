import type { Redis } from 'ioredis';

/** Waits for one name to be called. */
export interface Bell {
  /** Resolves when it has rung since the last time, when the signal fires, or after `ms`. */
  rung(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Names that are called over one pub/sub channel, so that who waits is woken at once. What is called while nobody is connected is lost:
 * whoever waits must look again from time to time.
 */
export class WakeUps {
  private readonly bells = new Map<string, Set<() => void>>();
  private subscriber: Redis | undefined;
  private closed = false;

  /** @param connect makes the connection, which is only there once somebody has had to wait */
  constructor(
    private readonly connect: () => Redis,
    readonly channel: string,
  ) {}

  /** Listens from now on. */
  listen(name: string): Bell {
    let ringing = false;
    let wake: (() => void) | undefined;
    const ring = (): void => {
      ringing = true;
      wake?.();
    };
    const bells = this.bells.get(name) ?? new Set();
    this.bells.set(name, bells.add(ring));
    return {
      rung: async (ms, signal) => {
        this.subscribe();
        if (!ringing && !signal.aborted) {
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
        ringing = false;
      },
      close: () => {
        bells.delete(ring);
        if (bells.size === 0 && this.bells.get(name) === bells) this.bells.delete(name);
      },
    };
  }

  /** Wakes everybody who waits: there will be no more calls. */
  ringAll(): void {
    for (const bells of [...this.bells.values()]) for (const ring of [...bells]) ring();
  }

  close(): void {
    this.closed = true;
    this.subscriber?.disconnect();
    this.ringAll();
  }

  private subscribe(): void {
    if (this.subscriber || this.closed) return;
    this.subscriber = this.connect();
    // Whether Redis is there is the other connection's to say; this one comes back by itself.
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', (_channel, name) => this.bells.get(name)?.forEach((ring) => ring()));
    this.subscriber.subscribe(this.channel).catch(() => undefined);
  }
}
