import type { JobOutcome, StepJobData } from './job-record.js';

/** Does one part of a job. */
export class StepJobRunner {
  run(_step: StepJobData, _signal: AbortSignal): Promise<JobOutcome> {
    return Promise.resolve({ step: true });
  }
}
