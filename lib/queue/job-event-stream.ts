import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Logger } from '@nestjs/common';
import { JobNotFoundError } from '../core/errors/index.js';
import { errorResponse } from '../core/error-body.js';
import type { JobEvents } from './job-events.js';
import type { JobQueue } from './job-queue.js';
import { endOf } from './job-record.js';

/** Without news for so long the job is looked at and the connection kept alive with a comment, ms. */
const IDLE_MS = 10_000;
const logger = new Logger('ToolsModule');
const EVENT_ID = /^\d{1,20}-\d{1,20}$/;

/** Who listens, to what, and where it was. */
export interface JobListener {
  id: string;
  owner: string;
  requestId: string;
  /** `Last-Event-ID`; what is no id of ours means the beginning. */
  lastEventId: string | undefined;
}

/**
 * A job as server-sent events: the `progress` and `delta` events of the plain stream, each with an id, then one `result` or one `error` with
 * the very body. Ends when the job does.
 */
export function jobEventStream(queue: JobQueue, events: JobEvents, listener: JobListener): PassThrough {
  const stream = new PassThrough();
  const left = new AbortController();
  stream.once('close', () => left.abort());
  follow(queue, events, listener, stream, left.signal)
    .catch((error: unknown) => {
      // Anything else says nothing about the job: the stream ends without a last word, and the client comes back for the rest.
      if (error instanceof JobNotFoundError)
        stream.write(line('error', errorResponse(error, listener.requestId).body));
      else if (!left.signal.aborted)
        logger.warn(`The stream of the job ${listener.id} broke off: ${String(error)}`);
    })
    .finally(() => stream.end());
  return stream;
}

async function follow(
  queue: JobQueue,
  events: JobEvents,
  { id, owner, lastEventId }: JobListener,
  stream: PassThrough,
  left: AbortSignal,
): Promise<void> {
  const news = new News();
  const stop = await events.listen(id, () => news.come());
  try {
    let last = lastEventId !== undefined && EVENT_ID.test(lastEventId) ? lastEventId : undefined;
    let check = true;
    for (;;) {
      left.throwIfAborted();
      const found = await events.after(id, last);
      for (const { id: entry, event, data } of found) {
        last = entry;
        if (event === 'end') check = true;
        else if (!stream.write(`id: ${entry}\nevent: ${event}\ndata: ${data}\n\n`))
          await once(stream, 'drain', { signal: left });
      }
      if (found.length > 0) continue;
      if (check) {
        const end = endOf((await queue.find(id, owner)).job);
        if (end) {
          stream.write(end.result ? line('result', end.result, last) : line('error', end.error!, last));
          return;
        }
        check = false;
      }
      const came = await news.wait(IDLE_MS, left);
      if (came) continue;
      stream.write(': still here\n\n');
      check = true;
    }
  } finally {
    stop();
  }
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

  /** @returns false when nothing came in the time */
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
