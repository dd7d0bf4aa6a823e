import { SuspendedError, type Checkpoints, type WorkStep } from '../core/context.js';
import { turnAfter, type JobQueue } from './job-queue.js';
import { stepIdOf, type JobRedis } from './job-redis.js';
import { readJson, type StepJobData, type ToolJob } from './job-record.js';

/** A step that was begun this often and never ended kills its workers. */
const MAX_STARTS = 4;

/** The checkpoints cannot be read or written: the job is tried again a little later. */
export class CheckpointsUnavailableError extends Error {
  override readonly name = 'CheckpointsUnavailableError';
}

/**
 * The checkpoints of one job, in Redis. Steps that other workers may do become children of the job (a BullMQ flow). Their ids depend on the
 * steps only: a job that is resumed finds those that are under way and reads those that are done. A value that is not JSON counts as absent.
 */
export class JobCheckpoints implements Checkpoints {
  private readonly key: string;

  constructor(
    private readonly job: ToolJob,
    private readonly redis: JobRedis,
    private readonly jobs: JobQueue,
    private readonly keptMs: number,
  ) {
    this.key = redis.keys.checkpoints(job.data.checkpoints);
  }

  async once<T>(name: string, make: () => T | Promise<T>): Promise<T> {
    const { commands } = this.redis;
    const kept = readJson(await available(commands.hget(this.key, name)));
    if (kept !== undefined) return kept as T;
    const made = await make();
    const first = await available(commands.hsetnx(this.key, name, JSON.stringify(made)));
    await available(commands.pexpire(this.key, this.keptMs));
    if (first === 1) return made;
    const earlier = readJson(await available(commands.hget(this.key, name)));
    return earlier === undefined ? made : (earlier as T);
  }

  all<T>(steps: readonly WorkStep[], stage: string): Promise<T>[] {
    const values = this.valuesOf(steps, stage);
    return steps.map(async (_, i) => (await values)[i] as T);
  }

  /** Forgets everything, when the job has succeeded. */
  async forget(): Promise<void> {
    const id = this.job.id!;
    await this.redis.commands
      .del(this.key, this.redis.keys.failures(id), this.redis.keys.done(id))
      .catch(() => undefined);
  }

  private async valuesOf(steps: readonly WorkStep[], stage: string): Promise<unknown[]> {
    const names = steps.map(({ name }) => name);
    if (names.length === 0) return [];
    const [kept, failed] = await available(
      Promise.all([
        this.redis.commands.hmget(this.key, ...names),
        this.redis.commands.hmget(this.redis.keys.failures(this.job.id!), ...names),
      ]),
    );
    const values = names.map((_, i) => readJson(kept[i]) ?? readJson(failed[i]));
    if (!values.includes(undefined)) return values;
    const damaged = names.filter((_, i) => values[i] === undefined && typeof kept[i] === 'string');
    if (damaged.length > 0) await available(this.redis.commands.hdel(this.key, ...damaged));
    const done = names.filter((_, i) => values[i] !== undefined);
    const missing = steps.filter((_, i) => values[i] === undefined);
    await available(this.count(done, missing));
    await available(this.begin(missing, stage, steps.length));
    throw new SuspendedError();
  }

  /** Counts the steps that are done, for the progress, and how often the others were begun. */
  private async count(done: readonly string[], missing: readonly WorkStep[]): Promise<void> {
    const id = this.job.id!;
    const { commands, keys } = this.redis;
    const state = keys.state(id);
    if (done.length > 0) {
      await commands.sadd(keys.done(id), ...done);
      await commands.hset(state, 'answered', 1);
    }
    const begun = commands.pipeline();
    for (const { name } of missing) begun.hincrby(state, `begun:${name}`, 1);
    const counts = (await begun.exec()) ?? [];
    if (counts.some(([, times]) => Number(times) > MAX_STARTS))
      throw new StepsLostError(`A step of the job ${id} was begun ${MAX_STARTS} times and never ended.`);
  }

  /** Makes the steps children of the job. @param total steps of the stage, those that are done included */
  private async begin(missing: readonly WorkStep[], stage: string, total: number): Promise<void> {
    const { data, queueQualifiedName } = this.job;
    const id = this.job.id!;
    const { tool, requestId, checkpoints, owner } = data;
    const first = await this.jobs.turns.nextForSteps(owner.id, missing.length, data.turn);
    const children = missing.map(({ name, input }, i) => {
      const turn = turnAfter(first, i);
      const about = { root: id, tool, owner, name, input, requestId, checkpoints, stage, total, turn };
      const step: StepJobData = { kind: 'step', ...about };
      return {
        name: stage,
        data: step,
        opts: {
          ...this.jobs.retries,
          jobId: stepIdOf(id, name),
          parent: { id, queue: queueQualifiedName },
          priority: turn,
          removeOnComplete: true,
          removeOnFail: true,
          ignoreDependencyOnFailure: true,
        },
      };
    });
    await this.jobs.queue.addBulk(children);
  }
}

/** A retry would not help. */
class StepsLostError extends Error {}

async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StepsLostError) throw error;
    throw new CheckpointsUnavailableError('The checkpoints of the job cannot be reached.', { cause: error });
  }
}
