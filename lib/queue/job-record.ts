import type { Job } from 'bullmq';
import type { JobDto, JobProgressDto } from '../http/dto/job.dto.js';
import { errorResponse, type ErrorBody } from '../core/error-body.js';
import type { JobOwner } from '../http/job-intake.js';
import type { Envelope } from '../http/tool-handler.js';
import type { ToolName } from '../core/tool-names.js';

/** A request that was put off. */
export interface ToolJobData {
  kind: 'tool';
  tool: ToolName;
  input: object;
  owner: JobOwner;
  requestId: string;
  noCache: boolean;
  /** Its place in the order between owners. */
  turn: number;
  /** Where its steps are remembered. */
  journal: string;
}

/** A part of one, which any worker may do. */
export interface StepJobData {
  kind: 'step';
  /** The job that it is a part of. */
  root: string;
  /** Pays for it. */
  owner: JobOwner;
  tool: ToolName;
  name: string;
  input: object;
  requestId: string;
  journal: string;
  /** As listeners are told of it. */
  stage: string;
  total: number;
  turn: number;
}

export type JobData = ToolJobData | StepJobData;

/** How a job ended: what the plain request would have answered, or cancelled, or a part that is done. */
export type JobOutcome = { body: Envelope } | { error: ErrorBody } | { cancelled: true } | { step: true };

/** A job of a tool as BullMQ holds it. */
export type ToolJob = Job<ToolJobData, JobOutcome>;

/** The outcome as a client is told: the very body, or the very error body; undefined while there is none. */
export function endOf(job: ToolJob): Pick<JobDto, 'result' | 'error'> | undefined {
  if (job.finishedOn === undefined) return undefined;
  const outcome = job.returnvalue as JobOutcome | null;
  if (outcome && 'body' in outcome) return { result: outcome.body };
  if (outcome && 'error' in outcome) return { error: outcome.error };
  // Its worker died again and again: what it is about it would not say twice.
  return { error: errorResponse(undefined, job.data.requestId).body };
}

/** A job as its owner sees it. */
export function toJobDto(job: ToolJob, progress: JobProgressDto | undefined): JobDto {
  const end = endOf(job);
  const begun = job.processedOn !== undefined;
  const status = end ? (end.result ? 'done' : 'failed') : begun ? 'active' : 'queued';
  return {
    id: job.id!,
    tool: job.data.tool,
    status,
    created_at: new Date(job.timestamp).toISOString(),
    ...(status === 'active' && progress ? { progress } : {}),
    ...end,
  };
}
