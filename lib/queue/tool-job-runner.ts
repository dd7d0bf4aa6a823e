import { Logger } from '@nestjs/common';
import type { RequestLimits } from '../auth/limits/request-limits.js';
import { SuspendedError } from '../core/journal.js';
import type { Telemetry } from '../core/telemetry/index.js';
import { printable, printableStack } from '../core/text/printable.js';
import type { ModelUsage } from '../core/usage.js';
import { errorResponse } from '../http/error-body.js';
import { Observation } from '../http/observation.js';
import type { RequestObserver } from '../http/request-observer.js';
import { StepSpans } from '../http/step-spans.js';
import type { ToolWork } from '../http/tool-work.js';
import { JournalUnavailableError, type FlowJournal } from './flow-journal.js';
import type { JobReporter } from './job-reporter.js';
import type { JobOutcome, ToolJob } from './job-record.js';

/** Everything that running a job of a tool needs. */
export interface ToolJobParts {
  works: readonly ToolWork<never>[];
  limits: RequestLimits;
  telemetry: Telemetry;
  observer: RequestObserver;
  deadlineMs: number;
  reporterOf(job: ToolJob): Promise<JobReporter>;
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
    const { works, limits, telemetry, observer, deadlineMs, reporterOf, journalOf } = this.parts;
    const { tool, input, owner, requestId, noCache } = job.data;
    const work = works.find((one) => one.tool === tool)!;
    const reporter = await reporterOf(job);
    const journal = journalOf(job);
    const span = telemetry.startSpan(`nestjs_tools job ${tool}`, {
      attributes: { 'nestjs_tools.tool': tool, 'nestjs_tools.request_id': requestId },
    });
    const observation = new Observation(tool, requestId, span);
    observation.identity = { id: owner.id, name: owner.name ?? owner.id };
    const steps = new StepSpans(telemetry);
    const charges: Promise<void>[] = [];
    const spentHere: ModelUsage[] = [];
    const call = {
      signal,
      // At each model call: a job that fails or is cancelled has still spent its tokens. Steps are charged where they are done.
      spend: (spent: ModelUsage): void => {
        spentHere.push(spent);
        charges.push(limits.charge(owner, spent));
      },
      requestId,
      noCache,
      deadlineMs,
      journal,
      onProgress: (event: Parameters<JobReporter['progress']>[0]): void => {
        steps.begin(event.stage);
        reporter.progress(event);
      },
    };
    let outcome: JobOutcome;
    try {
      // It may have waited for long, and other jobs of its owner have been paid for meanwhile.
      await limits.requireBudget(owner);
      const { data, facts } = await span.run(() => work.run(input as never, call));
      observation.facts = facts;
      if (facts.usage) observation.spend(facts.usage, limits.costOf(facts.usage));
      const seconds = Math.max(0, Date.now() - job.timestamp) / 1000;
      outcome = { body: { data, request_id: requestId, seconds_taken: seconds } };
      await journal.forget();
    } catch (error) {
      const brokenOff = error instanceof SuspendedError || error instanceof JournalUnavailableError;
      if (signal.aborted || brokenOff) {
        span.end();
        signal.throwIfAborted();
        throw error;
      }
      observation.fail(error);
      for (const spent of spentHere) observation.spend(spent, limits.costOf(spent));
      const { body } = errorResponse(error, requestId);
      if (body.code === 'internal_error')
        this.logger.error(printable(`${requestId} ${String(error)}`), printableStack(error));
      outcome = { error: body };
    } finally {
      steps.end();
      await Promise.all(charges);
      await reporter.end();
    }
    const status = 'error' in outcome ? outcome.error.statusCode : 200;
    observer.tell(observation.end(status, true), observation);
    return outcome;
  }
}
