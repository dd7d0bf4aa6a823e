import type { Caller } from '../auth/request-limits.js';
import { type ToolName, TOOL_NAMES } from '../core/request-event.js';
import { pathOf, type ToolRequest } from '../core/http-exchange.js';
import { COUNT, Field, OptionalField } from '../tools/request-fields.js';

/** Where a caller wants to hear that its work has ended. */
export interface Webhook {
  url: string;
  /** Default: the first one of the host. */
  secret_name?: string;
}

export interface JobRequest {
  tool: ToolName;
  input: object;
  /** The parts of a request that make two requests of one owner the same job. */
  identity: readonly unknown[];
  owner: Caller;
  requestId: string;
  webhook?: Webhook;
  /** True: always a new job, even if an equal one exists. */
  noCache: boolean;
}

/** Takes requests whose answers may outlive the connection. */
export interface JobIntake {
  /**
   * The job of this request: a new one, or the equal one that is under way or done.
   * @throws UpstreamUnavailableError when the queue cannot be reached
   */
  submit(request: JobRequest): Promise<JobDto>;
  /** The member `webhook` of a body. @throws InvalidRequestError */
  webhookOf(body: unknown): Webhook | undefined;
}

/** Whether the client would rather not wait for the answer (`Prefer: respond-async`, RFC 7240). */
export function prefersAsync({ headers }: ToolRequest): boolean {
  const { prefer } = headers;
  return prefer !== undefined && /(?:^|,)\s*respond-async\s*(?:[,;=]|$)/i.test(String(prefer));
}

/** The address of a job. It has the same prefixes as the address that the request came to. */
export function jobAddress(request: ToolRequest, id: string, kind = 'jobs'): string {
  return `${pathOf(request).replace(/\/[^/]*\/?$/, '')}/${kind}/${id}`;
}

const JOB_STATUSES = ['queued', 'active', 'done', 'failed'] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

/** The step that a job is at. */
export class JobProgressDto {
  @Field('What is being done.', 'map')
  stage!: string;

  @OptionalField('Units done.', 7, COUNT)
  done?: number;

  @OptionalField('Units in all.', 24, COUNT)
  total?: number;
}

const BODY = { type: 'object', additionalProperties: true };

/** A job and, once it has ended, its outcome. */
export class JobDto {
  @Field('Id of the job.', '3f1c9a0be7d24c5f8a6b1d0e9c7f2a34')
  id!: string;

  @Field('The tool that was asked.', 'summarize_content', { enum: TOOL_NAMES })
  tool!: ToolName;

  @Field('`queued`, `active`, `done` (with `result`) or `failed` (with `error`).', 'active', {
    enum: JOB_STATUSES,
  })
  status!: JobStatus;

  @Field('When it was submitted, ISO 8601.', '2026-01-31T12:00:00.000Z', { format: 'date-time' })
  created_at!: string;

  @OptionalField('The step it is at; only while it is active.', JobProgressDto)
  progress?: JobProgressDto;

  @OptionalField('The body that the plain request returns.', undefined, BODY)
  result?: object;

  @OptionalField('The error body that the plain request returns.', undefined, BODY)
  error?: object;
}
