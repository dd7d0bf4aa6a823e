import { HttpException } from '@nestjs/common';

/**
 * Every error code of the interface, with its HTTP status, whether the same request may succeed when it is sent again (`X-Should-Retry`), and
 * whether errors of others with that status get it. Generated SDKs retry 408, 409, 429 and every 5xx unless that header tells them otherwise.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, retry: false, general: true },
  invalid_content_id: { status: 400, retry: false, general: false },
  missing_api_key: { status: 401, retry: false, general: false },
  invalid_api_key: { status: 401, retry: false, general: false },
  invalid_token: { status: 401, retry: false, general: false },
  unauthorized: { status: 401, retry: false, general: true },
  forbidden_tool: { status: 403, retry: false, general: false },
  insufficient_scope: { status: 403, retry: false, general: false },
  forbidden: { status: 403, retry: false, general: true },
  not_found: { status: 404, retry: false, general: true },
  content_not_found: { status: 404, retry: false, general: false },
  job_not_found: { status: 404, retry: false, general: false },
  method_not_allowed: { status: 405, retry: false, general: true },
  payload_too_large: { status: 413, retry: false, general: true },
  unsupported_media_type: { status: 415, retry: false, general: true },
  content_unavailable: { status: 422, retry: false, general: false },
  transcript_unavailable: { status: 422, retry: false, general: false },
  content_too_long: { status: 422, retry: false, general: false },
  rate_limited: { status: 429, retry: true, general: true },
  internal_error: { status: 500, retry: false, general: false },
  method_unavailable: { status: 501, retry: false, general: false },
  not_configured: { status: 501, retry: false, general: true },
  upstream_invalid: { status: 502, retry: true, general: true },
  upstream_unavailable: { status: 503, retry: true, general: true },
  upstream_timeout: { status: 504, retry: true, general: true },
} as const;

/** A stable, machine-readable name of what went wrong. */
export type ToolsErrorCode = keyof typeof ERROR_CODES;

/** Which upstream failed, and how. For logs, health and spans; never sent to clients. Holds no address and no key. */
export interface UpstreamFault {
  /** Name of the upstream, e.g. `searxng` or `YouTube`. */
  upstream: string;
  /** HTTP status of its answer; absent when there was no answer. */
  status?: number;
  /** System error code such as `ECONNREFUSED`, `timeout`, or the kind of failure; absent when the status says it all. */
  code?: string;
  /** What the upstream's code threw, where that is no `ToolsError`. Logged with its stack. */
  thrown?: unknown;
}

export interface ToolsErrorOptions {
  /** Machine-readable particulars. They are sent to the client, so they must say nothing about internals. */
  details?: unknown;
  /** Seconds after which a retry makes sense. Becomes `Retry-After`, rounded up, at least 1. */
  retryAfterSeconds?: number;
  /** Whether the same request may succeed when it is sent again. Default: what the code says. */
  shouldRetry?: boolean;
  cause?: unknown;
  /** The upstream that failed and how. Logged, never sent. */
  upstream?: UpstreamFault;
  /** Further headers of the answer. Default of `WWW-Authenticate` with 401: both ways to send an API key. */
  headers?: Readonly<Record<string, string>>;
}

/** Marks errors of this package. `Symbol.for`, so that two installed copies of the package recognize each other's errors. */
const TOOLS_ERROR = Symbol.for('nestjs-tools:error');

/**
 * The base of every error that the tools throw on purpose. It is an `HttpException`: a host that injects a service into its own
 * controller answers with the right status without any filter of this package.
 */
export class ToolsError extends HttpException {
  readonly code: ToolsErrorCode;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
  readonly shouldRetry: boolean;
  upstream?: UpstreamFault;
  readonly headers?: Readonly<Record<string, string>>;
  /** @internal */
  readonly [TOOLS_ERROR] = true;

