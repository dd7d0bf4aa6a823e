import { inspect } from 'node:util';
import { ToolsError, UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import {
  requestUpstream,
  retryAfterMs,
  withRetry,
  type UpstreamResponse,
} from '../../core/upstream/index.js';
import type { SearchProvider, SearchProviderResult, SearchQuery } from '../search-provider.js';
import { isObject, objectIn, textIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import type { ResolvedOptions } from './provider-options.js';
import { SearchProviderError, type SearchFailureKind } from './search-provider.error.js';

/** An answer of a provider's API, whatever its status. */
export interface ProviderAnswer extends UpstreamResponse {
  /** The body as JSON; undefined where it is something else. */
  json: unknown;
}

/** What an answer fails with. */
export interface ProviderFailure {
  kind: SearchFailureKind;
  /** What happened and what the host has to do, one or two sentences; the default names the usual remedy. */
  advice?: string;
  retryAfterSeconds?: number;
}

/** One request of a provider's wire format. */
export interface ProviderRequest {
  /** Below the base URL, e.g. `/search`. */
  path: string;
  /** Query parameters; undefined ones are left out, a list repeats the parameter. */
  params?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON by POST; undefined fields are left out. Without one the request is a GET. */
  json?: object;
}

/** A provider's wire format: how to ask and how to read what comes back. */
export interface ProviderProtocol {
  /** Appears in results and logs, e.g. `brave`. */
  name: string;
  /** As people write it, e.g. `Brave Search`; begins the messages. */
  label: string;
  /** Never appears in a message or a cause. */
  secret?: string;
  request(query: SearchQuery): ProviderRequest;
  /** What this answer fails with, also behind a status of 200; undefined leaves it to the status. */
  failure?(answer: ProviderAnswer): ProviderFailure | undefined;
  /** True for an answer that says in so many words that nothing was found, whatever its status. */
  saysNothingFound?(answer: ProviderAnswer): boolean;
  /** The results of a 2xx answer; undefined when it has not the documented shape. */
  read(json: unknown, query: SearchQuery): SearchProviderResult | undefined;
}

/** 2 MiB: several times the largest answer that a documented request can bring. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_RETRY_WAIT_MS = 1000;

/** A provider that asks one HTTP request a search. */
export function httpProvider(protocol: ProviderProtocol, options: ResolvedOptions): SearchProvider {
  return {
    name: protocol.name,
    search: (query, context) => askProvider(protocol, options, query, context),
  };
}

/**
 * Asks once, and again where that helps (a failed connection, a 5xx, a rate limit of at most a second).
 *
 * @throws SearchProviderError; the context's reason when it is aborted
 */
export async function askProvider(
  protocol: ProviderProtocol,
  options: ResolvedOptions,
  query: SearchQuery,
  context: ToolContext,
): Promise<SearchProviderResult> {
  const outcome = await withRetry(
    () =>
      askOnce(protocol, options, query, context).catch((error: unknown) => {
        // What a second attempt would not mend must not look transient to the retry layer.
        if (isWorthRepeating(error)) throw error;
        return { error };
      }),
    context,
    { attempts: options.retries + 1, baseMs: 150, capMs: MAX_RETRY_WAIT_MS },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

function isWorthRepeating(error: unknown): boolean {
  if (!(error instanceof SearchProviderError)) return false;
  return (
    error.kind === 'unavailable' || (error.kind === 'rate_limited' && error.retryAfterSeconds !== undefined)
  );
}

async function askOnce(
  protocol: ProviderProtocol,
  options: ResolvedOptions,
  query: SearchQuery,
  context: ToolContext,
): Promise<SearchProviderResult> {
  const answer = await send(protocol, options, protocol.request(query), context);
  if (protocol.saysNothingFound?.(answer)) return { hits: [] };
  const failure = protocol.failure?.(answer) ?? failureOfStatus(answer);
  if (failure) throw errorOf(protocol, failure, answer);
  const result = protocol.read(answer.json, query);
  if (result) return result;
  const shape =
    answer.json === undefined ? 'something that is not JSON' : 'JSON of another shape than documented';
  throw new SearchProviderError(protocol.name, 'bad_payload', `${protocol.label} answered with ${shape}.`);
}

async function send(
  protocol: ProviderProtocol,
  options: ResolvedOptions,
  request: ProviderRequest,
  context: ToolContext,
): Promise<ProviderAnswer> {
  const url = new URL(options.baseUrl + request.path);
  for (const [name, value] of Object.entries(request.params ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value));
  try {
    const response = await requestUpstream(
      {
        upstream: protocol.label,
        url: url.href,
        method: request.json ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          ...(request.json ? { 'content-type': 'application/json' } : {}),
          ...request.headers,
        },
        body: request.json ? JSON.stringify(request.json) : undefined,
        timeoutMs: options.timeoutMs,
        maxBytes: MAX_BYTES,
        fetch: options.fetch,
      },
      context,
    );
    return { ...response, json: jsonOf(response.body) };
  } catch (error) {
    // The caller has left or the whole request is out of time: that is no failure of this provider.
    if (context.signal.aborted || !(error instanceof ToolsError)) throw error;
    throw new SearchProviderError(protocol.name, kindOf(error), redact(protocol, error.message), {
      cause: withoutSecret(protocol, error.cause),
    });
  }
}

function kindOf(error: ToolsError): SearchFailureKind {
  if (error instanceof UpstreamTimeoutError) return 'timeout';
  return error instanceof UpstreamInvalidError ? 'bad_payload' : 'unavailable';
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const ADVICE: Record<SearchFailureKind, string> = {
  auth: 'refuses the API key: check that it is complete, active and allowed to search.',
  quota: 'has no credit left for this key: top up the plan or raise its limit.',
  rate_limited: 'is getting too many requests for this key; ask less often or raise the plan.',
  bad_request: 'refuses the request.',
  timeout: 'did not answer in time.',
  unavailable: 'has an error on its side.',
  bad_payload: 'answered with something unreadable.',
};

/** What HTTP itself says of a status; undefined for 2xx. */
export function failureOfStatus(answer: ProviderAnswer): ProviderFailure | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const retryAfterSeconds = retryAfter(answer);
  if (status < 400)
    return { kind: 'bad_request', advice: 'answers with a redirect: set its final address in the options.' };
  if (status === 401 || status === 403) return { kind: 'auth' };
  if (status === 402) return { kind: 'quota' };
  if (status === 404)
    return { kind: 'bad_request', advice: 'has nothing at this address: check the address in the options.' };
  if (status === 408 || status === 504) return { kind: 'timeout' };
  if (status === 429) return { kind: 'rate_limited', retryAfterSeconds };
  if (status < 500) return { kind: 'bad_request' };
  return { kind: 'unavailable', retryAfterSeconds };
}

/** `Retry-After` in seconds, where the provider sends it. */
export function retryAfter(answer: ProviderAnswer): number | undefined {
  const ms = retryAfterMs(answer.headers);
  return ms === undefined ? undefined : ms / 1000;
}

/** The provider's own words on an error: the usual members of an error body, or the empty string. */
export function reasonOf(json: unknown): string {
  const body = objectIn(json);
  const inner = [body.error, body.detail].find(isObject) ?? {};
  const words = [
    inner.message,
    inner.detail,
    inner.error,
    body.message,
    body.readableMessage,
    body.error,
    body.detail,
  ];
  return oneLine(words.map(textIn).find((text) => text !== '') ?? '');
}

function errorOf(
  protocol: ProviderProtocol,
  failure: ProviderFailure,
  answer: ProviderAnswer,
): SearchProviderError {
  const reason = failure.kind === 'bad_request' ? reasonOf(answer.json).slice(0, 160) : '';
  const words = reason === '' ? '' : ` It says: ${reason}`;
  const message = `${protocol.label} ${failure.advice ?? ADVICE[failure.kind]}${words} (HTTP ${answer.status})`;
  return new SearchProviderError(protocol.name, failure.kind, redact(protocol, message), {
    retryAfterSeconds: failure.retryAfterSeconds,
  });
}

/** Providers repeat keys in their error texts, and the text of a failed fetch can hold an address; ours hold no key. */
function redact(protocol: ProviderProtocol, text: string): string {
  const { secret } = protocol;
  // Shorter than any key: replacing it would garble ordinary words.
  if (secret === undefined || secret.length < 6) return text;
  const inAddress = new URLSearchParams({ k: secret }).toString().slice(2);
  return [secret, inAddress].reduce((clean, form) => clean.split(form).join('(key)'), text);
}

function withoutSecret(protocol: ProviderProtocol, cause: unknown): unknown {
  const shown = inspect(cause, { depth: 4 });
  return redact(protocol, shown) === shown ? cause : new Error(redact(protocol, String(cause)));
}
