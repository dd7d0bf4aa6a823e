import { ToolsError, type ToolsErrorOptions } from './tools.error.js';

/** 502: an upstream answered with something unreadable. */
export class UpstreamInvalidError extends ToolsError {
  constructor(message: string, options: ToolsErrorOptions = {}) {
    super('upstream_invalid', message, options);
  }
}

/** 503: blocked, rate-limited or down upstream, after every fallback. Over HTTP `Retry-After` is 30 s unless told. */
export class UpstreamUnavailableError extends ToolsError {
  constructor(message: string, options: ToolsErrorOptions = {}) {
    super('upstream_unavailable', message, options);
  }
}

/** 504: the request's deadline passed. */
export class UpstreamTimeoutError extends ToolsError {
  constructor(message: string, options: ToolsErrorOptions = {}) {
    super('upstream_timeout', message, options);
  }
}
