import type { Caller } from '../auth/request-limits.js';
import type { ToolName } from '../core/tool-names.js';
import type { ToolRequest } from '../core/http-exchange.js';
import type { JobDto } from './dto/job.dto.js';

/** Who a job belongs to: the caller, and its name for logs where it has one. */
export interface JobOwner extends Caller {
  name?: string;
}

/** A request that is to be answered later. */
export interface JobRequest {
  tool: ToolName;
  /** The validated body. */
  input: object;
  /** What makes two requests of one owner the same job. */
  identity: readonly unknown[];
  owner: JobOwner;
  requestId: string;
  /** True: a job of its own, whatever there is. */
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

/** The address of a job, beside the one that the request came to, whatever prefixes the host has. */
export function jobAddress(request: ToolRequest, id: string): string {
  const path = (request.originalUrl ?? request.url).split('?', 1)[0]!;
  return `${path.replace(/\/[^/]*\/?$/, '')}/jobs/${id}`;
}
