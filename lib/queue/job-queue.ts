import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { ChainableCommander } from 'ioredis';
import {
  JobNotFoundError,
  ToolsError,
  TooManyAtOnceError,
  UpstreamUnavailableError,
} from '../core/errors.js';
import { raceTimeout } from '../core/async.js';
import type { JobDto, JobIntake, JobRequest, Webhook } from '../http/job-intake.js';
import { refused } from '../tools/request-fields.js';
import { Webhooks } from './webhooks.js';
import { JobRedis, QUEUE_NAME } from './job-redis.js';
import { toJobDto, type JobData, type JobOutcome, type ToolJob } from './job-record.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** A queue that does not answer within this time counts as down, ms; a plain bound. */
export const TIMEOUT_MS = 3_000;
/** The highest priority number, 2^21 − 1 (BullMQ 6). */
const LAST_TURN = 2_097_151;
/** Turns are forgotten when nothing was submitted for this long, ms; set by hand. */
const FORGET_MS = 3_600_000;
/** Member of the sorted set of turns, next to those of the owners. */
const BEGUN = 'begun';

/**
 * Jobs as clients see them: they are submitted, looked up and cancelled.
 *
 * Owners take turns, however many jobs each has: start-time fair queueing (Goyal, Vin, Cheng 1996) with jobs of equal weight. The turn of
 * a job is the one after its owner's last, or, where the owner was idle, the one after the turn that is being worked on. It becomes the
 * job's priority in BullMQ, where lower numbers go first.
 */
@Injectable()
export class JobQueue implements JobIntake {
  readonly queue: Queue<JobData, JobOutcome>;
  /** Absent where the host has none. */
  readonly webhooks?: Webhooks;

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {
    const { Queue: BullMqQueue, createRedisBackend } = redis.peers.bullmq;
    const settings = {
      connection: redis.commands,
      prefix: options.prefix,
      skipWaitingForReady: true,
      // Nobody reads BullMQ's own events; ours have a stream for each job.
      streams: { events: { maxLen: 100 } },
    };
    // Named, so that a default that the host sets for its own queues does not hold for ours; absent before version 6.
    this.queue = new BullMqQueue<JobData, JobOutcome>(QUEUE_NAME, settings, createRedisBackend);
    this.queue.on('error', () => undefined);
    this.webhooks = options.webhooks && new Webhooks(options.webhooks);
  }

  webhookOf(body: unknown): Webhook | undefined {
    const webhook = (body as { webhook?: unknown } | undefined)?.webhook;
    if (webhook === undefined) return undefined;
    if (!this.webhooks) throw refused('webhook', 'is not possible: this server has no option `webhooks`');
    return this.webhooks.check(webhook);
  }

  submit(request: JobRequest): Promise<JobDto> {
    const until = performance.now() + TIMEOUT_MS;
    return answered(async () => {
      const same = requestHash(request);
      if (request.noCache) return this.add(`${same}-${randomBytes(6).toString('hex')}`, request, until);
      const { commands, keys } = this.redis;
      const attempt = Number((await commands.get(keys.attempt(same))) ?? 0);
      const id = attempt === 0 ? same : `${same}-${attempt}`;
      const found = await this.lookUp(id);
      if (found === 'none') return this.add(id, request, until);
      if (found !== 'over') {
        const dto = toJobDto(found);
        if (dto.status !== 'failed') return dto;
      }
      // Set, not incremented: callers at the same moment get the same number.
      await commands.set(keys.attempt(same), attempt + 1, 'PX', this.options.keptMs);
      return this.add(`${same}-${attempt + 1}`, request, until);
    });
  }

  /**
   * A job of this owner; an item of a batch is none.
   * @throws JobNotFoundError, UpstreamUnavailableError when the queue cannot be reached
   */
  find(id: string, owner: string): Promise<ToolJob> {
    return answered(async () => {
      const found = isJobId(id) ? await this.lookUp(id) : 'none';
      if (typeof found === 'string' || found.data.owner.id !== owner || found.data.batch !== undefined)
        throw new JobNotFoundError();
      return found;
    });
  }

  /**
   * Cancels a job, or forgets it where it has ended. Work in progress stops, down to the calls upstream.
   * @throws JobNotFoundError, UpstreamUnavailableError when the queue cannot be reached
   */
  async cancel(id: string, owner: string): Promise<void> {
    const job = await this.find(id, owner);
    await answered(() => this.stop(job));
  }

  async stop(job: ToolJob): Promise<void> {
    const { commands, keys } = this.redis;
    await commands.set(keys.cancelled(job.id!), 1, 'PX', this.options.keptMs);
    await commands.zrem(keys.waiting(job.data.owner.id), job.id!);
    // Locked while a worker has it: the worker looks for the mark.
    await job.remove().catch(() => undefined);
  }

  async isCancelled(id: string): Promise<boolean> {
    return (await this.redis.commands.exists(this.redis.keys.cancelled(id))) === 1;
  }

