import type { JobKeys } from './job-keys.js';
import type { JobRedis } from './job-redis.js';
import type { JobSignals } from './job-signals.js';

/** About this many events are kept of one job. */
const MOST_EVENTS = 2_000;
/** Events of a job that has ended are kept for listeners that are behind, ms; its outcome says everything. */
const KEPT_AFTER_END_MS = 300_000;

/** One event for the listeners of a job. `end`: the job has ended, and has its outcome. */
export interface JobEvent {
  /** Id in the Redis stream, e.g. `1700000000000-0`; later events have higher ids. */
  id: string;
  event: 'progress' | 'delta' | 'end';
  /** JSON. */
  data: string;
}

/** The events of jobs, kept in order for a while, so that a listener who was cut off can continue where it was. */
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

  /** Appends the event that the job has ended. */
  end(id: string): Promise<void> {
    return this.write(id, 'end', {}, Math.min(this.keptMs, KEPT_AFTER_END_MS));
  }

  /** Events after the one with the id `last`, in order, at most 200; from the beginning without an id. */
  async after(id: string, last: string | undefined): Promise<JobEvent[]> {
    const from = last === undefined ? '-' : `(${last}`;
    const entries = await this.redis.commands.xrange(this.keys.events(id), from, '+', 'COUNT', 200);
    return entries.map(([entry, [, event, , data]]) => ({
      id: entry,
      event: event as JobEvent['event'],
      data: data!,
    }));
  }

  /** Calls back when there may be more events. @returns a function that stops it */
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
