import { STATUS_CODES } from 'node:http';
import { HttpException, Logger } from '@nestjs/common';
import { ClientClosedError, ERROR_CODES, ToolsError, type ToolsErrorCode } from './errors.js';
import { LogLine } from './failures.js';

export interface ErrorBody {
  statusCode: number;
  error: string;
  message: string | string[];
  code: ToolsErrorCode;
  request_id: string;
  details?: unknown;
}

export interface ErrorResponse {
  body: ErrorBody;
  headers: Record<string, string>;
}

/** Where nobody says how long: the longest rest of a circuit; set by hand. */
const DEFAULT_RETRY_AFTER_SECONDS = 30;
/** A day. A longer wait that an upstream asks for is a mistake, and may not even be valid in a header. A plain bound. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/**
 * Turns whatever was thrown into the documented body. An error that is neither a {@link ToolsError} nor an HTTP error becomes a plain 500, so
 * that nothing internal leaks.
 */
export function errorResponse(exception: unknown, requestId: string): ErrorResponse {
  const known = ToolsError.isInstance(exception) ? exception : undefined;
  const { statusCode, message } = known
    ? { statusCode: known.getStatus(), message: known.messages }
    : foreign(exception);
  const code = known?.code ?? codeOfStatus(statusCode);
  const shouldRetry = known?.shouldRetry ?? ERROR_CODES[code].retry;
  const headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Should-Retry': String(shouldRetry),
  };
  if (statusCode === 401)
    headers['WWW-Authenticate'] =
      // A guard of the host does not accept the module's keys.
      code === 'unauthorized'
        ? 'Bearer realm="tools"'
        : 'ApiKey realm="tools", header="X-API-Key", Bearer realm="tools"';
  Object.assign(headers, known?.headers);
  const retryAfter =
    known?.retryAfterSeconds ?? (statusCode === 503 && shouldRetry ? DEFAULT_RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) {
    const seconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(retryAfter)));
    headers['Retry-After'] = String(seconds);
  }
  return {
    body: {
      statusCode,
      error: STATUS_CODES[statusCode] ?? 'Error',
      message,
      code,
      request_id: requestId,
      ...(known?.details === undefined ? {} : { details: known.details }),
    },
    headers,
  };
}

export const codeOf = (exception: unknown): ToolsErrorCode =>
  ToolsError.isInstance(exception) ? exception.code : codeOfStatus(foreign(exception).statusCode);

/** The code of an error that has none. */
function codeOfStatus(status: number): ToolsErrorCode {
  const codes = Object.keys(ERROR_CODES) as ToolsErrorCode[];
  const general = codes.find((code) => ERROR_CODES[code].general && ERROR_CODES[code].status === status);
  return general ?? (status < 500 ? 'invalid_request' : 'internal_error');
}

/** Data of the last event of a stream that failed: the error body, and what the headers of a plain error say about trying again. */
interface ErrorEvent extends ErrorBody {
  should_retry: boolean;
  retry_after_seconds?: number;
}

/** An error as an event: a stream has no headers left. */
export function errorEvent(exception: unknown, requestId: string): ErrorEvent {
  const { body, headers } = errorResponse(exception, requestId);
  const wait = headers['Retry-After'];
  return {
    ...body,
    should_retry: headers['X-Should-Retry'] === 'true',
    ...(wait === undefined ? {} : { retry_after_seconds: Number(wait) }),
  };
}

/**
 * Logs an error whose body says nothing about its cause. A client that has left is no error.
 * @param about first words of the line; default the id of the request
 */
export function logInternalError(error: unknown, { code, request_id }: ErrorBody, about = request_id): void {
  if (code === 'internal_error' && !(error instanceof ClientClosedError)) logDefect(error, about, request_id);
}

export function logDefect(error: unknown, about: string, requestId?: string): void {
  const line = new LogLine(`${about} ${String(error)}`, {}, { request_id: requestId }, error);
  new Logger('ToolsModule').error(line);
}

/** Errors of Nest, of the host, and of the body parsers of Express and Fastify. */
function foreign(exception: unknown): { statusCode: number; message: string | string[] } {
  if (exception instanceof HttpException) {
    const statusCode = exception.getStatus();
    return { statusCode, message: parserMessage(statusCode, messageOf(exception)) };
  }
  const { statusCode, status } = (exception ?? {}) as { statusCode?: unknown; status?: unknown };
  const declared = typeof statusCode === 'number' ? statusCode : status;
  if (exception instanceof Error && typeof declared === 'number' && declared >= 400 && declared < 500) {
    return { statusCode: declared, message: parserMessage(declared, exception.message) };
  }
  return { statusCode: 500, message: 'Something went wrong on our side.' };
}

function messageOf(exception: HttpException): string | string[] {
  const response = exception.getResponse();
  const message = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? message.map(String) : exception.message;
}

/** Messages of zlib about a body that is not in the encoding it claims. */
const INFLATING =
  /^(?:incorrect|invalid|unexpected end of file|unknown compression|decompression failed|too many|need dictionary)/i;

/** One message for the same fault on both adapters. Parsers and routers word it differently, and some quote the input. */
function parserMessage(statusCode: number, message: string | string[]): string | string[] {
  const text = String(message);
  // Nest repeats the address as it came, and people put keys into query strings.
  if (statusCode === 404 && /^Cannot [A-Z]+ \//.test(text)) return text.split('?', 1)[0]!.slice(0, 200);
  if (statusCode === 413) return 'The request body is larger than this server accepts. Send a smaller one.';
  if (statusCode === 415) return 'Content-Type must be application/json in UTF-8, and the body uncompressed.';
  if (statusCode === 400 && /\bJSON\b|^request (aborted|size)/i.test(text)) {
    return ['The request body is not valid JSON. Send a JSON object.'];
  }
  if (statusCode === 400 && INFLATING.test(text)) return ['The request body cannot be decompressed.'];
  return message;
}
