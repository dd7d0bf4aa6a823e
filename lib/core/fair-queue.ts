import type { Callers } from './context.js';

/** A limit on what may start within a time. */
export interface Rate {
  /** Time until something of this size may start, ms; 0 if it may now. */
  waitMs(size: number): number;
  /** Books a start. @returns corrects its size once that is known */
  add(size: number): (size: number) => void;
}

interface FairQueueOptions {
  /** Slots, or how many there are now. */
  slots: number | (() => number);
  /** Slots of one caller. Default: all. */
  perCaller?: number;
  /** How many may wait. Default: no limit. */
  places?: number;
  /** Longest wait, ms. Default: no limit. */
  waitMs?: number;
  /** The error for a place or wait beyond these limits. Gets seconds after which a retry makes sense. */
  refuse?: (retryAfterSeconds: number) => Error;
  /** Limits how fast slots are given. Default: no limit. */
  rate?: Rate;
}

/** A piece of work that needs a slot. */
interface Applicant {
  /** Those who wait for it. It takes the turn of the one who has the fewest slots. */
  callers: () => Callers;
  /** Takes it out of the queue; its reason is thrown. */
  signal: AbortSignal;
  /** What the rate counts. Default 0. */
  size?: number;
  /** Slots of its caller, in place of `perCaller`. */
  limit?: number;
  /** True: it goes before others of its callers. Default false. */
  first?: boolean;
}

/** A slot. Release it exactly once. */
export interface Slot {
  /** @param size its true size, where it is known */
  release(size?: number): void;
}

interface Waiter extends Applicant {
  start(slot: Slot): void;
  refuse(error: unknown): void;
}

/** The slots of one caller, the number of the last one that it got, and when it was last here. */
interface Share {
  running: number;
  last: number;
  seenAt: number;
}

/** A caller that has not been here for this long is forgotten, ms. */
const FORGOTTEN_MS = 3_600_000;
/** A caller whose last request is at most this old will probably send another one soon: a slot is left free for it. In ms. */
const RECENT_MS = 5000;

/**
 * The queue of this package: for requests, calls to models, and connections to a database. A free slot goes to the waiting caller that has the
 * fewest, then to the one whose last slot is longest ago, however many pieces of work each has in the queue. Work may take for ever, so one caller
 * never gets the slots that others will ask for next: it leaves one for each caller of the last seconds. That is at least a quarter of the slots
 * while others are about, and at most three quarters. When the queue is full, the caller with the most places loses its last one.
 *
 * `queue/job-queue.ts` does the same for jobs of several processes: it gives them numbers, because BullMQ orders jobs by a number.
 */
