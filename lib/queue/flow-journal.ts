import { SuspendedError, type Journal, type JournalStep } from '../core/journal.js';
import { stepIdOf, type JobKeys } from './job-keys.js';
import type { JobQueue } from './job-queue.js';
import type { StepJobData, ToolJob } from './job-record.js';
import type { JobRedis } from './job-redis.js';
import { turnAfter } from './fair-turns.js';

/**
 * The journal of one job, in Redis. Steps that may be done elsewhere become children of the job (a BullMQ flow), with ids that depend on
 * the steps only: a job that is begun again finds those that are under way and reads those that are done.
 */
export class FlowJournal implements Journal {
  private readonly key: string;

  constructor(
    private readonly job: ToolJob,
    private readonly redis: JobRedis,
    private readonly keys: JobKeys,
    private readonly jobs: JobQueue,
  ) {
    this.key = keys.journal(job.data.journal);
  }

  async once<T>(name: string, make: () => T | Promise<T>): Promise<T> {
    const { commands } = this.redis;
    const kept = await commands.hget(this.key, name);
    if (kept !== null) return JSON.parse(kept) as T;
    const made = await make();
    const first = await commands.hsetnx(this.key, name, JSON.stringify(made));
    await commands.pexpire(this.key, this.jobs.keptMs());
    return first === 1 ? made : (JSON.parse((await commands.hget(this.key, name))!) as T);
  }

  spread<T>(steps: readonly JournalStep[], stage: string): Promise<T>[] {
    const values = this.settle(steps, stage);
    return steps.map(async (_, i) => (await values)[i] as T);
  }

  /** Forgets everything, when the job has succeeded. */
  async forget(): Promise<void> {
    const id = this.job.id!;
    await this.redis.commands
      .del(this.key, this.keys.failures(id), this.keys.done(id))
      .catch(() => undefined);
  }

  private async settle(steps: readonly JournalStep[], stage: string): Promise<unknown[]> {
    const names = steps.map(({ name }) => name);
    const id = this.job.id!;
    const [kept, failed] = await Promise.all([
      this.redis.commands.hmget(this.key, ...names),
      this.redis.commands.hmget(this.keys.failures(id), ...names),
    ]);
    const texts = names.map((_, i) => kept[i] ?? failed[i]);
    const missing = steps.filter((_, i) => texts[i] === null || texts[i] === undefined);
    if (missing.length > 0) {
      await this.begin(missing, steps.length, stage);
      throw new SuspendedError();
    }
    return texts.map((text) => JSON.parse(text!) as unknown);
  }

  private async begin(missing: readonly JournalStep[], total: number, stage: string): Promise<void> {
    const { id, data, queueQualifiedName } = this.job;
    const { tool, requestId, journal, owner } = data;
    const turn = await this.jobs.turns.takeParts(owner.id, missing.length, data.turn);
    const children = missing.map(({ name, input }, i) => {
      const own = turnAfter(turn, i);
      const step: StepJobData = {
        kind: 'step',
        root: id!,
        tool,
        name,
        input,
        requestId,
        journal,
        stage,
        total,
        turn: own,
      };
      return {
        name: stage,
        data: step,
        opts: {
          jobId: stepIdOf(id!, name),
          parent: { id: id!, queue: queueQualifiedName },
          priority: own,
          removeOnComplete: true,
          removeOnFail: true,
          ignoreDependencyOnFailure: true,
        },
      };
    });
    await this.jobs.queue.addBulk(children);
  }
}
