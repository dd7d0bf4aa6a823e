import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JobNotFoundError } from '../core/errors.js';
import { logSideFailure } from '../core/failures.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { ToolsHooks } from '../core/request-event.js';
import type { JobRequest } from '../http/job-intake.js';
import type { BatchDto, ItemState } from './batch.dto.js';
import { answered, inOneStep, isJobId, JobQueue, requestHash, TIMEOUT_MS } from './job-queue.js';
import { endWith, type JobOutcome, type ToolJob } from './job-record.js';
import { JobRedis } from './job-redis.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';
import { isFinal, Webhooks, type EndEvent, type EndJobData } from './webhooks.js';

/** Items of one page of a batch, and the JSON of their results together, characters: 100 long results must not be in memory at once. */
const PAGE = { items: 20, characters: 1_000_000 };
/** How long a batch is kept at least after the last news of it, ms: as long as its webhook is tried; set by hand. */
const KEPT_MS = 25 * 3_600_000;
/** After this time the items of a batch are queued, ms; set by hand. */
const QUEUED_MS = 60_000;
/** Sets a field of a batch, and an end of its item, unless the batch was cancelled. */
const SET =
  "if redis.call('exists', KEYS[1]) == 0 then return end redis.call('hset', KEYS[1], ARGV[2], ARGV[3]) redis.call('pexpire', KEYS[1], ARGV[1]) " +
  "if ARGV[4] then redis.call('hset', KEYS[2], ARGV[2], ARGV[4]) redis.call('pexpire', KEYS[2], ARGV[1]) end return 1";
/** Sets a string that is still as it was read; gives what it is then. */
const REPLACE =
  "local is = redis.call('get', KEYS[1]) or '' if is ~= ARGV[1] then return is end redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) return ARGV[2]";
/** Name of the jobs that follow an end. */
export const END = 'end';

/** A request of a batch: what it asks for, or why it is refused. */
export type BatchItem = { input: object } | { error: object };

export type AboutList = Pick<BatchDto, 'warnings' | 'list_cursor'>;

/** What is kept of a batch beside the states of its items. */
interface BatchMeta extends Pick<JobRequest, 'tool' | 'owner' | 'requestId' | 'webhook'> {
  createdAt: string;
  total: number;
  about: AboutList;
}

interface BatchRecord {
  meta: BatchMeta;
  /** By index: a state. `webhook`: how that went. `ended`: when, ms. */
  states: Record<string, string>;
  counts: BatchDto['counts'];
}

