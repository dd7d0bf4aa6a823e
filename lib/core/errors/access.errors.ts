import { ToolsError } from './tools.error.js';

/** 401: no key was sent. */
export class MissingApiKeyError extends ToolsError {
  constructor() {
    super('missing_api_key', 'Send your API key in the header X-API-Key.');
  }
}

/** 401: the key is unknown, revoked or expired; deliberately not said which. */
export class InvalidApiKeyError extends ToolsError {
  constructor() {
    super('invalid_api_key', 'The API key is not valid.');
  }
}

/** 403: the key is valid and may not use this tool. */
export class ForbiddenToolError extends ToolsError {
  constructor(tool: string) {
    super('forbidden_tool', `This API key may not use ${tool}.`);
  }
}

/** 404: no such job, or it was cancelled, has expired, or belongs to another key; deliberately not said which. */
export class JobNotFoundError extends ToolsError {
  constructor() {
    super('job_not_found', 'Job not found. It may have been cancelled, have expired, or never have existed.');
  }
}

/** 429: the key has used up its requests; `Retry-After` says when there are more. */
export class RateLimitedError extends ToolsError {
  constructor(limit: number, windowSeconds: number, retryAfterSeconds: number) {
    super('rate_limited', `The limit of ${limit} requests in ${windowSeconds} seconds is used up.`, {
      retryAfterSeconds,
    });
  }
}

/** 429: the key has used up its budget of the day. Sending the request again does not help before midnight UTC. */
export class BudgetUsedUpError extends ToolsError {
  /** @param unit what is counted, e.g. `tokens` */
  constructor(unit: string, retryAfterSeconds: number) {
    super(
      'rate_limited',
      `The daily budget of this key (${unit}) is used up; it starts anew at midnight UTC.`,
      {
        retryAfterSeconds,
        shouldRetry: false,
      },
    );
  }
}

/** 429: the key has as many of something at the same time as the host allows. */
export class TooManyAtOnceError extends ToolsError {
  /** @param what plural, e.g. `jobs waiting` */
  constructor(what: string, limit: number) {
    super('rate_limited', `This key has ${limit} ${what}, as many as it may have at once. Try again later.`, {
      retryAfterSeconds: 10,
    });
  }
}

/** 503: as much work is running and waiting as the host allows. */
export class OverloadedError extends ToolsError {
  constructor(retryAfterSeconds: number) {
    super(
      'upstream_unavailable',
      'The server is busy: as much work is waiting as it accepts. Try again later.',
      {
        retryAfterSeconds,
      },
    );
  }
}

/** 503: the server is being stopped; another one, or the same a little later, will answer. */
export class ShuttingDownError extends ToolsError {
  constructor() {
    super('upstream_unavailable', 'The server is shutting down. Send the request again.', {
      retryAfterSeconds: 5,
    });
  }
}

/** 415: the body is not sent as JSON. */
export class UnsupportedMediaTypeError extends ToolsError {
  constructor(received: string | undefined) {
    super(
      'unsupported_media_type',
      `Content-Type must be application/json, received ${received ? JSON.stringify(received.slice(0, 100)) : 'none'}.`,
    );
  }
}
