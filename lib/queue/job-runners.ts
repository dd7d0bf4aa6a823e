import { Inject, Injectable } from '@nestjs/common';
import { RequestLimits } from '../auth/request-limits.js';
import { SuspendedError, withContext, type StepResult } from '../core/context.js';
import { errorResponse, logInternalError } from '../core/error-response.js';
import { ClientClosedError } from '../core/errors.js';
import { SUMMARIZER } from '../core/injection-tokens.js';
import { NO_USAGE } from '../core/usage.js';
import type { Summarizer } from '../summarize/summarizer.js';
import { CallReporter } from '../tools/request-log.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { TOOLS } from '../tools/tools.js';
import { JobCheckpoints, CheckpointsUnavailableError } from './job-checkpoints.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import type { JobOutcome, StepJobData, ToolJob } from './job-record.js';
import { JobRedis } from './job-redis.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** Does the work of the plain request, and returns its answer. */
@Injectable()
export class ToolJobRunner {
  constructor(
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(CallReporter) private readonly reporter: CallReporter,
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws SuspendedError when the job has to wait for its steps, CheckpointsUnavailableError when it has to be tried again; nothing else but
   *   the signal's reason
   */
  async run(job: ToolJob, signal: AbortSignal): Promise<JobOutcome> {
    const { calls, reporter } = this;
    const { deadlineMs, keptMs } = this.options;
    const { input, owner, requestId, noCache } = job.data;
    const tool = TOOLS.find(({ name }) => name === job.data.tool)!;
    const progress = await this.events.reporterOf(job.id!);
    const checkpoints = new JobCheckpoints(job, this.redis, this.queue, keptMs);
    const observation = reporter.begin(tool.name, requestId, 'job');
    observation.identity = { id: owner.id, name: owner.name ?? owner.id };
    let outcome: JobOutcome;
    try {
      const { data } = await calls.run(tool, input, {
        caller: owner,
        queued: true,
        observation,
        signal,
        requestId,
        noCache,
        deadlineMs,
        checkpoints,
        onProgress: (event) => progress.progress(event),
      });
      const seconds = Math.max(0, Date.now() - job.timestamp) / 1000;
      outcome = { body: { data, request_id: requestId, seconds_taken: seconds } };
      await checkpoints.forget();
    } catch (error) {
      const brokenOff = error instanceof SuspendedError || error instanceof CheckpointsUnavailableError;
      if (signal.aborted || brokenOff) {
        // A job that was cancelled has cost what it has cost; one that goes on elsewhere is reported there.
        if (signal.reason instanceof ClientClosedError) reporter.report(observation, 499, false);
        else observation.span.end();
        signal.throwIfAborted();
        throw error;
      }
      const { body } = errorResponse(error, requestId);
      logInternalError(error, body);
      outcome = { error: body };
    } finally {
      await progress.end();
    }
    reporter.report(observation, 'error' in outcome ? outcome.error.statusCode : 200, true);
    return outcome;
  }
}

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

/** Does one step of a job, whichever worker has the job, and keeps the result where the job will look. */
@Injectable()
export class StepJobRunner {
  constructor(
    @Inject(JobRedis) private readonly redis: JobRedis,
    @Inject(SUMMARIZER) private readonly summarizer: Summarizer,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws the signal's reason, and errors of Redis: the step is then done again
   */
  async run(step: StepJobData, signal: AbortSignal): Promise<JobOutcome> {
    const { keys, commands } = this.redis;
    const { keptMs } = this.options;
    const checkpoints = keys.checkpoints(step.checkpoints);
    const failures = keys.failures(step.root);
    const state = keys.state(step.root);
    // A worker that died may have kept the answer without reporting it.
    if (!(await commands.hexists(checkpoints, step.name))) {
      const skipped = await this.valueWhereDown(state);
      if (skipped !== undefined) {
        await commands.pipeline().hset(failures, step.name, skipped).pexpire(failures, keptMs).exec();
      } else {
        const { value, outcome } = await this.answer(step, signal);
        const text = JSON.stringify(value);
        const writing = commands.pipeline();
        if (outcome === 'done')
          writing
            .hsetnx(checkpoints, step.name, text)
            .pexpire(checkpoints, keptMs)
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

  private async answer({ input, owner, requestId }: StepJobData, signal: AbortSignal): Promise<StepResult> {
    const { summarizer, limits } = this;
    const account = limits.accountOf(owner);
    try {
      if (!summarizer.runStep)
        throw new Error(
          'The summarizer of this worker cannot work in steps. Give all APIs and workers the same options.',
        );
      const call = { ...account, signal, requestId, caller: owner.id };
      return await withContext(this.options.deadlineMs, call, (context) =>
        summarizer.runStep!(input, context),
      );
    } catch (error) {
      signal.throwIfAborted();
      // The job itself would have failed with this error.
      const { body } = errorResponse(error, requestId);
      logInternalError(error, body);
      const failure = { code: body.code, message: String(body.message), shouldRetry: false };
      return { value: { failure, usage: NO_USAGE }, outcome: 'failed' };
    } finally {
      await account.settled();
    }
  }

  /** The value of every further step while the upstream is down. As long as no step has succeeded, one failure is enough. */
  private async valueWhereDown(state: string): Promise<string | undefined> {
    const [answered, down, value] = await this.redis.commands.hmget(state, 'answered', 'down', 'downValue');
    const failures = Number(down ?? 0);
    return failures >= (answered ? FAILURES_TO_GIVE_UP : 1) ? (value ?? undefined) : undefined;
  }
}

/** A pipeline resolves even where its commands failed. */
async function settled(results: Promise<[Error | null, unknown][] | null>): Promise<void> {
  for (const [error] of (await results) ?? []) if (error) throw error;
}
