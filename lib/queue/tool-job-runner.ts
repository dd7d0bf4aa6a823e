import { Logger } from '@nestjs/common';
import { errorResponse } from '../core/error-body.js';
import { ClientClosedError } from '../core/errors.js';
import { SuspendedError } from '../core/journal.js';
import { printable, printableStack } from '../core/text/printable.js';
import type { CallReporter } from '../tools/observation.js';
import type { ToolCalls } from '../tools/tool-calls.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { JournalUnavailableError, type FlowJournal } from './flow-journal.js';
import type { JobReporter } from './job-reporter.js';
import type { JobOutcome, ToolJob } from './job-record.js';

/** Everything that running a job of a tool needs. */
export interface ToolJobParts {
  tools: readonly ToolDefinition[];
  calls: Pick<ToolCalls, 'run'>;
  reporter: Pick<CallReporter, 'begin' | 'report'>;
  deadlineMs: number;
  progressOf(job: ToolJob): Promise<JobReporter>;
  journalOf(job: ToolJob): FlowJournal;
}

/** Does the work of the plain request, and returns its answer. */
export class ToolJobRunner {
  private readonly logger = new Logger('ToolsModule');

  constructor(private readonly parts: ToolJobParts) {}

  /**
   * @param signal ends the work; its reason is thrown
   * @throws SuspendedError when the job has to wait for its steps, JournalUnavailableError when it has to be tried again; nothing else but
   *   the signal's reason
   */
  async run(job: ToolJob, signal: AbortSignal): Promise<JobOutcome> {
    const { tools, calls, reporter, deadlineMs, progressOf, journalOf } = this.parts;
    const { input, owner, requestId, noCache } = job.data;
    const tool = tools.find(({ name }) => name === job.data.tool)!;
    const progress = await progressOf(job);
    const journal = journalOf(job);
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
        journal,
        onProgress: (event) => progress.progress(event),
      });
      const seconds = Math.max(0, Date.now() - job.timestamp) / 1000;
      outcome = { body: { data, request_id: requestId, seconds_taken: seconds } };
      await journal.forget();
    } catch (error) {
      const brokenOff = error instanceof SuspendedError || error instanceof JournalUnavailableError;
      if (signal.aborted || brokenOff) {
        // A job that was cancelled has cost what it has cost; one that goes on elsewhere is reported there.
        if (signal.reason instanceof ClientClosedError) reporter.report(observation, 499, false);
        else observation.span.end();
        signal.throwIfAborted();
        throw error;
      }
      const { body } = errorResponse(error, requestId);
      if (body.code === 'internal_error')
        this.logger.error(printable(`${requestId} ${String(error)}`), printableStack(error));
      outcome = { error: body };
    } finally {
      await progress.end();
    }
    reporter.report(observation, 'error' in outcome ? outcome.error.statusCode : 200, true);
    return outcome;
  }
}
