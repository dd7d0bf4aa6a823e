import { HttpException } from '@nestjs/common';
import { ERROR_CODES, type ToolsErrorCode } from './error-codes.js';

/** Which upstream failed, and how. For logs, health and spans; never sent to clients. Holds no address and no key. */
export interface UpstreamFault {
  /** Name of the upstream, e.g. `searxng` or `YouTube`. */
  upstream: string;
  /** HTTP status of its answer; absent when there was no answer. */
  status?: number;
  /** System error code such as `ECONNREFUSED`, `timeout`, or the kind of failure; absent when the status says it all. */
  code?: string;
}

/** What an error carries besides its code and message. */
export interface ToolsErrorOptions {
  /** Machine-readable particulars; they reach the client, so nothing about the inside belongs here. */
  details?: unknown;
  /** Seconds after which a retry makes sense; becomes `Retry-After`, rounded up, at least 1. */
  retryAfterSeconds?: number;
  /** Overrides the code's own answer to "does the same request sent again make sense?". */
  shouldRetry?: boolean;
  /** What caused it; logged, never sent. */
  cause?: unknown;
  /** The upstream that failed and how; logged, never sent. */
  upstream?: UpstreamFault;
}

/**
 * The base of every error that the tools throw on purpose. It is an `HttpException`, so that a host that injects a
 * service into its own controller answers with the right status without any filter of ours.
 */
export class ToolsError extends HttpException {
  readonly code: ToolsErrorCode;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
  readonly shouldRetry: boolean;
  readonly upstream?: UpstreamFault;

  constructor(code: ToolsErrorCode, message: string | string[], options: ToolsErrorOptions = {}) {
    const { status, retry } = ERROR_CODES[code];
    super(
      {
        statusCode: status,
        message,
        code,
        ...(options.details === undefined ? {} : { details: options.details }),
      },
      status,
      { cause: options.cause },
    );
    this.name = new.target.name;
    this.message = Array.isArray(message) ? message.join('; ') : message;
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.shouldRetry = options.shouldRetry ?? retry;
    this.upstream = options.upstream;
  }

  /** The messages as the body carries them: a list for validation errors, else one sentence. */
  get messages(): string | string[] {
    return (this.getResponse() as { message: string | string[] }).message;
  }
}