/** Batches: items are jobs of their own, `<batch>-<index>`; hashes say how each of them ended. */
@Injectable()
export class BatchQueue {
  /** How long a batch is kept after the last news of it, ms. */
  private readonly keptMs: number;

  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JobQueue) private readonly jobs: JobQueue,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
    @Inject(RESOLVED_OPTIONS) private readonly host: { hooks: ToolsHooks },
  ) {
    this.keptMs = Math.max(KEPT_MS, options.keptMs);
  }

  /**
   * The id of the batch of this request: a new one, or the equal one that is under way or went well.
   * @throws TooManyAtOnceError when not all of its items may wait; UpstreamUnavailableError
   */
  submit(request: Omit<JobRequest, 'input'>, items: readonly BatchItem[], about: AboutList): Promise<string> {
    const until = performance.now() + TIMEOUT_MS;
    return answered(async () => {
      const { tool, owner, requestId, webhook, noCache } = request;
      const { commands, keys } = this.redis;
      const latest = keys.latestBatch(
        requestHash({ ...request, identity: ['batch', about.list_cursor, ...items] }),
      );
      const known = noCache ? null : await commands.get(latest);
      const record = known === null ? undefined : await this.read(known);
      if (record && (await this.isCurrent(known!, record))) return known!;
      const id = randomBytes(16).toString('hex');
      const createdAt = new Date().toISOString();
      const meta: BatchMeta = { tool, owner, requestId, webhook, createdAt, total: items.length, about };
      const making = commands.multi().hset(keys.batch(id), 'meta', JSON.stringify(meta));
      for (const [i, item] of items.entries())
        if ('error' in item)
          making.hset(keys.batch(id), i, 'failed').hset(keys.batchEnds(id), i, JSON.stringify(item));
      await inOneStep(making.pexpire(keys.batch(id), this.keptMs).pexpire(keys.batchEnds(id), this.keptMs));
      // Callers at the same moment get the same batch.
      const first = noCache ? id : await commands.eval(REPLACE, 1, latest, known ?? '', id, this.keptMs);
      if (first !== id) {
        await commands.del(keys.batch(id), keys.batchEnds(id));
        return first as string;
      }
      const inputs = new Map(
        items.flatMap((item, i) => ('input' in item ? [[`${id}-${i}`, item.input]] : [])),
      );
      try {
        if (inputs.size > 0) await this.jobs.addAll({ ...request, webhook: undefined }, inputs, until, id);
        else await this.announce(id, (await this.read(id))!);
      } catch (error) {
        await commands.del(keys.batch(id), keys.batchEnds(id));
        throw error;
      }
      return id;
    });
  }

  /**
   * A batch with a page of its items.
   * @throws JobNotFoundError, UpstreamUnavailableError
   */
  find(id: string, owner: string, from: number): Promise<BatchDto> {
    return answered(async () => {
      const { meta, states, counts } = await this.owned(id, owner);
      const items: BatchDto['items'] = [];
      let characters = 0;
      let index = from;
      for (; index < meta.total && items.length < PAGE.items && characters < PAGE.characters; index++) {
        const state = (states[index] ?? 'queued') as ItemState;
        const { commands, keys } = this.redis;
        const hasEnded = state === 'done' || state === 'failed';
        const end = (hasEnded && (await commands.hget(keys.batchEnds(id), String(index)))) || '{}';
        characters += end.length;
        items.push({ index, state, ...(JSON.parse(end) as object) });
      }
      const { webhook } = states;
      return {
        id,
        tool: meta.tool,
        state: counts.queued + counts.active > 0 ? 'active' : 'done',
        created_at: meta.createdAt,
        counts,
        items,
        ...meta.about,
        ...(index < meta.total ? { next_cursor: String(index) } : {}),
        ...(webhook ? { webhook: JSON.parse(webhook) as object } : {}),
      };
    });
  }

  /**
   * Cancels what has not ended, and forgets the batch.
   * @throws JobNotFoundError, UpstreamUnavailableError
   */
  async cancel(id: string, owner: string): Promise<void> {
    const { meta } = await answered(() => this.owned(id, owner));
    const { commands, keys } = this.redis;
    await answered(() => commands.del(keys.batch(id), keys.batchEnds(id)));
    for (let i = 0; i < meta.total; i++)
      await answered(async () => {
        const job = (await this.jobs.queue.getJob(`${id}-${i}`)) as ToolJob | undefined;
        if (job) await this.jobs.stop(job);
      });
  }

  async noteBegin(job: ToolJob): Promise<void> {
    const { batch } = job.data;
    if (batch !== undefined) await this.set(batch, indexOf(job, batch), 'active');
  }

  /** Notes how a job ended. The last end of a batch, and that of a job with a webhook, is announced. */
  async noteEnd(job: ToolJob, outcome: JobOutcome | null): Promise<void> {
    const { batch, webhook, owner, tool } = job.data;
    const end = endWith(job, outcome);
    const state = end.result ? 'done' : 'failed';
    if (batch === undefined) {
      if (webhook) await this.enqueue('job.completed', { id: job.id!, tool, state }, { owner, webhook });
      return;
    }
    await this.set(batch, indexOf(job, batch), state, JSON.stringify(end));
    const record = await this.read(batch);
    if (record && record.counts.queued + record.counts.active === 0) await this.announce(batch, record);
  }

  /** Sets a field of a batch. @returns whether the batch is there: a cancelled one must not come back */
  private async set(id: string, field: string, value: string, ...end: string[]): Promise<boolean> {
    const { commands, keys } = this.redis;
    const [key, ends] = [keys.batch(id), keys.batchEnds(id)];
    return (await commands.eval(SET, 2, key, ends, this.keptMs, field, value, ...end)) === 1;
  }

  /**
   * Does what follows an end: the hook, then the webhook.
   * @returns seconds after which to come again; undefined where all is done
   */
  async follow(job: ToolJob, signal: AbortSignal): Promise<number | undefined> {
    const data = job.data as unknown as EndJobData;
    const { event, webhook, failures } = data;
    const { id } = event.data;
    // The end of a job is noted just before its outcome is there.
    if (
      event.type === 'job.completed' &&
      !['completed', 'failed', 'unknown'].includes(await this.jobs.queue.getJobState(id))
    )
      return 1;
    const record = event.type === 'batch.completed' ? await this.read(id) : undefined;
    if (event.type === 'batch.completed' && !record) return undefined;
    if (record && failures === 0) await this.hooked(id, record);
    if (!webhook) return undefined;
    const tell = async (state: string, attempts: number, error?: string): Promise<void> => {
      if (record) await this.set(id, 'webhook', JSON.stringify({ state, attempts, error }));
    };
    try {
      await this.jobs.webhooks!.deliver(data, signal);
      await tell('delivered', failures + 1);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      const wait = isFinal(error) ? undefined : Webhooks.waitAfter(failures + 1);
      await tell(wait === undefined ? 'failed' : 'pending', failures + 1, (error as Error).message);
      await job.updateData({ ...data, failures: failures + 1 } as never);
      return wait;
    }
  }

  private async hooked(id: string, { meta: { tool, owner }, counts }: BatchRecord): Promise<void> {
    const { total, done, failed } = counts;
    const key = { id: owner.id, name: owner.name ?? owner.id };
    try {
      await this.host.hooks.onBatchEnd?.({ id, tool, total, done, failed, key });
    } catch (error) {
      logSideFailure('The hook onBatchEnd failed', error);
    }
  }

  private async announce(id: string, { meta, counts }: BatchRecord): Promise<void> {
    if (!(await this.set(id, 'ended', String(Date.now())))) return;
    const { commands, keys } = this.redis;
    await commands.pexpire(keys.batchEnds(id), this.options.resultTtlMs);
    const { tool, owner, webhook } = meta;
    const { total, done, failed } = counts;
    const data = { id, tool, state: 'done', total, done, failed } as const;
    await this.enqueue('batch.completed', data, { owner, webhook });
  }

  private async enqueue(
    type: EndEvent['type'],
    about: EndEvent['data'],
    rest: Pick<EndJobData, 'owner' | 'webhook'>,
  ): Promise<void> {
    const event = { type, timestamp: new Date().toISOString(), data: about };
    const data: EndJobData = { event, ...rest, failures: 0 };
    // Added twice, it is one job.
    const options = { jobId: `${END}-${about.id}`, removeOnComplete: true, removeOnFail: true, attempts: 5 };
    await this.jobs.queue.add(END as never, data as never, options);
  }

  /** Whether an equal request gets this batch: its results are there, or will be. */
  private async isCurrent(id: string, { meta, counts, states }: BatchRecord): Promise<boolean> {
    const now = Date.now();
    if (counts.failed > 0) return false;
    if (states.ended) return Number(states.ended) + this.options.resultTtlMs > now;
    // A process that was killed may have left a batch without its items.
    const isYoung = Date.parse(meta.createdAt) + QUEUED_MS > now;
    return counts.queued < counts.total || isYoung || Boolean(await this.jobs.queue.getJob(`${id}-0`));
  }

  /** What is kept of a batch; undefined where it is unknown, cancelled or expired. */
  private async read(id: string): Promise<BatchRecord | undefined> {
    const { meta: text, ...states } = await this.redis.commands.hgetall(this.redis.keys.batch(id));
    if (text === undefined) return undefined;
    const meta = JSON.parse(text) as BatchMeta;
    const counts = { total: meta.total, queued: meta.total, active: 0, done: 0, failed: 0 };
    for (const [index, state] of Object.entries(states)) {
      if (!/^\d/.test(index)) continue;
      counts.queued--;
      counts[state as ItemState]++;
    }
    return { meta, states, counts };
  }

  private async owned(id: string, owner: string): Promise<BatchRecord> {
    const record = isJobId(id) ? await this.read(id) : undefined;
    if (record?.meta.owner.id !== owner) throw new JobNotFoundError();
    return record;
  }
}

const indexOf = (job: ToolJob, batch: string): string => job.id!.slice(batch.length + 1);
