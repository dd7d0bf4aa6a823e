import { ToolsError, type ToolsErrorOptions, type UpstreamFault } from './tools.error.js';

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

/** An error wraps its cause at most this many times. */
const MAX_DEPTH = 5;

/**
 * Names the upstreams behind an error and how each failed, for a log line or a span: `searxng 403, you ECONNREFUSED`.
 * Undefined when no upstream failed.
 */
export function upstreamFaults(error: unknown): string | undefined {
  const faults = new Set(
    faultsIn(error, MAX_DEPTH).map(({ upstream, ...how }) => [upstream, ...said(how)].join(' ')),
  );
  return faults.size > 0 ? [...faults].join(', ') : undefined;
}

function faultsIn(error: unknown, depth: number): UpstreamFault[] {
  if (!(error instanceof Error) || depth === 0) return [];
  if (error instanceof ToolsError && error.upstream) return [error.upstream];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.flatMap((cause) => faultsIn(cause, depth - 1));
}

function said({ status, code }: Omit<UpstreamFault, 'upstream'>): (string | number)[] {
  return [status, code].filter((part) => part !== undefined);
}
