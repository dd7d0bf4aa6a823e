import type { Callers } from './context.js';

export interface Rate {
  /** Time until something of this size may start, ms; 0 if it may now. */
  waitMs(size: number): number;
  /** Books a start. @returns corrects its size once that is known */
  add(size: number): (size: number) => void;
}

interface FairQueueOptions {
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

interface Applicant {
  /** Those who wait for it. It takes the turn of the one who has the fewest slots. */
  callers: () => Callers;
  /** Takes it out of the queue; its reason is thrown. */
  signal: AbortSignal;
  /** What the rate counts. Default 0. */
  size?: number;
  /** Slots of its caller, in place of `perCaller`. */
  limit?: number;
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

/** A caller that has not been here for this long is forgotten, ms; set by hand. */
const FORGOTTEN_MS = 60_000;

/**
 * The queue of this package: for requests, calls to models, and connections to a database. A free slot goes to the waiting caller that has the
 * fewest, then to the one whose last slot is longest ago, however many pieces of work each has in the queue. Work may take for ever, so one caller
 * never gets the last quarter of the slots while others are about. When the queue is full, the caller with the most places loses its last one.
 *
 * `queue/job-queue.ts` does the same for jobs of several processes: it gives them numbers, because BullMQ orders jobs by a number.
 */
export class FairQueue {
  /** In the order of when they were last here. */
  private readonly shares = new Map<string, Share>();
  private readonly waiters: Waiter[] = [];
  private running = 0;
  private given = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FairQueueOptions) {}

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
  enter(applicant: Applicant): Promise<Slot> {
    const { signal, callers } = applicant;
    const { places = Infinity, waitMs } = this.options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.see(callers());
      let timer: NodeJS.Timeout | undefined;
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
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.push(waiter);
      this.next();
      if (this.waiters.length > places) this.lastInLine(callers()[0]).refuse(this.overloaded());
      if (waitMs !== undefined && this.waiters.includes(waiter))
        timer = setTimeout(() => waiter.refuse(this.overloaded()), waitMs);
    });
  }

  private next(): void {
    clearTimeout(this.timer);
    while (this.running < this.slots) {
      const [waiter, caller] = this.chosen() ?? [];
      if (!waiter) break;
      const pause = this.options.rate?.waitMs(waiter.size ?? 0) ?? 0;
      if (pause > 0) {
        this.timer = setTimeout(() => this.next(), Math.ceil(pause));
        break;
      }
      waiter.start(this.give(this.shareOf(caller!), waiter));
    }
  }

  private get slots(): number {
    const { slots } = this.options;
    return typeof slots === 'number' ? slots : slots();
  }

  /** Notes who is here, and forgets who has left. */
  private see(callers: Callers): void {
    const seenAt = performance.now();
    for (const caller of callers) {
      const share = this.shareOf(caller);
      share.seenAt = seenAt;
      this.shares.delete(caller);
      this.shares.set(caller, share);
    }
    for (const [caller, share] of this.shares) {
      if (share.seenAt + FORGOTTEN_MS > seenAt) break;
      if (share.running === 0) this.shares.delete(caller);
    }
  }

  /** Who is next, and whose turn it takes. */
  private chosen(): [Waiter, string] | undefined {
    let best: [Waiter, string] | undefined;
    for (const waiter of this.waiters) {
      const caller = this.callerOf(waiter);
      if (caller !== undefined && (!best || this.isBefore(caller, best[1]))) best = [waiter, caller];
    }
    return best;
  }

  /** The one of its callers whose turn comes first; undefined while all have as many slots as they may. */
  private callerOf({ callers, limit = this.options.perCaller ?? Infinity }: Applicant): string | undefined {
    const { slots } = this;
    const forOthers = this.shares.size > 1 ? Math.max(1, Math.floor(slots / 4)) : 0;
    const most = Math.min(limit, Math.max(1, slots - forOthers));
    const waiting = callers().filter((caller) => this.shareOf(caller).running < most);
    return waiting.reduce<string | undefined>(
      (best, caller) => (best === undefined || this.isBefore(caller, best) ? caller : best),
      undefined,
    );
  }

  private isBefore(caller: string, other: string): boolean {
    const [a, b] = [this.shareOf(caller), this.shareOf(other)];
    return a.running < b.running || (a.running === b.running && a.last < b.last);
  }

  private shareOf(caller: string): Share {
    let share = this.shares.get(caller);
    if (!share) this.shares.set(caller, (share = { running: 0, last: 0, seenAt: performance.now() }));
    return share;
  }

  private give(share: Share, { size = 0 }: Applicant): Slot {
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

  /** The last of the longest line in a full queue: of the caller that comes, unless another one has more places. */
  private lastInLine(caller: string): Waiter {
    const lines = new Map<string, Waiter[]>();
    for (const waiter of this.waiters) {
      const [first] = waiter.callers();
      lines.set(first, [...(lines.get(first) ?? []), waiter]);
    }
    const line = lines.get(caller) ?? [];
    const [longest = line] = [...lines.values()].sort((a, b) => b.length - a.length);
    return (longest.length > line.length ? longest : line).at(-1)!;
  }

  /** Without knowing how long work takes: half of the longest wait. */
  private overloaded(): Error {
    const { waitMs = 0, refuse = () => new Error('The queue is full.') } = this.options;
    return refuse(Math.max(1, Math.ceil(waitMs / 2000)));
  }
}
