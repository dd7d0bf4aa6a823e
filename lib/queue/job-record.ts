import type { Job } from 'bullmq';
import { isRecord } from '../core/schema.js';
import type { JobDto, JobProgressDto, JobRequest } from '../http/job-intake.js';
import { errorResponse, type ErrorBody } from '../core/error-response.js';
import type { Envelope } from '../tools/tool-definition.js';

export interface JobData extends Omit<JobRequest, 'identity'> {
  /** Id of the batch that it is an item of. */
  batch?: string;
  /** Its place in the order of all owners' jobs. */
  turn: number;
  kept?: object;
}

/** How a job ended: as the plain request would, or cancelled. */
export type JobOutcome = { body: Envelope } | { error: ErrorBody } | { cancelled: true };

export type ToolJob = Job<JobData, JobOutcome>;

/** The outcome for the client: the body of the plain request, or its error body; undefined while there is none. */
export function endOf(job: ToolJob): Pick<JobDto, 'result' | 'error'> | undefined {
  return job.finishedOn === undefined ? undefined : endWith(job, job.returnvalue as JobOutcome | null);
}

/** The same of a job that ends with this outcome. */
export function endWith(job: ToolJob, outcome: JobOutcome | null): Pick<JobDto, 'result' | 'error'> {
  if (outcome && 'body' in outcome) return { result: outcome.body };
  if (outcome && 'error' in outcome) return { error: outcome.error };
  // Its workers died before they could say why.
  return { error: errorResponse(undefined, job.data.requestId).body };
}

export function toJobDto(job: ToolJob): JobDto {
  const end = endOf(job);
  const begun = job.processedOn !== undefined;
  const status = end ? (end.result ? 'done' : 'failed') : begun ? 'active' : 'queued';
  // `0` before the first step.
  const progress = isRecord(job.progress) ? (job.progress as unknown as JobProgressDto) : undefined;
  return {
    id: job.id!,
    tool: job.data.tool,
    status,
    created_at: new Date(job.timestamp).toISOString(),
    ...(status === 'active' && progress ? { progress } : {}),
    ...end,
  };
}
