import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import {
  JobNotFoundError,
  ToolsError,
  TooManyAtOnceError,
  UpstreamUnavailableError,
} from '../core/errors.js';
import { raceTimeout } from '../core/async.js';
import type { JobDto, JobProgressDto, JobIntake, JobRequest, JobState } from '../http/job-intake.js';
import { JobEvents } from './job-events.js';
import { isJobId, jobIdOf, JobRedis, QUEUE_NAME, requestHash } from './job-redis.js';
import {
  cancellationOf,
  readCancellation,
  readProgress,
  toJobDto,
  type JobData,
  type JobOutcome,
  type ToolJob,
} from './job-record.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** A queue that does not answer within this time counts as down, ms. */
const TIMEOUT_MS = 3_000;
/** A job that was counted as waiting must be in the queue after this time, ms; longer than any submission takes. */
const SUBMITTED_MS = 10_000;

/**
 * KEYS: waiting. ARGV: id, most that may wait, first part of BullMQ's keys of jobs, kept ms. Counts a job as waiting and returns 1, or 0
 * where the owner has as many. Jobs that have begun or are gone leave the set here, because BullMQ does not notify when that happens.
 */
const COUNT_WAITING = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local job = ARGV[3] .. id
  local submitting = now - tonumber(redis.call('ZSCORE', KEYS[1], id)) < ${SUBMITTED_MS}
  if redis.call('HEXISTS', job, 'processedOn') == 1 or (redis.call('EXISTS', job) == 0 and not submitting) then
    redis.call('ZREM', KEYS[1], id)
  end
end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;

interface FoundJob {
  job: ToolJob;
  progress?: JobProgressDto;
}

/** Whether the caller of a piece of work is still waiting for it. */
interface Caller {
  gone: boolean;
}

