import type { Caller } from '../auth/request-limits.js';
import { type ToolName, TOOL_NAMES } from '../core/request-event.js';
import { pathOf, type ToolRequest } from '../core/http-exchange.js';
import { ApiProperty, ApiPropertyOptional } from '../core/openapi.js';

/** A request that will be answered later. */
export interface JobRequest {
  tool: ToolName;
  /** The validated body. */
  input: object;
  /** The parts of a request that make two requests of one owner the same job. */
  identity: readonly unknown[];
  owner: Caller;
  requestId: string;
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
}

/** Whether the client would rather not wait for the answer (`Prefer: respond-async`, RFC 7240). */
export function prefersAsync({ headers }: ToolRequest): boolean {
  const { prefer } = headers;
  return prefer !== undefined && /(?:^|,)\s*respond-async\s*(?:[,;=]|$)/i.test(String(prefer));
}

/** The address of a job. It has the same prefixes as the address that the request came to. */
export function jobAddress(request: ToolRequest, id: string): string {
  return `${pathOf(request).replace(/\/[^/]*\/?$/, '')}/jobs/${id}`;
}

const JOB_STATUSES = ['queued', 'active', 'done', 'failed'] as const;
type JobStatus = (typeof JOB_STATUSES)[number];

/** The step that a job is at. */
export class JobProgressDto {
  @ApiProperty({ description: 'What is being done.', example: 'map' })
  stage!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'Units done.', example: 7 })
  done?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'Units in all.', example: 24 })
  total?: number;
}

/** A job and, once it has ended, its outcome. */
export class JobDto {
  @ApiProperty({ description: 'Id of the job.', example: '3f1c9a0be7d24c5f8a6b1d0e9c7f2a34' })
  id!: string;

  @ApiProperty({ description: 'The tool that was asked.', enum: TOOL_NAMES, example: 'summarize_content' })
  tool!: ToolName;

  @ApiProperty({
    description: '`queued`, `active`, `done` (with `result`) or `failed` (with `error`).',
    enum: JOB_STATUSES,
    example: 'active',
  })
  status!: JobStatus;

  @ApiProperty({
    description: 'When it was submitted, ISO 8601.',
    format: 'date-time',
    example: '2026-01-31T12:00:00.000Z',
  })
  created_at!: string;

  @ApiPropertyOptional({ type: JobProgressDto, description: 'The step it is at; only while it is active.' })
  progress?: JobProgressDto;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The body that the plain request returns.',
  })
  result?: object;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The error body that the plain request returns.',
  })
  error?: object;
}
