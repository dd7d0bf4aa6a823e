import { inspect } from 'node:util';
import { parseJson, stringAt } from '../../core/json.js';
import { ToolsError, UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors.js';
import { valid, type Schema } from '../../core/schema.js';
import type { ToolContext } from '../../core/context.js';
import { requestUpstream, type UpstreamResponse } from '../../core/upstream/request.js';
import { retryAfterMs, withRetry } from '../../core/upstream/retry.js';
import { oneLine } from '../plain-text.js';
import type { SearchProvider, SearchProviderResult, SearchQuery } from '../search-provider.js';
import type { HttpOptions } from './provider-options.js';
import { hitsOf, type RawHit } from './search-hits.js';
import { SearchProviderError, type SearchFailureKind } from './search-provider.error.js';

/** An answer of a provider's API, with any status. */
export interface ProviderAnswer extends UpstreamResponse {
  /** The body as JSON; undefined for any other body. */
  json: unknown;
}

/** How an answer fails. */
export interface ProviderFailure {
  kind: SearchFailureKind;
  /** The failure and the advice for the host, one or two sentences that follow the provider's name. Default: {@link ADVICE}. */
  advice?: string;
  retryAfterSeconds?: number;
}

/** One request in a provider's wire format. */
interface ProviderRequest {
  /** Path below the base URL, e.g. `/search`. */
  path: string;
  /** Query parameters; undefined ones are left out. */
  params?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Body of a POST, sent as JSON; undefined fields are left out. Without a body the request is a GET. */
  json?: object;
}

/** The wire format of a provider: how to ask and how to read the answer. */
export interface ProviderProtocol<Body> {
  /** Appears in results and logs, e.g. `brave`. */
  name: string;
  /** Name for people, e.g. `Brave Search`. Messages begin with it. */
  label: string;
  /** Never appears in a message or a cause. */
  secret?: string;
  request(query: SearchQuery): ProviderRequest;
  /** How this answer fails, whatever its status; undefined when the status decides. */
  failure?(answer: ProviderAnswer): ProviderFailure | undefined;
  /** True when an answer says that nothing was found, whatever its status. */
  foundNothing?(answer: ProviderAnswer): boolean;
  /** Documented shape of a 2xx answer. Any other shape is a `bad_payload`. */
  response: Schema<Body>;
  /** Results of an answer, best first. */
  results(body: Body, query: SearchQuery): readonly RawHit[];
}

/** 2 MiB: several times the largest answer to a documented request. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_RETRY_WAIT_MS = 1000;

/** A provider that sends one HTTP request for each search. */
export function httpProvider<Body>(
  protocol: ProviderProtocol<Body>,
  http: HttpOptions,
  traits: Pick<SearchProvider, 'narrows' | 'askOnce' | 'notice'>,
): SearchProvider {
  return {
    name: protocol.name,
    ...traits,
    search: (query, context) => askProvider(protocol, http, query, context),
  };
}

/**
 * Sends a search. Repeats it after a failed connection, a 5xx, or a rate limit of at most a second.
 *
 * @throws SearchProviderError; the context's reason when it is aborted
 */
export async function askProvider<Body>(
  protocol: ProviderProtocol<Body>,
  http: HttpOptions,
  query: SearchQuery,
  context: ToolContext,
): Promise<SearchProviderResult> {
  const outcome = await withRetry(
    () =>
      askOnce(protocol, http, query, context).catch((error: unknown) => {
        // The retry layer repeats what looks transient. An error that a repetition cannot fix goes past it.
        if (isWorthRepeating(error)) throw error;
        return { error };
      }),
    context,
    { attempts: http.retries + 1, baseMs: 150, capMs: MAX_RETRY_WAIT_MS },
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

async function askOnce<Body>(
  protocol: ProviderProtocol<Body>,
  http: HttpOptions,
  query: SearchQuery,
  context: ToolContext,
): Promise<SearchProviderResult> {
  const answer = await send(protocol, http, protocol.request(query), context);
  if (protocol.foundNothing?.(answer)) return { hits: [] };
  const failure = protocol.failure?.(answer) ?? failureOfStatus(answer);
  if (failure) throw errorOf(protocol, failure, answer);
  const body = valid(protocol.response, answer.json);
  const hits = body === undefined ? undefined : hitsOf(protocol.results(body, query), query.count);
  if (hits) return { hits };
  const shape =
    answer.json === undefined ? 'something that is not JSON' : 'JSON of another shape than documented';
  throw new SearchProviderError(protocol.name, 'bad_payload', `${protocol.label} answered with ${shape}.`, {
    fault: { status: answer.status, code: 'bad_payload' },
  });
}

async function send(
  protocol: Pick<ProviderProtocol<unknown>, 'name' | 'label' | 'secret'>,
  http: HttpOptions,
  request: ProviderRequest,
  context: ToolContext,
): Promise<ProviderAnswer> {
  const url = new URL(http.baseUrl + request.path);
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
        timeoutMs: http.timeoutMs,
        maxBytes: MAX_BYTES,
        fetch: http.fetch,
      },
      context,
    );
    return { ...response, json: jsonOf(response.body) };
  } catch (error) {
    // When the caller has left or the request is out of time, the provider has not failed.
    if (context.signal.aborted || !ToolsError.isInstance(error)) throw error;
    const { status, code } = error.upstream ?? {};
    throw new SearchProviderError(protocol.name, kindOf(error), redact(protocol, error.message), {
      cause: withoutSecret(protocol, error.cause),
      fault: status === undefined && code === undefined ? undefined : { status, code },
    });
  }
}

