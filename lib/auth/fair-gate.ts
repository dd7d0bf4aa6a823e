import { OverloadedError } from '../core/errors.js';
import type { ConcurrencyOptions } from './auth.options.js';

interface Waiter {
  start(): void;
  refuse(error: Error): void;
}

interface Line {
  running: number;
  limit: number;
  waiting: Waiter[];
}

/**
 * Limits how much work runs at once, in total and for each caller. The rest waits in a bounded queue. Callers take turns, however long
 * their lines are. When the queue is full, the caller with the longest line loses its last place, so that one caller cannot keep the
 * others out.
 */
export class FairGate {
  /** Callers that run or wait; in the order of their turns. A caller with neither is forgotten. */
  private readonly lines = new Map<string, Line>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly options: Required<ConcurrencyOptions>) {}

  /** How much runs and waits. */
  get load(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting };
  }

  /**
   * Does the work when it is its turn.
   *
   * @param limit of this caller, in place of `perKey`
   * @param signal takes a waiter out of the queue; its reason is thrown. Work that runs listens to it itself
   * @throws OverloadedError when the queue is full or the wait is too long
   */
  async run<T>(
    caller: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    limit: number = this.options.perKey,
  ): Promise<T> {
    const line = await this.enter(caller, signal, limit);
    try {
      return await work();
    } finally {
      line.running--;
      this.running--;
      this.next();
      this.forgetIfIdle(caller, line);
    }
  }

  private async enter(caller: string, signal: AbortSignal, limit: number): Promise<Line> {
    signal.throwIfAborted();
    const line = this.lines.get(caller) ?? { running: 0, limit, waiting: [] };
    line.limit = limit;
    this.lines.set(caller, line);
    if (this.running < this.options.total && line.running < limit && line.waiting.length === 0) {
      this.admit(line);
      return line;
    }
    try {
      this.makeRoom(line);
      await this.wait(line, signal);
      return line;
    } catch (error) {
      this.forgetIfIdle(caller, line);
      throw error;
    }
  }

  private admit(line: Line): void {
    line.running++;
    this.running++;
  }

  private makeRoom(newcomer: Line): void {
    if (this.waiting < this.options.queue) return;
    let longest = newcomer;
    for (const line of this.lines.values()) if (line.waiting.length > longest.waiting.length) longest = line;
    const last = longest.waiting.length > newcomer.waiting.length + 1 ? longest.waiting.at(-1) : undefined;
    if (!last) throw new OverloadedError(this.retryAfterSeconds());
    last.refuse(new OverloadedError(this.retryAfterSeconds()));
  }

  private wait(line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        line.waiting.splice(line.waiting.indexOf(waiter), 1);
        this.waiting--;
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          this.admit(line);
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = (): void => waiter.refuse(signal.reason as Error);
      const timer = setTimeout(
        () => waiter.refuse(new OverloadedError(this.retryAfterSeconds())),
        this.options.queueTimeoutMs,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      line.waiting.push(waiter);
      this.waiting++;
    });
  }

  /** Starts who is next; a caller that has had its turn goes to the end of the round. */
  private next(): void {
    while (this.running < this.options.total) {
      const found = [...this.lines].find(
        ([, { waiting, running, limit }]) => waiting.length > 0 && running < limit,
      );
      if (!found) return;
      const [caller, line] = found;
      this.lines.delete(caller);
      this.lines.set(caller, line);
      line.waiting[0]!.start();
    }
  }

  private forgetIfIdle(caller: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0 && this.lines.get(caller) === line)
      this.lines.delete(caller);
  }

  /** An honest guess without knowing how long work takes: the fuller the queue, the later. */
  private retryAfterSeconds(): number {
    const { queueTimeoutMs, queue } = this.options;
    return Math.max(1, Math.ceil((queueTimeoutMs / 1000) * (this.waiting / Math.max(1, queue)) * 0.5));
  }
}
