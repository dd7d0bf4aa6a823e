import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Logger } from '@nestjs/common';
import { JobNotFoundError, TooManyAtOnceError } from '../core/errors.js';
import { printable } from '../core/text/printable.js';
import { errorResponse } from '../core/error-body.js';
import type { JobEvents } from './job-events.js';
import type { JobQueue } from './job-queue.js';
import { endOf } from './job-record.js';

/** After this long without an event the job is looked at, and a comment keeps the connection alive, ms. */
const IDLE_MS = 10_000;
/** Both parts of an id in a Redis stream are numbers of 64 bits. */
const MAX_ID_PART = 2n ** 64n - 1n;

/** A listener, the job that it listens to, and where it was. */
export interface JobListener {
  id: string;
  owner: string;
  requestId: string;
  /** `Last-Event-ID`; anything but an id of an event means the beginning. */
  lastEventId: string | undefined;
}

/** The event streams of jobs. */
export class JobStreams {
  private readonly logger = new Logger('ToolsModule');
  /** Streams that are open, by owner. */
  private readonly open = new Map<string, number>();

  /** @param maxPerKey streams that one owner may have open in this process */
  constructor(
    private readonly queue: JobQueue,
    private readonly events: JobEvents,
    private readonly maxPerKey: number,
  ) {}

  /**
   * A job as server-sent events: the `progress` and `delta` events of the plain stream, each with an id, then one `result` or one `error`
   * with the body of the plain request. Ends when the job does.
   * @throws TooManyAtOnceError
   */
  start(listener: JobListener): PassThrough {
    const { owner } = listener;
    const others = this.open.get(owner) ?? 0;
    if (others >= this.maxPerKey) throw new TooManyAtOnceError('event streams open', this.maxPerKey);
    this.open.set(owner, others + 1);
    const stream = new PassThrough();
    const left = new AbortController();
    stream.once('close', () => {
      left.abort();
      const rest = this.open.get(owner)! - 1;
      if (rest === 0) this.open.delete(owner);
      else this.open.set(owner, rest);
    });
    this.follow(listener, stream, left.signal)
      .catch((error: unknown) => {
        // Any other error says nothing about the job: the stream ends without a last event, and the client comes back for the rest.
        if (error instanceof JobNotFoundError)
          stream.write(line('error', errorResponse(error, listener.requestId).body));
        else if (!left.signal.aborted)
          this.logger.warn(`The stream of the job ${listener.id} broke off: ${printable(String(error))}`);
      })
      .finally(() => stream.end());
    return stream;
  }

  private async follow(
    { id, owner, lastEventId }: JobListener,
    stream: PassThrough,
    left: AbortSignal,
  ): Promise<void> {
    const news = new News();
    const stop = await this.events.listen(id, () => news.come());
    try {
      let last = isEventId(lastEventId) ? lastEventId : undefined;
      let check = true;
      for (;;) {
        left.throwIfAborted();
        const found = await this.events.after(id, last);
        for (const { id: entry, event, data } of found) {
          last = entry;
          if (event === 'end') check = true;
          else if (!stream.write(`id: ${entry}\nevent: ${event}\ndata: ${data}\n\n`))
            await once(stream, 'drain', { signal: left });
        }
        if (found.length > 0) continue;
        if (check) {
          const end = endOf((await this.queue.find(id, owner)).job);
          if (end) {
            stream.write(end.result ? line('result', end.result, last) : line('error', end.error!, last));
            return;
          }
          check = false;
        }
        if (await news.wait(IDLE_MS, left)) continue;
        stream.write(': still here\n\n');
        check = true;
      }
    } finally {
      stop();
    }
  }
}

/** Whether a text is an id of a Redis stream, e.g. `1700000000000-0`. Redis refuses higher numbers with an error. */
export function isEventId(text: string | undefined): text is string {
  const parts = /^(\d{1,20})-(\d{1,20})$/.exec(text ?? '')?.slice(1);
  return parts !== undefined && parts.every((part) => BigInt(part) <= MAX_ID_PART);
}

function line(event: string, body: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
}

/** Remembers that something came until somebody asks. */
class News {
  private waiting = false;
  private wake: () => void = () => undefined;

  come(): void {
    this.waiting = true;
    this.wake();
  }

  /** @returns false when nothing came within the time */
  async wait(ms: number, left: AbortSignal): Promise<boolean> {
    if (!this.waiting) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        left.addEventListener('abort', this.wake, { once: true });
      });
      left.removeEventListener('abort', this.wake);
    }
    const came = this.waiting;
    this.waiting = false;
    return came;
  }
}