  constructor(code: ToolsErrorCode, message: string | string[], options: ToolsErrorOptions = {}) {
    const { status, retry } = ERROR_CODES[code];
    super(
      options.details === undefined
        ? { statusCode: status, message, code }
        : { statusCode: status, message, code, details: options.details },
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
    this.headers = options.headers;
  }

  /** Whether a value is an error of the tools. Unlike `instanceof`, it also recognizes errors of another installed copy of the package. */
  static isInstance(value: unknown): value is ToolsError {
    return typeof value === 'object' && value !== null && TOOLS_ERROR in value;
  }

  /** The message as the response body carries it: a list for validation errors, else one sentence. */
  get messages(): string | string[] {
    return (this.getResponse() as { message: string | string[] }).message;
  }
}

/** An error that is thrown for everybody who knocks and that nobody looks into. Its stack would cost as much as all else of a refusal. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function errorOf(code: ToolsErrorCode): new (message: string, options?: ToolsErrorOptions) => ToolsError {
  return class extends ToolsError {
    constructor(message: string, options: ToolsErrorOptions = {}) {
      super(code, message, options);
    }
  };
}

export interface FieldError {
  field: string;
  message: string;
}

/** 400: a field is missing, of the wrong type, out of range or unknown. */
export class InvalidRequestError extends ToolsError {
  /** @param cause for the log */
  constructor(fields: FieldError[], cause?: Error) {
    super(
      'invalid_request',
      fields.map((f) => f.message),
      { details: fields, cause },
    );
  }
}

/** 400: the content source does not accept this `content_id`. The message names what it accepts. */
export class InvalidContentIdError extends ToolsError {
  /** @param accepted what the source accepts, after `content_id must be`, e.g. `a podcast id` */
  constructor(readonly accepted: string) {
    const message = `content_id must be ${accepted}`;
    super('invalid_content_id', [message], { details: [{ field: 'content_id', message }] });
  }
}

/** 401: the key is unknown, revoked or expired. The client is not told which. */
export class InvalidApiKeyError extends ToolsError {
  /** @param options its `cause` is for the log */
  constructor(options: Pick<ToolsErrorOptions, 'cause'> = {}) {
    super(
      'invalid_api_key',
      'The API key is not valid. Check the header X-API-Key, or ask the operator for a key.',
      options,
    );
  }
}

/** 404: the job does not exist, was cancelled, has expired, or belongs to another key. The client is not told which. */
export class JobNotFoundError extends ToolsError {
  constructor() {
    super('job_not_found', 'Job not found. It may have been cancelled, have expired, or never have existed.');
  }
}

/** 429: the key has used up its requests, or too many wrong keys came from the client's address. `Retry-After` says until when. */
export class RateLimitedError extends errorOf('rate_limited') {}

/** 429: the key has used up its daily budget. A retry does not help before midnight UTC. */
export class BudgetUsedUpError extends ToolsError {
  /** @param unit of the budget, e.g. `tokens` */
  constructor(unit: string, retryAfterSeconds: number) {
    super(
      'rate_limited',
      `The daily budget of this key (${unit}) is used up. It starts again at midnight UTC.`,
      { retryAfterSeconds, shouldRetry: false },
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

/** 503: the server is shutting down. Another one, or the same one a little later, will answer. */
export class ShuttingDownError extends ToolsError {
  constructor() {
    const retryAfterSeconds = 5;
    super('upstream_unavailable', 'The server is shutting down. Send the request again.', {
      retryAfterSeconds,
    });
  }
}

/** The client closed the connection, so the work ends. Never sent. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  constructor() {
    super('The client closed the connection.');
  }
}

/** Why a video that exists cannot be read. */
type UnavailableReason =
  'private' | 'age_restricted' | 'members_only' | 'region_blocked' | 'live' | 'upcoming';

/** Why a web page that exists cannot be read. */
export type PageUnavailableReason =
  'javascript_required' | 'login_required' | 'consent_required' | 'forbidden' | 'unsupported_type' | 'empty';

/** One attempt of one provider, as `details.attempts` lists it. Holds no address and no token. */
export interface FailedAttempt {
  provider: string;
  client?: string;
  ms: number;
  outcome: string;
}

/** 404: the video or page does not exist or was removed. */
export class ContentNotFoundError extends errorOf('content_not_found') {}

/** 422: the video or page exists and cannot be read; `details.reason` says why. */
export class ContentUnavailableError extends ToolsError {
  constructor(
    readonly reason: UnavailableReason | PageUnavailableReason,
    message: string,
    options: ToolsErrorOptions = {},
  ) {
    super('content_unavailable', message, {
      ...options,
      details: { ...(options.details as object | undefined), reason },
    });
  }
}

/** 422: the video can be read and has no captions in any language. */
export class TranscriptUnavailableError extends errorOf('transcript_unavailable') {}

/** 422: the content does not fit the model and `simple` was asked for. The numbers are in the message. */
export class ContentTooLongError extends errorOf('content_too_long') {}

/** 502: an upstream sent something that cannot be read. */
export class UpstreamInvalidError extends errorOf('upstream_invalid') {}

/** 503: the upstream refused, limited or dropped the request, and so did every fallback. `Retry-After` is 30 s unless set. */
export class UpstreamUnavailableError extends errorOf('upstream_unavailable') {}

/** 503: the upstream has failed lately and is left alone; nothing was sent. `retryAfterSeconds` says until when. */
export class CircuitOpenError extends UpstreamUnavailableError {}

/** 504: the deadline of the request passed. */
export class UpstreamTimeoutError extends errorOf('upstream_timeout') {}

const MAX_DEPTH = 5; // causes of an error that are looked at; a plain bound

/**
 * Names the upstreams behind errors and how each failed, for a log line or a span: `searxng 403, you ECONNREFUSED`.
 * Undefined when no upstream failed.
 */
export function upstreamFaults(...errors: unknown[]): string | undefined {
  const faults = new Set(
    errors
      .flatMap((error) => faultsIn(error))
      .map(({ upstream, status, code }) =>
        [upstream, status, code].filter((part) => part !== undefined).join(' '),
      ),
  );
  return faults.size > 0 ? [...faults].join(', ') : undefined;
}

export function faultsIn(error: unknown, depth = MAX_DEPTH): UpstreamFault[] {
  if (!(error instanceof Error) || depth === 0) return [];
  if (ToolsError.isInstance(error) && error.upstream) return [error.upstream];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.flatMap((cause) => faultsIn(cause, depth - 1));
}

/** 501: the host has not configured what this method needs. The message names the option. */
export class MethodUnavailableError extends errorOf('method_unavailable') {}

/** 501: the host has not configured what this tool needs. The message names the option. */
export class NotConfiguredError extends errorOf('not_configured') {}

/** What failed, in a few words for logs and health: a system code, else the message. Holds neither an address nor a key. */
export function reasonOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.message.slice(0, 120);
}

/** Thrown at start, never over HTTP: an option of the host is wrong. Says what was expected and what came. */
export class InvalidOptionError extends Error {
  /** Stands for a value that must not be shown: a mistyped secret is still a secret. */
  static readonly WITHHELD: unique symbol = Symbol('withheld');
  override readonly name = 'InvalidOptionError';

  /**
   * @param option path of the option, e.g. `search.maxTopN`
   * @param expected what it must be, e.g. `an integer from 1 to 50`
   * @param received what came; leave it out where it does not matter
   */
  constructor(option: string, expected: string, ...received: [received?: unknown]) {
    const came = received.length === 0 ? '' : `, received ${describeReceived(received[0])}`;
    super(`nestjs-tools: option \`${option}\` must be ${expected}${came}`);
  }

  /**
   * For an option that does not exist in its place. The value is not shown: it may be a key under a misspelt name.
   * @param option path of the unknown option
   * @param hint sentences that name what was probably meant
   */
  static unknown(option: string, hint: string): InvalidOptionError {
    const error = new InvalidOptionError(option, '');
    error.message = `nestjs-tools: unknown option \`${option}\`. ${hint}`;
    return error;
  }
}

/** Thrown when an optional peer is needed and not installed. The message has the install command. */
export class MissingPeerError extends Error {
  override readonly name = 'MissingPeerError';
  constructor(
    readonly peer: string,
    neededFor: string,
  ) {
    super(`${neededFor} needs the optional package \`${peer}\`: npm install ${peer}`);
  }
}

/** Longest part of a name of others that a message shows or compares, characters; a plain bound. */
const MAX_NAME = 64;

/** A name that a message shows: whoever sends it may have made it as long as the body may be. */
export const shownName = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;

/** A received value as messages show it: its type, and its text where that is short and no secret. */
export function describeReceived(value: unknown): string {
  if (value === InvalidOptionError.WITHHELD) return 'another value (hidden, it may contain credentials)';
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 80))}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object')
    return `an object with ${Object.keys(value).slice(0, 5).map(shownName).join(', ') || 'no keys'}`;
  return `a ${typeof value}`;
}
