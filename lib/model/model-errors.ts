import {
  MissingPeerError,
  NotConfiguredError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../core/errors/index.js';
import { retryAfterMs } from '../core/upstream/index.js';
import { ContextOverflowError } from './context-overflow.error.js';
import { parseOverflow } from './context-overflow.js';

/** The server asks for fewer or slower calls (429, 529): not a failure of this call, a matter of pace. */
export class ModelRateLimitedError extends UpstreamUnavailableError {
  constructor(
    /** What the server asked for, ms; undefined where it did not say. */
    readonly waitMs: number | undefined,
    cause: unknown,
  ) {
    super('The language model is limiting its calls.', {
      cause,
      ...(waitMs === undefined ? {} : { retryAfterSeconds: waitMs / 1000 }),
    });
  }
}

/** Ends the slower of two equal calls, and what is left of them when one has answered; no caller sees it. */
export class SupersededError extends Error {}

/** The error's stable name in traces, metrics and the health registry. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ToolsError) return error.code;
  return error instanceof SupersededError ? 'superseded' : 'cancelled';
}

/** The fields of the SDK's errors that are read; told by name, for a host may have another copy of the SDK than ours. */
interface SdkError {
  name?: string;
  message?: string;
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  data?: unknown;
  lastError?: unknown;
  cause?: unknown;
}

/**
 * Turns whatever the SDK threw into an error of the interface. Nothing of the upstream's text reaches the message: it may hold
 * addresses, keys or account names; it stays in `cause` for the logs.
 */
export function toModelError(thrown: unknown): Error {
  if (thrown instanceof ToolsError || thrown instanceof MissingPeerError) return thrown;
  const error = (thrown ?? {}) as SdkError;
  switch (error.name) {
    case 'AI_RetryError':
      return toModelError(error.lastError);
    case 'TimeoutError':
      return new UpstreamTimeoutError('The language model did not answer in time.', { cause: thrown });
    case 'AI_LoadAPIKeyError':
    case 'AI_LoadSettingError':
      return new NotConfiguredError('The language model is not fully configured (option `model`).');
    case 'AI_UnsupportedModelVersionError':
      return new NotConfiguredError(
        'The language model (option `model`) is made for another major version of the package `ai` than the one installed.',
      );
    case 'AI_NoSuchModelError':
      return new UpstreamUnavailableError('The configured language model does not exist.', {
        cause: thrown,
        shouldRetry: false,
      });
    default:
      return error.statusCode === undefined ? withoutStatus(error) : withStatus(error, error.statusCode);
  }
}

function withStatus(error: SdkError, status: number): Error {
  const said = `${error.message ?? ''} ${error.responseBody ?? ''}`;
  if (status === 400 || status === 413 || status === 422) {
    const overflow = parseOverflow(said);
    if (overflow) return new ContextOverflowError(overflow, error);
  }
  if (status === 429 || status === 529) {
    if (/insufficient_quota|billing|credit balance/i.test(said)) {
      return new UpstreamUnavailableError('The account of the language model is out of quota.', {
        cause: error,
        shouldRetry: false,
      });
    }
    return new ModelRateLimitedError(retryAfterMs(new Headers(error.responseHeaders ?? {})), error);
  }
  if (status < 300) {
    // A page of a proxy behind a 200, broken JSON, a connection cut after the head.
    return new UpstreamInvalidError('The language model answered with something unreadable.', {
      cause: error,
    });
  }
  if (status === 408 || status === 504) {
    return new UpstreamTimeoutError('The language model did not answer in time.', { cause: error });
  }
  if (status >= 500 || status === 409 || status === 425) {
    const wait = retryAfterMs(new Headers(error.responseHeaders ?? {}));
    return new UpstreamUnavailableError('The language model is not available.', {
      cause: error,
      ...(wait === undefined ? {} : { retryAfterSeconds: wait / 1000 }),
    });
  }
  if (/content[ _-]?(?:filter|management policy)|safety/i.test(said)) return refusedByFilter(error);
  const what = status === 401 || status === 403 ? 'refused the credentials' : 'refused the request';
  return new UpstreamUnavailableError(`The language model ${what} (status ${status}).`, {
    cause: error,
    shouldRetry: false,
  });
}

function withoutStatus(error: SdkError): Error {
  const said = `${error.name ?? ''} ${error.message ?? ''}`;
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoOutput/.test(error.name ?? '')) {
    return new UpstreamInvalidError('The language model answered with something unreadable.', {
      cause: error,
    });
  }
  const overflow = parseOverflow(said);
  if (overflow) return new ContextOverflowError(overflow, error);
  return new UpstreamUnavailableError('The language model cannot be reached.', {
    cause: error,
    // Each try is twenty requests, and the address will lead in a circle the next time as well.
    ...(/redirect count exceeded/.test(said) ? { shouldRetry: false } : {}),
  });
}

/** The provider's own filter stopped the answer; asking again gives the same. */
export function refusedByFilter(cause?: unknown): UpstreamInvalidError {
  return new UpstreamInvalidError('The language model refused to answer (content filter).', {
    cause,
    shouldRetry: false,
  });
}