  async begin({ id, data: { owner, turn } }: ToolJob): Promise<void> {
    const { commands, keys } = this.redis;
    await commands.zrem(keys.waiting(owner.id), id!);
    await commands.zadd(keys.turns, 'GT', turn, BEGUN);
  }

  /** Starts the turns from 1 again when nothing waits: the numbers would run out otherwise. */
  async resetTurns(): Promise<void> {
    await this.redis.commands.del(this.redis.keys.turns);
  }

  private async lookUp(id: string): Promise<ToolJob | 'none' | 'over'> {
    const [job, cancelled] = await Promise.all([
      this.queue.getJob(id) as Promise<ToolJob | undefined>,
      this.isCancelled(id),
    ]);
    if (cancelled) return 'over';
    if (!job) return 'none';
    const expired = job.finishedOn !== undefined && job.finishedOn + this.options.resultTtlMs <= Date.now();
    return expired ? 'over' : job;
  }

  private async add(id: string, request: JobRequest, until: number): Promise<JobDto> {
    const [job] = await this.addAll(request, new Map([[id, request.input]]), until);
    return toJobDto(job!);
  }

  /**
   * Queues work of one owner. Jobs have turns in their order.
   * @param inputs by the ids of their jobs, at least one
   * @throws TooManyAtOnceError
   */
  async addAll(
    { tool, owner, requestId, noCache, webhook }: Omit<JobRequest, 'input' | 'identity'>,
    inputs: ReadonlyMap<string, object>,
    until: number,
    batch?: string,
  ): Promise<ToolJob[]> {
    await this.countWaiting(owner.id, [...inputs.keys()]);
    const last = await this.nextTurn(owner.id, inputs.size);
    // The client has got its 503: nothing may be queued for it any more. Nobody sees this error.
    if (performance.now() > until) throw new Error('too late');
    const removeOnFail = { age: Math.ceil(this.options.resultTtlMs / 1000) };
    // The batch keeps the outcomes of its items.
    const removeOnComplete = batch === undefined ? removeOnFail : true;
    // Only Redis can make a run break off. A request that fails has ended.
    const attempts = { attempts: 5, backoff: { type: 'exponential', delay: 500 } };
    const jobs = [...inputs].map(([jobId, input], i) => {
      const turn = Math.max(1, Math.min(LAST_TURN, last - inputs.size + 1 + i));
      const data = { tool, input, owner, requestId, noCache, turn, webhook, batch };
      const opts = { removeOnComplete, removeOnFail, ...attempts, jobId, priority: turn };
      return { name: tool, data, opts };
    });
    return (await this.queue.addBulk(jobs)) as ToolJob[];
  }

  /** @throws TooManyAtOnceError when as many jobs of the owner wait as may */
  private async countWaiting(owner: string, ids: readonly string[]): Promise<void> {
    const { maxWaitingPerKey, keptMs } = this.options;
    const { commands, keys } = this.redis;
    const key = keys.waiting(owner);
    const now = Date.now();
    const [, , waiting] = await inOneStep(
      commands
        .multi()
        // Of a submission that broke off.
        .zremrangebyscore(key, 0, now - keptMs)
        .zadd(key, ...ids.flatMap((id) => [now, id]))
        .zcard(key)
        .pexpire(key, keptMs),
    );
    if (Number(waiting) <= maxWaitingPerKey) return;
    await commands.zrem(key, ...ids);
    throw new TooManyAtOnceError('jobs waiting', maxWaitingPerKey);
  }

  private async nextTurn(owner: string, count: number): Promise<number> {
    const { commands, keys } = this.redis;
    const begun = (await commands.zscore(keys.turns, BEGUN)) ?? 0;
    // Ids of owners may be any string.
    const member = `owner:${owner}`;
    const [, turn] = await inOneStep(
      commands
        .multi()
        .zadd(keys.turns, 'GT', begun, member)
        .zincrby(keys.turns, count, member)
        .pexpire(keys.turns, FORGET_MS),
    );
    return Number(turn);
  }
}

/** @throws UpstreamUnavailableError when the queue cannot be reached */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await raceTimeout(work(), TIMEOUT_MS);
  } catch (error) {
    if (ToolsError.isInstance(error)) throw error;
    throw new UpstreamUnavailableError('The queue of jobs cannot be reached.', { cause: error });
  }
}

/** The answers of a transaction. @throws the first error among them */
export async function inOneStep(transaction: ChainableCommander): Promise<unknown[]> {
  const answers = (await transaction.exec()) ?? [];
  for (const [error] of answers) if (error) throw error;
  return answers.map(([, answer]) => answer);
}

/** The first part of a job's id: the same for equal requests of one owner. 128 bits, hexadecimal. The attempt follows. */
export function requestHash({ owner, tool, identity, webhook }: Omit<JobRequest, 'input'>): string {
  return hash('sha256', JSON.stringify([owner.id, tool, identity, webhook]), 'hex').slice(0, 32);
}

/** Whether this can be the id of a job. BullMQ has other keys under the same prefix. */
export const isJobId = (id: string): boolean => /^[0-9a-f]{32}(?:-[0-9a-z]{1,16})?$/.test(id);
