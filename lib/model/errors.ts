import {
  ContentTooLongError,
  MissingPeerError,
  NotConfiguredError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../core/errors/index.js';
import { retryAfterMs } from '../core/upstream/index.js';

/** The server asks for fewer or slower calls (429, 529). The call has not failed; it has to wait. */
export class ModelRateLimitedError extends UpstreamUnavailableError {
  constructor(
    /** What the server asked for, ms; undefined where it named no time. */
    readonly waitMs: number | undefined,
    cause: unknown,
  ) {
    super('The language model is limiting its calls.', {
      cause,
      ...(waitMs === undefined ? {} : { retryAfterSeconds: waitMs / 1000 }),
    });
  }
}

/**
 * The prompt is longer than the model's window. A method that can splits its material and goes on; otherwise the caller gets the 422
 * `content_too_long`.
 */
export class ContextOverflowError extends ContentTooLongError {
  constructor(
    readonly overflow: Overflow,
    cause?: unknown,
  ) {
    const { limit, requested } = overflow;
    const numbers = limit
      ? ` (window ${limit} tokens${requested ? `, request ${requested} tokens` : ''})`
      : '';
    super(`The content does not fit the language model${numbers}.`, { cause });
  }
}

/** The model answered with nothing. */
export class EmptyAnswerError extends UpstreamInvalidError {}

/** A reasoning model has spent its tokens on thinking and needs more of them. */
export class TokensSpentError extends EmptyAnswerError {}

/** The model took too long by the client's own timers, not by the request's deadline. */
export class AnswerTimeoutError extends UpstreamTimeoutError {}

/** Ends the slower of two equal calls, and what is left of them when one has answered; no caller sees it. */
export class SupersededError extends Error {}

/** The error's stable name in traces, metrics and the health registry. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ToolsError) return error.code;
  return error instanceof SupersededError ? 'superseded' : 'cancelled';
}

/** The fields of the SDK's errors that are read. Errors are told apart by name: a host may have another copy of the SDK than ours. */
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
 * Converts whatever the SDK threw to an error of the tools. Nothing of the upstream's text reaches the message: it may hold addresses,
 * keys or account names. It stays in `cause` for the logs.
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
  // A page of a proxy with the status 200, broken JSON, a connection cut after the head.
  if (status < 300) return unreadable(error);
  if (status === 408 || status === 504)
    return new UpstreamTimeoutError('The language model did not answer in time.', { cause: error });
  if (status >= 500 || status === 409 || status === 425) {
    const wait = retryAfterMs(new Headers(error.responseHeaders ?? {}));
    return new UpstreamUnavailableError('The language model is not available.', {
      cause: error,
      ...(wait === undefined ? {} : { retryAfterSeconds: wait / 1000 }),
    });
  }
  if (/content[ _-]?(?:filter|management policy)|safety/i.test(said)) return contentFilterError(error);
  const what = status === 401 || status === 403 ? 'refused the credentials' : 'refused the request';
  return new UpstreamUnavailableError(`The language model ${what} (status ${status}).`, {
    cause: error,
    shouldRetry: false,
  });
}

function withoutStatus(error: SdkError): Error {
  const said = `${error.name ?? ''} ${error.message ?? ''}`;
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoOutput/.test(error.name ?? ''))
    return unreadable(error);
  const overflow = parseOverflow(said);
  if (overflow) return new ContextOverflowError(overflow, error);
  return new UpstreamUnavailableError('The language model cannot be reached.', {
    cause: error,
    // Each attempt is twenty requests, and the address will redirect in a circle the next time as well.
    ...(/redirect count exceeded/.test(said) ? { shouldRetry: false } : {}),
  });
}

function unreadable(cause: unknown): UpstreamInvalidError {
  return new UpstreamInvalidError('The language model answered with something unreadable.', { cause });
}

/** The provider's own filter stopped the answer; asking again gives the same. */
export function contentFilterError(cause?: unknown): UpstreamInvalidError {
  return new UpstreamInvalidError('The language model refused to answer (content filter).', {
    cause,
    shouldRetry: false,
  });
}

/** What an error about the length of a prompt says. */
export interface Overflow {
  /** The model's window in tokens, where the message names it. */
  limit?: number;
  /** Tokens of the prompt by the server's count, where the message names them. */
  requested?: number;
}

const OVERFLOW_SIGNS =
  /context[ _-]?(?:length|window|size|limit)|prompt is too long|input is too long|too many (?:input )?tokens|token count|tokens? exceed|request too large|reduce the length|maximum (?:input|prompt) length/i;

/**
 * Patterns for the window, tried in order. After the error texts of OpenAI, Azure, vLLM and OpenRouter ("maximum context
 * length is 8192 tokens", "configured limit of 272000 tokens"), Anthropic ("210000 tokens > 200000 maximum", "exceed
 * context limit: 190000 + 20000 > 200000"), Gemini ("exceeds the maximum number of tokens allowed (1048576)"), Mistral
 * ("with 32768 maximum context length"), llama.cpp ("available context size (8192 tokens)"), Cohere ("cannot exceed
 * 4081"), Groq ("tokens per minute (TPM): Limit 6000").
 */
const LIMITS = [
  /maximum context length (?:is|of) (\d+)/i,
  /> ?(\d+)(?: maximum|,|\.| |$)/i,
  /maximum number of tokens allowed \(?(\d+)/i,
  /available context size \(?(\d+)/i,
  /(\d+) maximum context length/i,
  /limit (?:of )?(\d+)/i,
  /cannot exceed (\d+)/i,
  /(?:context (?:length|window|size)|n_ctx)\D{1,20}(\d+)/i,
];
const REQUESTED = [
  /resulted in (\d+)/i,
  /\((\d+) in (?:the|your) (?:messages|prompt)/i,
  /requested (?:about )?(\d+)/i,
  /too long: (\d+)/i,
  /token count \(?(\d+)/i,
  /prompt contains (\d+)/i,
  /request \((\d+) tokens/i,
];

/** Reads an upstream's error text; undefined when it is not about the length of the prompt. Linear in the text. */
export function parseOverflow(message: string): Overflow | undefined {
  const text = message.slice(0, 4000).replace(/(\d)[,_](?=\d{3})/g, '$1');
  if (!OVERFLOW_SIGNS.test(text)) return undefined;
  const limit = firstNumber(text, LIMITS);
  const requested = firstNumber(text, REQUESTED);
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(requested === undefined ? {} : { requested }),
  };
}

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const value = Number(pattern.exec(text)?.[1]);
    // Smaller numbers are counts of messages, versions and the like.
    if (value >= 256) return value;
  }
  return undefined;
}
