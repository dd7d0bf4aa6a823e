import type { JobProgressDto } from '../http/dto/job.dto.js';
import type { ProgressEvent } from '../core/tool-context.js';
import type { JobEvents } from './job-events.js';
import type { JobKeys } from './job-keys.js';
import type { JobRedis } from './job-redis.js';

/** Text is told in pieces of this length of time, ms: an event for each word would cost more than the word. */
const GATHER_MS = 100;

/** Tells the listeners of one job how far it is, in order. What cannot be told is lost; the job goes on. */
export class JobReporter {
  private told: Promise<unknown> = Promise.resolve();
  private text = '';
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param reached where the job was when it was begun before: what comes before it is not told again
   */
  constructor(
    private readonly id: string,
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
    private readonly events: JobEvents,
    private readonly keptMs: number,
    private reached?: JobProgressDto,
  ) {}

  progress({ text, ...progress }: ProgressEvent): void {
    if (text !== undefined) {
      this.text += text;
      this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
      return;
    }
    if (this.reached) {
      if (progress.stage !== this.reached.stage || (progress.done ?? 0) < (this.reached.done ?? 0)) return;
      this.reached = undefined;
    }
    this.flush();
    this.tell(() => this.setProgress(progress));
  }

  /** Resolves when everything is told. */
  async end(): Promise<void> {
    this.flush();
    await this.told;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { text } = this;
    this.text = '';
    if (text !== '') this.tell(() => this.events.append(this.id, 'delta', { text }));
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

  private tell(send: () => Promise<void>): void {
    this.told = this.told.then(send).catch(() => undefined);
  }
}
