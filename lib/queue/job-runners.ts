import { Inject, Injectable } from '@nestjs/common';
import { errorResponse, logInternalError } from '../core/error-response.js';
import { ClientClosedError } from '../core/errors.js';
import { CallReporter } from '../tools/request-log.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { TOOLS } from '../tools/tools.js';
import { JobEvents } from './job-events.js';
import type { JobOutcome, ToolJob } from './job-record.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

/** Does the work of the plain request, and returns its answer. */
@Injectable()
export class ToolJobRunner {
  constructor(
    @Inject(ToolCalls) private readonly calls: ToolCalls,
    @Inject(CallReporter) private readonly reporter: CallReporter,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws the signal's reason, nothing else
   */
  async run(job: ToolJob, signal: AbortSignal): Promise<JobOutcome> {
    const { calls, reporter } = this;
    const { deadlineMs } = this.options;
    const { input, owner, requestId, noCache } = job.data;
    const tool = TOOLS.find(({ name }) => name === job.data.tool)!;
    const progress = await this.events.reporterOf(job.id!);
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
        onProgress: (event) => progress.progress(event),
      });
      const seconds = Math.max(0, Date.now() - job.timestamp) / 1000;
      outcome = { body: { data, request_id: requestId, seconds_taken: seconds } };
    } catch (error) {
      if (signal.aborted) {
        // A job that was cancelled has cost what it has cost; one that goes on elsewhere is reported there.
        if (signal.reason instanceof ClientClosedError) reporter.report(observation, 499, false);
        else observation.span.end();
        throw signal.reason;
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
