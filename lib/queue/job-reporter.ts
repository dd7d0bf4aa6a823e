import type { JobProgressDto } from '../http/dto/job.dto.js';
import type { ProgressEvent } from '../core/tool-context.js';
import type { JobEvents } from './job-events.js';
import type { JobKeys } from './job-keys.js';
import type { JobRedis } from './job-redis.js';

/** Text is told in pieces of this length of time, ms: an event for each word would cost more than the word. */
const GATHER_MS = 100;

/** What was told before the job was begun again. */
export interface ToldSoFar {
  progress?: JobProgressDto;
  /** Whether some of the text was. */
  text: boolean;
}

/** Tells the listeners of one job how far it is, in order. What cannot be told is lost; the job goes on. */
export class JobReporter {
  private telling: Promise<unknown> = Promise.resolve();
  private text = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param told where the job was when it was begun before: what comes before it is not told again */
  constructor(
    private readonly id: string,
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
    private readonly events: JobEvents,
    private readonly keptMs: number,
    private readonly told: ToldSoFar,
  ) {}

  progress({ text, ...progress }: ProgressEvent): void {
    if (text !== undefined) {
      // What a worker wrote that is no more is worth nothing: listeners know this step from the plain stream.
      if (this.told.text) this.tell(() => this.setProgress({ stage: 'rewrite' }));
      this.told.text = false;
      this.text += text;
      this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
      return;
    }
    const reached = this.told.progress;
    if (reached) {
      if (progress.stage !== reached.stage || (progress.done ?? 0) < (reached.done ?? 0)) return;
      this.told.progress = undefined;
    }
    this.flush();
    this.tell(() => this.setProgress(progress));
  }

  /** Resolves when everything is told. */
  async end(): Promise<void> {
    this.flush();
    await this.telling;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { text } = this;
    this.text = '';
    if (text === '') return;
    this.tell(async () => {
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

  private tell(send: () => Promise<void>): void {
    this.telling = this.telling.then(send).catch(() => undefined);
  }
}
