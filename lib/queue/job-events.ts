import { Inject, Injectable } from '@nestjs/common';
import type { ProgressEvent } from '../core/context.js';
import type { ToolJob } from './job-record.js';
import { JobRedis } from './job-redis.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** About this many events are kept of one job; a plain bound. */
const MAX_EVENTS = 2_000;
/** Text is gathered for this long before it becomes an event, ms: an event for each word would cost more than the word; set by hand. */
const GATHER_MS = 100;

interface JobEvent {
  /** Id in the Redis stream, e.g. `1700000000000-0`; later events have higher ids. */
  id: string;
  event: 'progress' | 'delta';
  data: string;
}

interface JobReporter {
  progress(event: ProgressEvent): void;
  end(): Promise<void>;
}

/** The events of jobs, kept in order for a while, so that a listener who was cut off can continue where it was. */
@Injectable()
export class JobEvents {
  /** Open streams of events by owner. Here and not in the controller, of which a guard with the scope of a request makes one for each request. */
  readonly streams = new Map<string, number>();

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /** Reports to the listeners of a job that starts, perhaps again, how far it is, in order. A report that Redis does not take is lost; the job goes on. */
  reporterOf(job: ToolJob): JobReporter {
    let writing: Promise<unknown> = Promise.resolve();
    let gathered = '';
    let timer: NodeJS.Timeout | undefined;
    const enqueue = (write: () => Promise<void>): void => {
      writing = writing.then(write).catch(() => undefined);
    };
    const flush = (): void => {
      clearTimeout(timer);
      timer = undefined;
      const text = gathered;
      gathered = '';
      if (text !== '') enqueue(() => this.append(job.id!, 'delta', { text }));
    };
    const progress = ({ text, ...step }: ProgressEvent): void => {
      if (text !== undefined) {
        gathered += text;
        timer ??= setTimeout(flush, GATHER_MS);
        return;
      }
      flush();
      enqueue(async () => {
        await job.updateProgress(step);
        await this.append(job.id!, 'progress', step);
      });
    };
    // The text of a worker that was lost does not count any more. Listeners know this step from the plain stream.
    if (job.attemptsStarted > 1) progress({ stage: 'rewrite' });
    const end = async (): Promise<void> => {
      flush();
      await writing;
    };
    return { progress, end };
  }

  /** Events after the one with the id `last`, in order, at most 200; from the beginning without an id. */
  async after(id: string, last: string | undefined): Promise<JobEvent[]> {
    const from = last === undefined ? '-' : `(${last}`;
    const entries = await this.redis.commands.xrange(this.redis.keys.events(id), from, '+', 'COUNT', 200);
    return entries.map(([entry, [event, data]]) => ({
      id: entry,
      event: event as JobEvent['event'],
      data: data!,
    }));
  }

  private async append(id: string, event: JobEvent['event'], data: object): Promise<void> {
    const key = this.redis.keys.events(id);
    await this.redis.commands
      .pipeline()
      .xadd(key, 'MAXLEN', '~', MAX_EVENTS, '*', event, JSON.stringify(data))
      .pexpire(key, this.options.keptMs)
      .exec();
  }
}