function kindOf(error: ToolsError): SearchFailureKind {
  if (error instanceof UpstreamTimeoutError) return 'timeout';
  return error instanceof UpstreamInvalidError ? 'bad_payload' : 'unavailable';
}

function jsonOf(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** The meaning of each failure and the advice for the host. Follows the provider's name. */
const ADVICE: Record<SearchFailureKind, string> = {
  auth: 'refuses the API key. Check that it is complete, active and allowed to search.',
  quota: 'has no credit left for this key. Top up the plan or raise its limit.',
  rate_limited: 'gets too many requests for this key. Send fewer or raise the plan.',
  bad_request: 'refuses the request.',
  timeout: 'did not answer in time.',
  unavailable: 'has an error on its side.',
  bad_payload: 'sent an unreadable answer.',
};

/** The failure that a status means in HTTP; undefined for 2xx. */
export function failureOfStatus(answer: ProviderAnswer): ProviderFailure | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const retryAfterSeconds = retryAfter(answer);
  if (status < 400)
    return { kind: 'bad_request', advice: 'answers with a redirect. Set its final address in the options.' };
  if (status === 401 || status === 403) return { kind: 'auth' };
  if (status === 402) return { kind: 'quota' };
  if (status === 404)
    return { kind: 'bad_request', advice: 'has nothing at this address. Check the address in the options.' };
  if (status === 408 || status === 504) return { kind: 'timeout' };
  if (status === 429) return { kind: 'rate_limited', retryAfterSeconds };
  if (status < 500) return { kind: 'bad_request' };
  return { kind: 'unavailable', retryAfterSeconds };
}

/** `Retry-After` in seconds; undefined when the provider does not send it. */
export function retryAfter(answer: ProviderAnswer): number | undefined {
  const ms = retryAfterMs(answer.headers);
  return ms === undefined ? undefined : ms / 1000;
}

/** Where providers put the text of an error, most specific first. */
const REASON_PATHS = [
  ['error', 'message'],
  ['error', 'detail'],
  ['error', 'error'],
  ['detail', 'message'],
  ['detail', 'detail'],
  ['detail', 'error'],
  ['message'],
  ['readableMessage'],
  ['error'],
  ['detail'],
] as const;

/** The provider's own words in an error body; an empty string when there are none. */
export function reasonOf(json: unknown): string {
  return oneLine(REASON_PATHS.map((path) => stringAt(json, ...path)).find(Boolean) ?? '');
}

function errorOf(
  protocol: Pick<ProviderProtocol<unknown>, 'name' | 'label' | 'secret'>,
  failure: ProviderFailure,
  answer: ProviderAnswer,
): SearchProviderError {
  const reason = failure.kind === 'bad_request' ? reasonOf(answer.json).slice(0, 160) : '';
  const words = reason === '' ? '' : ` It says: ${reason}`;
  const message = `${protocol.label} ${failure.advice ?? ADVICE[failure.kind]}${words} (HTTP ${answer.status})`;
  const ok = answer.status >= 200 && answer.status < 300;
  return new SearchProviderError(protocol.name, failure.kind, redact(protocol, message), {
    retryAfterSeconds: failure.retryAfterSeconds,
    fault: { status: answer.status, ...(ok ? { code: failure.kind } : {}) },
  });
}

/** Removes the key. Providers repeat keys in error texts, and the text of a failed `fetch` can contain the address. */
function redact({ secret }: { secret?: string }, message: string): string {
  // Replacing a shorter one would garble ordinary words; real keys are longer.
  if (secret === undefined || secret.length < 6) return message;
  const inAddress = new URLSearchParams({ k: secret }).toString().slice(2);
  return [secret, inAddress].reduce((clean, form) => clean.split(form).join('(key)'), message);
}

function withoutSecret(protocol: { secret?: string }, cause: unknown): unknown {
  const shown = inspect(cause, { depth: 4 });
  return redact(protocol, shown) === shown ? cause : new Error(redact(protocol, String(cause)));
}
