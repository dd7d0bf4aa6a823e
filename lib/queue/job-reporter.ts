import type { JobProgressDto } from '../http/dto/job.dto.js';
import type { ProgressEvent } from '../core/context.js';
import type { JobEvents } from './job-events.js';
import type { JobKeys } from './job-keys.js';
import type { JobRedis } from './job-redis.js';

/** Text is gathered for this long before it becomes an event, ms: an event for each word would cost more than the word. */
const GATHER_MS = 100;

/** Events that listeners got before the job was resumed. */
export interface ReportedSoFar {
  progress?: JobProgressDto;
  /** Whether they got some of the text. */
  text: boolean;
}

/** Reports to the listeners of one job how far it is, in order. A report that Redis does not take is lost; the job goes on. */
export class JobReporter {
  private writing: Promise<unknown> = Promise.resolve();
  private text = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param reported how far the job was before it was resumed: events up to there are not repeated */
  constructor(
    private readonly id: string,
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
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
      await this.redis.commands.hset(this.keys.state(this.id), 'text', 1);
      await this.events.append(this.id, 'delta', { text });
    });
  }

  private async setProgress(progress: JobProgressDto): Promise<void> {
    const state = this.keys.state(this.id);
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
