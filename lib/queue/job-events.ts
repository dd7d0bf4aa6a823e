import { Inject, Injectable } from '@nestjs/common';
import type { JobProgressDto } from '../http/job-intake.js';
import type { ProgressEvent } from '../core/context.js';
import { readProgress } from './job-record.js';
import { JobRedis } from './job-redis.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** About this many events are kept of one job. */
const MAX_EVENTS = 2_000;
/** Events of a job that has ended are kept for listeners that are behind, ms; its outcome says everything. */
const KEPT_AFTER_END_MS = 300_000;

/** One event for the listeners of a job. `end`: the job has ended, and has its outcome. */
interface JobEvent {
  /** Id in the Redis stream, e.g. `1700000000000-0`; later events have higher ids. */
  id: string;
  event: 'progress' | 'delta' | 'end';
  /** JSON. */
  data: string;
}

/** The events of jobs, kept in order for a while, so that a listener who was cut off can continue where it was. */
@Injectable()
export class JobEvents {
  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /** Reports to the listeners of a job that starts, perhaps again. */
  async reporterOf(id: string): Promise<JobReporter> {
    const { commands, keys } = this.redis;
    const [progress, text] = await commands.hmget(keys.state(id), 'progress', 'text');
    const reported = { progress: readProgress(progress), text: Boolean(text) };
    return new JobReporter(id, this.redis, this, this.options.keptMs, reported);
  }

  /** Appends one event and wakes the listeners. */
  append(id: string, event: 'progress' | 'delta', data: object): Promise<void> {
    return this.write(id, event, data, this.options.keptMs);
  }

  /** Appends the event that the job has ended. */
  end(id: string): Promise<void> {
    return this.write(id, 'end', {}, Math.min(this.options.keptMs, KEPT_AFTER_END_MS));
  }

  /** Events after the one with the id `last`, in order, at most 200; from the beginning without an id. */
  async after(id: string, last: string | undefined): Promise<JobEvent[]> {
    const from = last === undefined ? '-' : `(${last}`;
    const entries = await this.redis.commands.xrange(this.redis.keys.events(id), from, '+', 'COUNT', 200);
    return entries.map(([entry, [, event, , data]]) => ({
      id: entry,
      event: event as JobEvent['event'],
      data: data!,
    }));
  }

  /** Calls back when there may be more events. @returns a function that stops it */
  listen(id: string, onMore: () => void): Promise<() => void> {
    return this.redis.listen(this.redis.keys.events(id), onMore);
  }

  private async write(id: string, event: JobEvent['event'], data: object, keptMs: number): Promise<void> {
    const key = this.redis.keys.events(id);
    await this.redis.commands
      .pipeline()
      .xadd(key, 'MAXLEN', '~', MAX_EVENTS, '*', 'e', event, 'd', JSON.stringify(data))
      .pexpire(key, keptMs)
      .publish(key, event)
      .exec();
  }
}

/** Text is gathered for this long before it becomes an event, ms: an event for each word would cost more than the word. */
const GATHER_MS = 100;

/** Events that listeners got before the job was resumed. */
interface ReportedSoFar {
  progress?: JobProgressDto;
  /** Whether they got some of the text. */
  text: boolean;
}

/** Reports to the listeners of one job how far it is, in order. A report that Redis does not take is lost; the job goes on. */
class JobReporter {
  private writing: Promise<unknown> = Promise.resolve();
  private text = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param reported how far the job was before it was resumed: events up to there are not repeated */
  constructor(
    private readonly id: string,
    private readonly redis: JobRedis,
    private readonly events: JobEvents,
    private readonly keptMs: number,
    private readonly reported: ReportedSoFar,
  ) {}

  progress({ text, ...progress }: ProgressEvent): void {
    if (text !== undefined) {
      // The text of the worker that died does not count any more. Listeners know this step from the plain stream.
      if (this.reported.text) this.enqueue(() => this.setProgress({ stage: 'rewrite' }));
      this.reported.text = false;
      this.text += text;
      this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
      return;
    }
    const reached = this.reported.progress;
    if (reached) {
      if (progress.stage !== reached.stage || (progress.done ?? 0) < (reached.done ?? 0)) return;
      this.reported.progress = undefined;
    }
    this.flush();
    this.enqueue(() => this.setProgress(progress));
  }

  /** Resolves when everything is reported. */
  async end(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { text } = this;
    this.text = '';
    if (text === '') return;
    this.enqueue(async () => {
      await this.redis.commands.hset(this.redis.keys.state(this.id), 'text', 1);
      await this.events.append(this.id, 'delta', { text });
    });
  }

  private async setProgress(progress: JobProgressDto): Promise<void> {
    const state = this.redis.keys.state(this.id);
    await this.redis.commands
      .pipeline()
      .hset(state, 'progress', JSON.stringify(progress))
      .pexpire(state, this.keptMs)
      .exec();
    await this.events.append(this.id, 'progress', progress);
  }

  private enqueue(write: () => Promise<void>): void {
    this.writing = this.writing.then(write).catch(() => undefined);
  }
}
