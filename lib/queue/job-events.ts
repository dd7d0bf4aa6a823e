import type { JobKeys } from './job-keys.js';
import type { JobRedis } from './job-redis.js';
import type { JobSignals } from './job-signals.js';

/** Most events that are kept of one job, about. */
const MOST_EVENTS = 2_000;
/** Once a job has ended its outcome says it all; the way there is kept for those who are on it, ms. */
const KEPT_AFTER_END_MS = 300_000;

/** Something that listeners of a job are told. `end`: it has ended, its outcome is with the job. */
export interface JobEvent {
  /** Of the stream, e.g. `1700000000000-0`; grows. */
  id: string;
  event: 'progress' | 'delta' | 'end';
  /** JSON. */
  data: string;
}

/** What happens to a job, kept in order for a while, so that a listener who was cut off can go on where it was. */
export class JobEvents {
  constructor(
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
    private readonly signals: JobSignals,
    private readonly keptMs: number,
  ) {}

  /** Appends one event and wakes the listeners. */
  append(id: string, event: 'progress' | 'delta', data: object): Promise<void> {
    return this.write(id, event, data, this.keptMs);
  }

  /** Says that the job has ended. */
  end(id: string): Promise<void> {
    return this.write(id, 'end', {}, Math.min(this.keptMs, KEPT_AFTER_END_MS));
  }

  /** Some of the events after the one named, in order; from the beginning without a name. */
  async after(id: string, last: string | undefined): Promise<JobEvent[]> {
    const from = last === undefined ? '-' : `(${last}`;
    const entries = await this.redis.commands.xrange(this.keys.events(id), from, '+', 'COUNT', 200);
    return entries.map(([entry, [, event, , data]]) => ({
      id: entry,
      event: event as JobEvent['event'],
      data: data!,
    }));
  }

  /** Calls back when there may be more. @returns stops that */
  listen(id: string, onMore: () => void): Promise<() => void> {
    return this.signals.listen(this.keys.events(id), onMore);
  }

  private async write(id: string, event: JobEvent['event'], data: object, keptMs: number): Promise<void> {
    const key = this.keys.events(id);
    await this.redis.commands
      .pipeline()
      .xadd(key, 'MAXLEN', '~', MOST_EVENTS, '*', 'e', event, 'd', JSON.stringify(data))
      .pexpire(key, keptMs)
      .publish(key, event)
      .exec();
  }
}
