import { randomBytes } from 'node:crypto';
import type { Queue } from 'bullmq';
import { JobNotFoundError, UpstreamUnavailableError } from '../core/errors/index.js';
import { raceTimeout } from '../core/race-timeout.js';
import type { JobDto, JobProgressDto } from '../http/dto/job.dto.js';
import type { JobIntake, JobRequest } from '../http/job-intake.js';
import { FairTurns } from './fair-turns.js';
import type { JobEvents } from './job-events.js';
import { equalityOf, isJobId, jobIdOf, QUEUE_NAME, type JobKeys } from './job-keys.js';
import type { ToldSoFar } from './job-reporter.js';
import { toJobDto, type JobData, type JobOutcome, type ToolJob, type ToolJobData } from './job-record.js';
import type { JobRedis } from './job-redis.js';
import type { ResolvedJobsOptions } from './jobs.options.js';

/** A queue that does not answer within this time is down, ms. */
const TIMEOUT_MS = 3_000;

/** A job that was found, and what it is at. */
export interface FoundJob {
  job: ToolJob;
  progress?: JobProgressDto;
}

/** The jobs as clients know them: submitted, looked up, cancelled. */
export class JobQueue implements JobIntake {
  /** BullMQ's own. */
  readonly queue: Queue<JobData, JobOutcome>;
  readonly turns: FairTurns;
  /** Work that breaks off, as against work that fails, is tried again: it was Redis. */
  readonly retries = { attempts: 5, backoff: { type: 'exponential', delay: 500 } };

  constructor(
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
    private readonly events: JobEvents,
    private readonly options: ResolvedJobsOptions,
  ) {
    const { Queue: BullMqQueue } = redis.peers.bullmq;
    this.queue = new BullMqQueue<JobData, JobOutcome>(QUEUE_NAME, {
      connection: redis.commands,
      prefix: options.prefix,
      skipWaitingForReady: true,
      // Nobody reads BullMQ's own events; ours have a stream for each job.
      streams: { events: { maxLen: 100 } },
    });
    this.queue.on('error', () => undefined);
    this.turns = new FairTurns(redis.commands, keys);
  }

  submit(request: JobRequest): Promise<JobDto> {
    return this.answered(async () => {
      const equality = equalityOf(request);
      if (request.noCache) return this.add(`${equality}-${randomBytes(6).toString('hex')}`, request);
      const generation = (await this.redis.commands.get(this.keys.generation(equality))) ?? '0';
      const id = jobIdOf(equality, generation);
      const found = await this.lookUp(id);
      if (found === 'none') return this.add(id, request, equality);
      if (found !== 'over') {
        const dto = toJobDto(found.job, found.progress);
        if (dto.status !== 'failed') return dto;
      }
      // Set, not counted up: whoever asks at the same moment comes to the same number.
      const next = String(Number(generation) + 1);
      await this.redis.commands.set(this.keys.generation(equality), next, 'PX', this.keptMs());
      return this.add(jobIdOf(equality, next), request, equality);
    });
  }

  /**
   * A job of this owner.
   * @throws JobNotFoundError, UpstreamUnavailableError when the queue cannot be reached
   */
  find(id: string, owner: string): Promise<FoundJob> {
    return this.answered(async () => {
      const found = isJobId(id) ? await this.lookUp(id) : 'none';
      if (typeof found === 'string' || found.job.data.owner.id !== owner) throw new JobNotFoundError();
      return found;
    });
  }

  /**
   * Cancels a job, or forgets it where it has ended. What is under way stops, down to the calls upstream.
   * @throws JobNotFoundError, UpstreamUnavailableError when the queue cannot be reached
   */
  async cancel(id: string, owner: string): Promise<void> {
    const { job } = await this.find(id, owner);
    await this.answered(async () => {
      const state = this.keys.state(id);
      await this.redis.commands
        .pipeline()
        .hset(state, 'cancelled', 1)
        .pexpire(state, this.keptMs())
        .publish(this.keys.cancellations(), id)
        .exec();
      await this.events.end(id);
      // Locked while somebody works on it: the mark is enough then.
      await job.remove().catch(() => undefined);
    });
  }

  /** Whether a job is to be given up. */
  async isCancelled(id: string): Promise<boolean> {
    return (await this.redis.commands.hexists(this.keys.state(id), 'cancelled')) === 1;
  }

  /** What listeners of a job have been told when it is begun, perhaps not for the first time. */
  async toldOf(id: string): Promise<ToldSoFar> {
    const [progress, text] = await this.redis.commands.hmget(this.keys.state(id), 'progress', 'text');
    return { progress: progress ? (JSON.parse(progress) as JobProgressDto) : undefined, text: Boolean(text) };
  }

  /** How long anything about a job is kept at most, ms. */
  keptMs(): number {
    return this.options.resultTtlMs + this.options.deadlineMs;
  }

  private async lookUp(id: string): Promise<FoundJob | 'none' | 'over'> {
    const [job, [cancelled, progress]] = await Promise.all([
      this.queue.getJob(id) as Promise<ToolJob | undefined>,
      this.redis.commands.hmget(this.keys.state(id), 'cancelled', 'progress') as Promise<(string | null)[]>,
    ]);
    if (cancelled) return 'over';
    if (!job) return 'none';
    const expired = job.finishedOn !== undefined && job.finishedOn + this.options.resultTtlMs <= Date.now();
    if (expired || (job.returnvalue && 'cancelled' in job.returnvalue)) return 'over';
    return { job, progress: progress ? (JSON.parse(progress) as JobProgressDto) : undefined };
  }

  private async add(id: string, request: JobRequest, journal = id): Promise<JobDto> {
    const { tool, input, owner, requestId, noCache } = request;
    const turn = await this.turns.take(owner.id);
    const data: ToolJobData = { kind: 'tool', tool, input, owner, requestId, noCache, turn, journal };
    const age = Math.ceil(this.options.resultTtlMs / 1000);
    const job = await this.queue.add(tool, data, {
      ...this.retries,
      jobId: id,
      priority: turn,
      removeOnComplete: { age },
      removeOnFail: { age },
    });
    return toJobDto(job as ToolJob, undefined);
  }

  private async answered<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await raceTimeout(work(), TIMEOUT_MS);
    } catch (error) {
      if (error instanceof JobNotFoundError) throw error;
      throw new UpstreamUnavailableError('The queue of jobs cannot be reached.', { cause: error });
    }
  }
}
