import {
  ContentTooLongError,
  MissingPeerError,
  NotConfiguredError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../core/errors.js';
import { anything, isRecord, record, validJson } from '../core/schema.js';
import { systemCode } from '../core/upstream/request.js';
import { retryAfterSeconds } from '../core/upstream/retry.js';

export type ModelName = 'language model' | 'embedding model' | 'reranking model' | 'speech recognition model';

/** The server asks for fewer or slower calls (429, 529), and may name a time. The call has not failed; it has to wait. */
export class ModelRateLimitedError extends UpstreamUnavailableError {}

/**
 * The prompt is longer than the model's window. A method that can splits its material and goes on; otherwise the caller gets the 422
 * `content_too_long`.
 */
export class ContextOverflowError extends ContentTooLongError {
  /**
   * @param numbers tokens, e.g. `about 9000 tokens`
   * @param cause the server's error; undefined where it was known before
   */
  constructor(numbers?: string, cause?: unknown, model: ModelName = 'language model') {
    super(`The content does not fit the ${model}${numbers ? ` (${numbers})` : ''}.`, { cause });
  }
}

/** An answer that cannot be used: empty, cut off, without an end, or stopped by a content filter. Other requests may get a good one. */
export class UnusableAnswerError extends UpstreamInvalidError {}

/** The answer ended in the middle: the stream was cut, or the model stopped with an error. */
export class CutAnswerError extends UnusableAnswerError {}

/** The provider's content filter stopped the request or the answer. A retry would be stopped too. */
export function filteredError(model: ModelName = 'language model', cause?: unknown): UnusableAnswerError {
  return new UnusableAnswerError(`The ${model} refused to answer (content filter).`, {
    cause,
    shouldRetry: false,
  });
}

/** The server refuses every call until the host of this package does something. A retry does not help. */
export class ModelOutageError extends UpstreamUnavailableError {
  constructor(
    message: string,
    /** For the log: what the host can do. */
    readonly advice: string,
    cause?: unknown,
  ) {
    super(message, { cause, shouldRetry: false });
  }
}

/** The server refused this one request (400, 403, 413, 422, …). A retry would be refused too. */
export class RequestRefusedError extends UpstreamUnavailableError {
  constructor(model: ModelName, status: number, cause: unknown) {
    super(`The ${model} refused the request (status ${status}).`, { cause, shouldRetry: false });
  }
}

/** The model took too long by the client's own timers, not by the request's deadline. */
export class AnswerTimeoutError extends UpstreamTimeoutError {
  constructor(
    message: string,
    /** Whether it was still writing. A long answer takes long. */
    readonly isAnswering: boolean,
  ) {
    super(message, { upstream: { upstream: 'model', code: 'timeout' } });
  }
}

/**
 * Whether an error is about one request only: the server is there and would answer others. Such an error must never count against the
 * model, or one caller could take it from everybody.
 */
export function isAboutOneRequest(error: unknown): boolean {
  return [ContentTooLongError, UnusableAnswerError, RequestRefusedError].some(
    (kind) => error instanceof kind,
  );
}

/** The fields of the SDK's errors that are read. Errors are recognised by name: a host may have another copy of the SDK than ours. */
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
 * keys or account names. It stays in `cause` for the logs, and `upstream` names the status or the system's code.
 *
 * @param option of the module that gave the model, for messages
 */
export function toModelError(thrown: unknown, model: ModelName = 'language model', option?: string): Error {
  if (ToolsError.isInstance(thrown) || thrown instanceof MissingPeerError) return thrown;
  const { name, lastError } = (thrown ?? {}) as SdkError;
  if (name === 'AI_RetryError') return toModelError(lastError, model, option);
  const error = sdkErrorOf(thrown);
  const status = statusOf(error);
  const converted =
    status === undefined ? withoutStatus(error, model, option) : withStatus(error, status, model);
  if (!(converted instanceof NotConfiguredError))
    converted.upstream ??= { upstream: 'model', status: error.statusCode, code: systemCode(error) };
  return converted;
}

/** Errors inside of a stream come as plain objects (version 6 of the SDK) or as texts. As an `Error` their words reach the log. */
function sdkErrorOf(thrown: unknown): SdkError {
  if (thrown instanceof Error) return thrown;
  const top = isRecord(thrown) ? thrown : {};
  const inner = isRecord(top['error']) ? top['error'] : top;
  const said = [inner['message'], top['error'], thrown].find((value) => typeof value === 'string');
  const { name, statusCode } = top as SdkError;
  return Object.assign(
    new Error(said as string | undefined),
    { data: thrown, statusCode },
    name ? { name } : {},
  );
}

/**
 * The HTTP status of an error; of one inside of a stream, which began with 200, the status that its code or type stands for. Undefined where the
 * server did not say what it is.
 */
export function statusOf(thrown: unknown): number | undefined {
  const error = sdkErrorOf(thrown);
  const { statusCode, name } = error;
  if (statusCode !== undefined || (name !== 'Error' && name !== 'AI_StreamProviderError')) return statusCode;
  const { codes, texts } = statementOf(error);
  const numeric = codes.map(Number).find((code) => code >= 400 && code < 600);
  const [, named] = STATUS_OF_CODE.find(([pattern]) => codes.some((code) => pattern.test(code))) ?? [];
  const [, fromText] = STATUS_OF_TEXT.find(([pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  return numeric ?? named ?? fromText;
}

function withStatus(error: SdkError, status: number, model: ModelName): ToolsError {
  const { said, codes, texts } = statementOf(error);
  const isSpent = codes.some((code) => MONEY_CODE.test(code)) || texts.some((text) => MONEY_TEXT.test(text));
  if (status === 402 || ([400, 403, 429].includes(status) && isSpent))
    return new ModelOutageError(`The account of the ${model} is out of quota.`, ADVICE.quota, error);
  if ([400, 413, 422].includes(status) && OVERFLOW.test(said))
    return new ContextOverflowError(undefined, error, model);
  const asked = retryAfterSeconds(new Headers(error.responseHeaders ?? {}));
  if (status === 429 || status === 529)
    return new ModelRateLimitedError(`The ${model} is limiting its calls.`, {
      cause: error,
      retryAfterSeconds: asked ?? statedSeconds(said),
    });
  // A page of a proxy with the status 200, broken JSON, a connection cut after the head.
  if (status < 300) return unreadable(error, model);
  if (status === 408 || status === 504)
    return new UpstreamTimeoutError(`The ${model} did not answer in time.`, { cause: error });
  if (status >= 500 || status === 409 || status === 425)
    return new UpstreamUnavailableError(`The ${model} is not available.`, {
      cause: error,
      retryAfterSeconds: asked,
    });
  if (CONTENT_FILTER.test(said)) return filteredError(model, error);
  if (status === 401 || (status === 400 && texts.some((text) => KEY_TEXT.test(text))))
    return new ModelOutageError(
      `The ${model} refused the credentials (status ${status}).`,
      ADVICE.key,
      // What the server says may repeat the key, which only the AI SDK knows.
      new Error('', { cause: error }),
    );
  if (status === 404 || status === 405)
    return new ModelOutageError(`The ${model} was not found (status ${status}).`, ADVICE.name, error);
  return new RequestRefusedError(model, status, error);
}

const ADVICE = {
  quota: 'Top up the account at the provider, or raise its spend limit. Every call fails until then.',
  key: 'Check the API key of its provider. Every call fails until then.',
  name: 'Check the name of the model and the address of its provider: it may have been switched off. Every call fails until then.',
};

/**
 * Codes of spent money: OpenAI (`insufficient_quota`, `credit_balance_exhausted`, `project_spend_limit_exceeded`, …), Anthropic (`billing_error`,
 * `enforced_spend_limit_reached`), LiteLLM (`budget_exceeded`), DeepSeek (`insufficient_balance`).
 */
const MONEY_CODE =
  /^(?:billing_|insufficient_(?:quota|credits?|balance|funds)|credit_balance|budget_exceeded)|(?:spend|usage)_limit/i;
/** Messages of Anthropic (400) and OpenRouter (403) that have no code. Only their beginnings count: servers quote the prompt in messages. */
const MONEY_TEXT =
  /^(?:Your credit balance is too low|You have reached your specified API usage limits|Key limit exceeded|Insufficient credits)/i;
/**
 * Codes and types of errors inside of a stream, with the statuses that they have outside: OpenAI, Anthropic, Gemini, vLLM (`BadRequestError`), OpenRouter.
 */
const STATUS_OF_CODE: readonly [RegExp, number][] = [
  [MONEY_CODE, 402],
  [/rate_?limit|too_?many_?requests|resource_exhausted|throttl/i, 429],
  [/overloaded/i, 529],
  [/authentication|invalid_api_key|unauth/i, 401],
  [/permission|forbidden/i, 403],
  [/not_?found/i, 404],
  [/too_?large/i, 413],
  [/timeout|deadline/i, 504],
  [
    /content_?(?:filter|policy)|context_length|invalid_?(?:request|argument|prompt)|bad_?request|unsupported/i,
    400,
  ],
  [/server_?error|api_error|internal|unavailable/i, 500],
];
/** Gemini (400). */
const KEY_TEXT = /^API key not valid/i;

/** OpenAI and Azure ("content_filter", "content management policy"), OpenRouter ("flagged", "moderation"), Gemini ("safety"). */
const CONTENT_FILTER = /content[ _-]?(?:filter|management policy|policy)|safety|moderation|flagged/i;

/** The same by messages without a code. A server that does not take `response_format` names it, or its kinds. */
const STATUS_OF_TEXT: readonly [RegExp, number][] = [
  [MONEY_TEXT, 402],
  [KEY_TEXT, 401],
  [CONTENT_FILTER, 400],
  [/response_format|json_(?:schema|object)|structured output/i, 400],
];

const MEMBERS = record(anything());
/** Most characters of an error's body that are parsed; a plain bound. */
const MOST_BODY = 65_536;

/**
 * The server's own statement about the error: the message and the codes of its structured body. The raw body is not used: servers repeat
 * the request in it, and then a video's title would be read as the server's word.
 *
 * Servers state their errors in `error` as text, or with `message`, `code`, `type`, `status`, `detail`, `details.error_code`; or in these at the top.
 */
function statementOf({ message = '', data, responseBody = '' }: SdkError) {
  // The SDK's `data` lacks the members that its schema does not name, e.g. `details` of Anthropic.
  const body = validJson(MEMBERS, responseBody.length <= MOST_BODY ? responseBody : '') ?? data;
  const top = isRecord(body) ? body : {};
  const inner = isRecord(top['error']) ? top['error'] : {};
  const details = isRecord(inner['details']) ? inner['details'] : {};
  const strings = (values: unknown[]): string[] => values.filter((value) => typeof value === 'string');
  const texts = strings([
    message,
    top['error'],
    inner['message'],
    inner['detail'],
    top['message'],
    top['detail'],
  ]);
  const named = [inner, top].flatMap(({ code, type, status }) => [code, type, status]);
  const codes = strings(named.map((value) => (typeof value === 'number' ? String(value) : value)));
  codes.push(...strings([details['error_code']]));
  const said = [...new Set([...texts, ...codes])].join(' ').slice(0, MOST_BODY);
  return { said, codes, texts };
}

/** The wait that some servers name in the message only: "try again in 7.66s" (OpenAI, Groq), "retry in 34.07s" (Gemini). */
function statedSeconds(said: string): number | undefined {
  const [, minutes = '0', amount, unit] =
    /(?:retry|try again) in (?:(\d{1,4})m)?(\d{1,6}(?:\.\d{1,9})?)(ms|s)/i.exec(said) ?? [];
  if (amount === undefined) return undefined;
  return Number(minutes) * 60 + Number(amount) / (unit?.toLowerCase() === 'ms' ? 1000 : 1);
}

/** Whether the SDK throws an error of this name where a model has no key or no address. Its message names the variable. */
const isMissingSetting = (name: string | undefined): boolean =>
  name === 'AI_LoadAPIKeyError' || name === 'AI_LoadSettingError';

const named = (option: string | undefined): string => (option === undefined ? '' : ` (option \`${option}\`)`);

function withoutStatus(error: SdkError, model: ModelName, option: string | undefined): ToolsError {
  const { name = '', message = '' } = error;
  if (name === 'TimeoutError')
    return new UpstreamTimeoutError(`The ${model} did not answer in time.`, {
      cause: error,
      upstream: { upstream: 'model', code: 'timeout' },
    });
  if (isMissingSetting(name))
    return new NotConfiguredError(`The ${model}${named(option)} is not configured. ${message}`);
  if (name === 'AI_UnsupportedModelVersionError')
    return new NotConfiguredError(
      `The ${model}${named(option)} is made for another major version of the package \`ai\` than the one installed.`,
    );
  if (name === 'AI_NoSuchModelError')
    return new ModelOutageError(`The configured ${model} does not exist.`, ADVICE.name, error);
  if (/JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoOutput/.test(name))
    return unreadable(error, model);
  if (OVERFLOW.test(message)) return new ContextOverflowError(undefined, error, model);
  return new UpstreamUnavailableError(`The ${model} cannot be reached.`, { cause: error });
}

function unreadable(cause: unknown, model: ModelName): UpstreamInvalidError {
  return new UpstreamInvalidError(`The ${model} answered with something unreadable.`, { cause });
}

/**
 * Words about the length of a prompt: OpenAI, Azure, vLLM and OpenRouter ("maximum context length is 8192 tokens", "tokens exceed the configured limit"),
 * Anthropic and Bedrock ("prompt is too long", "exceed context limit"), Gemini ("input token count"), llama.cpp ("context size"), Groq ("Request too large").
 */
const OVERFLOW =
  /context[ _-]?(?:length|window|size|limit)|(?:prompt|input) is too long|too many (?:input )?tokens|token count|tokens? exceed|request too large|reduce the length|maximum (?:input|prompt) length/i;