export class FairQueue {
  private readonly shares = new Map<string, Share>();
  /** When each caller of the last seconds was last here, in this order. */
  private readonly recent = new Map<string, number>();
  private readonly waiters: Waiter[] = [];
  private running = 0;
  private given = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairQueueOptions) {}

  /** How much runs and waits. */
  get load(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiters.length };
  }

  /** Does the work in a slot. @throws as {@link enter}; what `work` throws */
  async run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const slot = await this.enter(applicant);
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  /**
   * Waits for a slot.
   * @throws the error of the option `refuse` when the queue is full or the wait is too long; the signal's reason
   */
  async enter(applicant: Applicant): Promise<Slot> {
    applicant.signal.throwIfAborted();
    this.see(applicant);
    // A waiter that could take a free slot waits for the rate, and comes first.
    return (this.chosen() ? undefined : this.tryEnter(applicant)) ?? this.wait(applicant);
  }

  /** A slot if one is free now, ahead of the queue. */
  tryEnter(applicant: Applicant): Slot | undefined {
    this.see(applicant);
    const caller = this.callerOf(applicant);
    if (caller === undefined || this.running >= this.slots || this.pauseOf(applicant) > 0) return undefined;
    return this.give(caller, applicant);
  }

  private wait(applicant: Applicant): Promise<Slot> {
    const { signal, first } = applicant;
    this.makePlace(applicant);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
      };
      const waiter: Waiter = {
        ...applicant,
        start: (slot) => {
          leave();
          resolve(slot);
        },
        refuse: (error) => {
          leave();
          this.next();
          reject(error as Error);
        },
      };
      const onAbort = (): void => waiter.refuse(signal.reason);
      const { waitMs } = this.options;
      const timer =
        waitMs === undefined ? undefined : setTimeout(() => waiter.refuse(this.overloaded()), waitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      if (first) this.waiters.unshift(waiter);
      else this.waiters.push(waiter);
      this.next();
    });
  }

  /** Gives away what is free. */
  private next(): void {
    clearTimeout(this.timer);
    while (this.running < this.slots) {
      const [waiter, caller] = this.chosen() ?? [];
      if (!waiter) break;
      const pause = this.pauseOf(waiter);
      if (pause > 0) {
        this.timer = setTimeout(() => this.next(), Math.ceil(pause));
        break;
      }
      waiter.start(this.give(caller!, waiter));
    }
  }

  private get slots(): number {
    const { slots } = this.options;
    return typeof slots === 'number' ? slots : slots();
  }

  /** Notes who is about, in the order of when they were last here, and forgets who has left. */
  private see({ callers }: Applicant): void {
    const seenAt = performance.now();
    for (const caller of callers()) {
      const share = this.shares.get(caller) ?? { running: 0, last: 0, seenAt };
      share.seenAt = seenAt;
      this.shares.delete(caller);
      this.shares.set(caller, share);
      this.recent.delete(caller);
      this.recent.set(caller, seenAt);
    }
    for (const [caller, share] of this.shares) {
      if (share.seenAt + FORGOTTEN_MS > seenAt) break;
      if (share.running === 0) this.shares.delete(caller);
    }
  }

  private pauseOf({ size = 0 }: Applicant): number {
    return this.options.rate?.waitMs(size) ?? 0;
  }

  /** Who is next, and whose turn it takes. */
  private chosen(): [Waiter, string] | undefined {
    let best: { waiter: Waiter; caller: string; share: Share } | undefined;
    for (const waiter of this.waiters) {
      const caller = this.callerOf(waiter);
      if (caller === undefined) continue;
      const share = this.shareOf(caller);
      if (!best || isBefore(share, best.share)) best = { waiter, caller, share };
    }
    return best && [best.waiter, best.caller];
  }

  /** The one of its callers whose turn comes first; undefined while all have as many slots as they may. */
  private callerOf({ callers, limit = this.options.perCaller ?? Infinity }: Applicant): string | undefined {
    const most = this.mostOfOne;
    let best: string | undefined;
    for (const caller of callers()) {
      const share = this.shareOf(caller);
      const mayRun = share.running < Math.min(limit, most);
      if (mayRun && (best === undefined || isBefore(share, this.shareOf(best)))) best = caller;
    }
    return best;
  }

  /** Slots that one caller may have now. */
  private get mostOfOne(): number {
    const { slots } = this;
    if (this.shares.size <= 1) return slots;
    const now = performance.now();
    for (const [caller, seenAt] of this.recent) {
      if (seenAt + RECENT_MS > now) break;
      this.recent.delete(caller);
    }
    const quarter = Math.max(1, Math.floor(slots / 4));
    const forOthers = Math.min(Math.max(quarter, this.recent.size - 1), slots - quarter);
    return Math.max(1, slots - forOthers);
  }

  private shareOf(caller: string): Share {
    return this.shares.get(caller) ?? NO_SHARE;
  }

  private give(caller: string, { size = 0 }: Applicant): Slot {
    const share = this.shares.get(caller) ?? { ...NO_SHARE };
    this.shares.set(caller, share);
    share.running++;
    share.last = ++this.given;
    this.running++;
    const correct = this.options.rate?.add(size);
    return {
      release: (actual) => {
        share.running--;
        this.running--;
        if (actual !== undefined) correct?.(actual);
        this.next();
      },
    };
  }

  /** @throws unless there is a place in the queue, or a caller with more places that loses one */
  private makePlace({ callers }: Applicant): void {
    const { places = Infinity } = this.options;
    if (this.waiters.length < places) return;
    const lines = new Map<string, Waiter[]>();
    for (const waiter of this.waiters) {
      const [caller] = waiter.callers();
      lines.set(caller, [...(lines.get(caller) ?? []), waiter]);
    }
    const own = lines.get(callers()[0])?.length ?? 0;
    const [longest] = [...lines.values()].sort((a, b) => b.length - a.length);
    if (!longest || longest.length <= own + 1) throw this.overloaded();
    longest.at(-1)!.refuse(this.overloaded());
  }

  /** An honest guess without knowing how long work takes: the fuller the queue, the later. */
  private overloaded(): Error {
    const { waitMs = 0, places = 1, refuse = () => new Error('The queue is full.') } = this.options;
    const share = this.waiters.length / Math.max(1, places);
    return refuse(Math.max(1, Math.ceil((waitMs / 1000) * share * 0.5)));
  }
}

/** Of a caller that has joined since. */
const NO_SHARE: Readonly<Share> = { running: 0, last: 0, seenAt: 0 };

function isBefore(a: Share, b: Share): boolean {
  return a.running < b.running || (a.running === b.running && a.last < b.last);
}