/** Jobs as clients see them: they are submitted, looked up and cancelled. */
@Injectable()
export class JobQueue implements JobIntake {
  /** BullMQ's queue. */
  readonly queue: Queue<JobData, JobOutcome>;
  readonly turns: FairTurns;
  /** Work that breaks off is tried again, because Redis was the reason. Work that fails is not. */
  readonly retries = { attempts: 5, backoff: { type: 'exponential', delay: 500 } };

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
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
    this.turns = new FairTurns(redis);
  }

  /**
   * A request that Redis accepts only after the client has got its 503 is one of two: a request with `no-cache` is taken back. Any other
   * stays, since the client is told to try again, and then finds this job.
   */
  submit(request: JobRequest): Promise<JobDto> {
    return this.answered(async (caller) => {
      const hash = requestHash(request);
      if (request.noCache) return this.add(`${hash}-${randomBytes(6).toString('hex')}`, request, caller);
      const attempt = (await this.redis.commands.get(this.redis.keys.attempt(hash))) ?? '0';
      const id = jobIdOf(hash, attempt);
      const found = await this.lookUp(id);
      if (found === 'none') return this.add(id, request, caller);
      if (found !== 'over') {
        const dto = toJobDto(found.job, found.progress);
        if (dto.status !== 'failed') return dto;
      }
      // Set, not incremented: callers at the same moment get the same number.
      const next = String(Number(attempt) + 1);
      await this.redis.commands.set(this.redis.keys.attempt(hash), next, 'PX', this.options.keptMs);
      return this.add(jobIdOf(hash, next), request, caller);
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

  get keptMs(): number {
    return this.options.keptMs;
  }

  async look(id: string, owner: string): Promise<JobState> {
    try {
      const { job, progress } = await this.find(id, owner);
      const changed = job.finishedOn ?? job.processedOn ?? job.timestamp;
      return { ...toJobDto(job, progress), changed_at: new Date(changed).toISOString() };
    } catch (error) {
      if (!(error instanceof JobNotFoundError) || !isJobId(id)) throw error;
      const mark = await this.answered(() =>
        this.redis.commands.hget(this.redis.keys.state(id), 'cancelled'),
      );
      const cancelled = readCancellation(mark);
      if (cancelled?.owner !== owner) throw error;
      const { tool, created_at, changed_at } = cancelled;
      return { id, tool, status: 'cancelled', created_at, changed_at };
    }
  }

  /**
   * Cancels a job, or forgets it where it has ended. Work in progress stops, down to the calls upstream.
   * @throws JobNotFoundError, UpstreamUnavailableError when the queue cannot be reached
   */
  async cancel(id: string, owner: string): Promise<void> {
    const { job } = await this.find(id, owner);
    await this.answered(async () => {
      const state = this.redis.keys.state(id);
      await this.redis.commands
        .pipeline()
        .hset(state, 'cancelled', cancellationOf(job))
        .pexpire(state, this.options.keptMs)
        .zrem(this.redis.keys.waiting(owner), id)
        .publish(this.redis.keys.cancellations(), id)
        .exec();
      await this.events.end(id);
      // Locked while a worker has it: the mark is enough then.
      await job.remove().catch(() => undefined);
    });
  }

  /** Whether a job is cancelled. */
  async isCancelled(id: string): Promise<boolean> {
    return (await this.redis.commands.hexists(this.redis.keys.state(id), 'cancelled')) === 1;
  }

  private async lookUp(id: string): Promise<FoundJob | 'none' | 'over'> {
    const [job, [cancelled, progress]] = await Promise.all([
      this.queue.getJob(id) as Promise<ToolJob | undefined>,
      this.redis.commands.hmget(this.redis.keys.state(id), 'cancelled', 'progress') as Promise<
        (string | null)[]
      >,
    ]);
    if (cancelled) return 'over';
    if (!job) return 'none';
    const expired = job.finishedOn !== undefined && job.finishedOn + this.options.resultTtlMs <= Date.now();
    if (expired || (job.returnvalue && 'cancelled' in job.returnvalue)) return 'over';
    return { job, progress: readProgress(progress) };
  }

  private async add(id: string, request: JobRequest, caller: Caller): Promise<JobDto> {
    const { tool, input, owner, requestId, noCache } = request;
    await this.countWaiting(owner.id, id);
    const turn = await this.turns.next(owner.id);
    // The caller has got its 503: nothing may be queued for it any more. Nobody sees this error.
    if (caller.gone) throw new Error('given up');
    const data: JobData = { tool, input, owner, requestId, noCache, turn };
    const age = Math.ceil(this.options.resultTtlMs / 1000);
    const job = await this.queue.add(tool, data, {
      ...this.retries,
      jobId: id,
      priority: turn,
      removeOnComplete: { age },
      removeOnFail: { age },
    });
    if (caller.gone && noCache) await job.remove();
    return toJobDto(job as ToolJob, undefined);
  }

  /** @throws TooManyAtOnceError when as many jobs of the owner wait as may */
  private async countWaiting(owner: string, id: string): Promise<void> {
    const { maxWaitingPerKey } = this.options;
    const counted = await this.redis.commands.eval(
      COUNT_WAITING,
      1,
      this.redis.keys.waiting(owner),
      id,
      maxWaitingPerKey,
      this.queue.toKey(''),
      this.options.keptMs,
    );
    if (counted === 0) throw new TooManyAtOnceError('jobs waiting', maxWaitingPerKey);
  }

  private async answered<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
    const caller = { gone: false };
    try {
      return await raceTimeout(work(caller), TIMEOUT_MS);
    } catch (error) {
      caller.gone = true;
      if (ToolsError.isInstance(error)) throw error;
      throw new UpstreamUnavailableError('The queue of jobs cannot be reached.', { cause: error });
    }
  }
}

/** The highest priority number of BullMQ. */
const LAST_TURN = 2_097_151;
/** Turns are forgotten when nothing was queued or begun for this long, ms. */
const FORGET_MS = 3_600_000;

/** KEYS: turns. ARGV: field of the owner. Returns its next turn. */
const TAKE = `
local begun = tonumber(redis.call('HGET', KEYS[1], 'begun') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(begun, own) + 1, ${LAST_TURN})
redis.call('HSET', KEYS[1], ARGV[1], turn)
redis.call('PEXPIRE', KEYS[1], ${FORGET_MS})
return turn`;

/** KEYS: turns. ARGV: the turn that begins. */
const BEGIN = `
if tonumber(redis.call('HGET', KEYS[1], 'begun') or '0') < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'begun', ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ${FORGET_MS})`;

/**
 * Lets owners take turns, however many jobs each has: start-time fair queueing (Goyal, Vin, Cheng 1996) with jobs of equal weight. The turn
 * of a job is the one after its owner's last, or, where the owner was idle, the one after the turn that is being worked on. It becomes the
 * job's priority in BullMQ, where lower numbers go first.
 */
class FairTurns {
  constructor(private readonly redis: JobRedis) {}

  /** The turn of the owner's next job, 1..2,097,151. */
  next(owner: string): Promise<number> {
    return this.run(TAKE, fieldOf(owner));
  }

  /** Notes that a turn has begun. */
  async begin(turn: number): Promise<void> {
    await this.run(BEGIN, turn);
  }

  /** Starts again from 1 when nothing waits: the numbers would run out otherwise. */
  async reset(): Promise<void> {
    await this.redis.commands.del(this.redis.keys.turns());
  }

  private run(script: string, ...args: (string | number)[]): Promise<number> {
    return this.redis.commands.eval(script, 1, this.redis.keys.turns(), ...args) as Promise<number>;
  }
}

/** The hash has one extra field next to those of the owners, whose ids may be any string. */
const fieldOf = (owner: string): string => `owner:${owner}`;
