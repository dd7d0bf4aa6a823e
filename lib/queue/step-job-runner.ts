import { Logger } from '@nestjs/common';
import type { RequestLimits } from '../auth/request-limits.js';
import type { StepRunner } from '../core/journal.js';
import { printable, printableStack } from '../core/text/printable.js';
import { withContext } from '../core/context.js';
import type { ModelUsage } from '../core/usage.js';
import { errorResponse } from '../core/error-body.js';
import type { JobKeys } from './job-keys.js';
import type { JobOutcome, StepJobData } from './job-record.js';
import type { JobRedis } from './job-redis.js';

/** After this many failed steps in a row, over all workers, the upstream counts as down and the rest is not tried. */
const FAILURES_TO_GIVE_UP = 3;

/** KEYS: done, state, events. ARGV: name, stage, total, kept ms. Counts a step as done and reports how many are. */
const REPORT = `
redis.call('SADD', KEYS[1], ARGV[1])
local done = math.min(redis.call('SCARD', KEYS[1]), tonumber(ARGV[3]))
local data = '{"stage":' .. cjson.encode(ARGV[2]) .. ',"done":' .. done .. ',"total":' .. ARGV[3] .. '}'
redis.call('HSET', KEYS[2], 'progress', data)
redis.call('XADD', KEYS[3], '*', 'e', 'progress', 'd', data)
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
redis.call('PUBLISH', KEYS[3], 'progress')`;

/** Everything that running a step needs. */
export interface StepJobParts {
  redis: JobRedis;
  keys: JobKeys;
  /** Does the step; undefined where the host's own summarizer has no steps. */
  runner: StepRunner | undefined;
  /** Charges the owner of the job for each model call. */
  limits: RequestLimits;
  deadlineMs: number;
  keptMs: number;
}

/** Does one step of a job, whichever worker has the job, and keeps the result where the job will look. */
export class StepJobRunner {
  private readonly logger = new Logger('ToolsModule');

  constructor(private readonly parts: StepJobParts) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws the signal's reason, and errors of Redis: the step is then done again
   */
  async run(step: StepJobData, signal: AbortSignal): Promise<JobOutcome> {
    const { keys, redis, keptMs } = this.parts;
    const { commands } = redis;
    const journal = keys.journal(step.journal);
    const failures = keys.failures(step.root);
    const state = keys.state(step.root);
    // A worker that died may have kept the answer without reporting it.
    if (!(await commands.hexists(journal, step.name))) {
      const skipped = await this.valueWhereDown(state);
      if (skipped !== undefined) {
        await commands.pipeline().hset(failures, step.name, skipped).pexpire(failures, keptMs).exec();
      } else {
        const { value, outcome } = await this.answer(step, signal);
        const text = JSON.stringify(value);
        const writing = commands.pipeline();
        if (outcome === 'done')
          writing
            .hsetnx(journal, step.name, text)
            .pexpire(journal, keptMs)
            .hset(state, 'answered', 1, 'down', 0);
        else writing.hset(failures, step.name, text).pexpire(failures, keptMs);
        if (outcome === 'down') writing.hincrby(state, 'down', 1).hset(state, 'downValue', text);
        await settled(writing.pexpire(state, keptMs).exec());
      }
    }
    const { name, stage, total, root } = step;
    const about = [keys.done(root), state, keys.events(root)];
    await commands.eval(REPORT, 3, ...about, name, stage, total, keptMs);
    return { step: true };
  }

  private async answer(
    { input, owner, requestId }: StepJobData,
    signal: AbortSignal,
  ): Promise<{ value: unknown; outcome: 'done' | 'failed' | 'down' }> {
    const { runner, limits, deadlineMs } = this.parts;
    const charges: Promise<void>[] = [];
    const spend = (spent: ModelUsage): void => void charges.push(limits.charge(owner, spent));
    try {
      if (!runner)
        throw new Error(
          'The summarizer of this worker does no steps: its options differ from those of the others.',
        );
      await limits.requireBudget(owner);
      return await withContext(deadlineMs, { signal, requestId, spend }, (context) =>
        runner.runStep(input, context),
      );
    } catch (error) {
      signal.throwIfAborted();
      // The job itself would have failed with this error.
      const { code, message } = errorResponse(error, requestId).body;
      if (code === 'internal_error')
        this.logger.error(printable(`${requestId} ${String(error)}`), printableStack(error));
      const failure = { code, message: String(message), shouldRetry: false };
      return {
        value: { failure, usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0 } },
        outcome: 'failed',
      };
    } finally {
      await Promise.all(charges);
    }
  }

  /** The value of every further step while the upstream is down. As long as no step has succeeded, one failure is enough. */
  private async valueWhereDown(state: string): Promise<string | undefined> {
    const [answered, down, value] = await this.parts.redis.commands.hmget(
      state,
      'answered',
      'down',
      'downValue',
    );
    const failures = Number(down ?? 0);
    return failures >= (answered ? FAILURES_TO_GIVE_UP : 1) ? (value ?? undefined) : undefined;
  }
}

/** A pipeline resolves even where its commands failed. */
async function settled(results: Promise<[Error | null, unknown][] | null>): Promise<void> {
  for (const [error] of (await results) ?? []) if (error) throw error;
}
