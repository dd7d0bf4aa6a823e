import { inspect } from 'node:util';
import { parseUrl } from '../../core/url.js';
import { at, numberAt } from '../../core/json.js';
import {
  InvalidOptionError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
} from '../../core/errors.js';
import {
  anything,
  check,
  func,
  integer,
  map,
  optional,
  options,
  parseOption,
  secret,
  string,
  valid,
  validJson,
  withDefault,
  type Fields,
  type Schema,
} from '../../core/schema.js';
import type { ToolContext } from '../../core/context.js';
import { VERSION } from '../../core/version.js';
import { requestUpstream, type Fetch, type UpstreamResponse } from '../../core/upstream/request.js';
import { retryAfterSeconds, upstreamTime, withRetry } from '../../core/upstream/retry.js';
import { oneLine } from '../../text/plain-text.js';
import type {
  SearchHit,
  SearchFilter,
  SearchProvider,
  SearchProviderResult,
  SearchQuery,
} from '../search-provider.js';
import { hitsOf } from './search-hits.js';
import { SearchProviderError, type SearchFailureKind } from './search-provider.error.js';

/** Options of every provider. */
export interface ProviderOptions {
  /** Root of the provider's API, for a gateway or a test server. Default: the provider's own address. */
  baseUrl?: string;
  /** Sends the requests, e.g. through a proxy. Default: the global `fetch`. */
  fetch?: Fetch;
  /** Time for one attempt, ms, 1 to 120,000. Default 5,000. The deadline of the request counts as well. */
  timeoutMs?: number;
  /** How often a failed connection, a 5xx, or a rate limit of at most a second is tried again, 0 to 2. Default 1. */
  retries?: number;
}

/** Options of a provider that needs a key. */
export interface KeyedProviderOptions extends ProviderOptions {
  /** The provider's API key. It appears in requests only, never in a message or a log. */
  apiKey: string;
}

/** `baseUrl` is absent for a provider with an address option of its own, which gives each request its root. */
type HttpSettings = Required<Omit<ProviderOptions, 'fetch'>> & { apiKey?: string; fetch: Fetch | undefined };

/** An answer of a provider's API, with any status. */
export interface ProviderAnswer extends UpstreamResponse {
  json: unknown;
}

/** How an answer fails, or that it says that nothing was found. */
export interface ProviderFailure {
  kind: SearchFailureKind | 'nothing_found';
  /** The failure and the advice for the host, one or two sentences that follow the provider's name. Default: {@link ADVICE}. */
  advice?: string;
}

interface FailureRule extends ProviderFailure {
  /** Default: every status but 2xx. */
  status?: number;
  /** Words or signs of the body. Default: any body. */
  says?: RegExp;
}

interface ProviderRequest {
  /** Root of the API for this request. Default: the option `baseUrl`. */
  root?: string;
  path: string;
  /** Query parameters; undefined ones are left out, and lists are separated by commas. */
  params?: Record<string, string | number | boolean | readonly string[] | undefined>;
  headers?: Record<string, string>;
  /** Body of a POST, sent as JSON; undefined fields are left out. Without a body the request is a GET. */
  json?: object;
}

/** A provider that sends one HTTP request for each search: its options, its requests, and how its answers are read. */
export interface HttpProvider<Own, Body> {
  /** Appears in results and logs, e.g. `brave`. */
  name: string;
  /** Name for people, e.g. `Brave Search`. Messages begin with it. */
  label: string;
  /** Default of the option `baseUrl`. Without it there is no such option. */
  root?: string;
  key?: {
    /** Environment variable that usually holds it, for messages. */
    variable: string;
    /** True: the provider also answers without a key. */
    isOptional?: boolean;
    /** What one gets without a key, e.g. `100 searches a day`: for the log at start, and for the message when it is used up. */
    keyless?: string;
    /** Header that carries the key. Default: `authorization`, as a bearer token. */
    header?: string;
    /** Query parameter that carries the key instead of a header. */
    param?: string;
  };
  fields: { readonly [Name in keyof Own]: Schema<Own[Name]> };
  filters: readonly SearchFilter[];
  request(query: SearchQuery, options: Own & HttpSettings): ProviderRequest;
  /** Failures that their status does not tell, the most specific first. */
  failures?: readonly FailureRule[];
  /** How an answer fails that no rule knows; undefined when the status decides. */
  failure?(answer: ProviderAnswer): ProviderFailure | undefined;
  /** Documented shape of a 2xx answer. Any other shape is a `bad_payload`. */
  response: Schema<Body>;
  /** Results of an answer, best first; their texts as the provider sends them. */
  results(body: Body, query: SearchQuery): readonly SearchHit[];
  /** What the provider says that it could not do, although it found these results. Default: nothing. */
  warnings?(json: unknown): readonly string[];
  /** A secret among the options, besides the key. It never appears in a message or a cause. */
  secret?(options: Own): string | undefined;
}

/** 2 MiB: several times the largest answer to a documented request. A plain bound. */
const MAX_BYTES = 2 * 1024 * 1024;
/** A search lasts seconds: a longer wait is for the next provider; a plain bound. */
const MAX_RETRY_WAIT_MS = 1000;
/** A plain bound. */
const MAX_WARNINGS = 5;

const HTTP: Fields<Omit<HttpSettings, 'baseUrl' | 'apiKey'>> = {
  fetch: optional(func<Fetch>()),
  timeoutMs: withDefault(integer(1, 120_000), 5000),
  retries: withDefault(integer(0, 2), 1),
};

/**
 * Makes a provider from its definition. It repeats a search after a failed connection, a 5xx, or a rate limit of at most a second.
 *
 * @throws InvalidOptionError naming the option, what was expected and what came; `search` throws SearchProviderError, and the
 *   context's reason when it is aborted
 */
export function httpProvider<Own extends object, Body>(
  hostOptions: object | undefined,
  definition: HttpProvider<Own, Body>,
): SearchProvider {
  const { name, label, key, filters } = definition;
  const settings = settingsOf(hostOptions, definition);
  const { apiKey, fetch, timeoutMs, retries } = settings;
  const redact = redactor(apiKey ?? definition.secret?.(settings));
  const withoutKey = apiKey === undefined ? key?.keyless : undefined;
  const setKey = `Set \`apiKey\` (${key?.variable})`;
  const notice = withoutKey && `${label} without a key: ${withoutKey}. ${setKey} for more.`;

  async function send(query: SearchQuery, context: ToolContext): Promise<ProviderAnswer> {
    const { root = settings.baseUrl, path, params, headers, json } = definition.request(query, settings);
    const url = new URL(root + path);
    const all = key?.param ? { ...params, [key.param]: apiKey } : { ...params };
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) url.searchParams.set(name, String(value));
    try {
      const response = await requestUpstream(
        {
          upstream: label,
          url: url.href,
          method: json ? 'POST' : 'GET',
          headers: {
            accept: 'application/json',
            ...(json ? { 'content-type': 'application/json' } : {}),
            ...(key && !key.param && apiKey !== undefined
              ? { [key.header ?? 'authorization']: key.header ? apiKey : `Bearer ${apiKey}` }
              : {}),
            ...headers,
          },
          body: json && JSON.stringify(json),
          timeoutMs,
          maxBytes: MAX_BYTES,
          fetch,
        },
        context,
      );
      return { ...response, json: validJson(anything(), response.body) };
    } catch (error) {
      // When the caller has left or the request is out of time, the provider has not failed.
      if (context.signal.aborted || !ToolsError.isInstance(error)) throw error;
      const { status, code } = error.upstream ?? {};
      throw new SearchProviderError(name, kindOf(error), redact(error.message), {
        cause: withoutSecret(error.cause, redact),
        fault: status === undefined && code === undefined ? undefined : { status, code },
      });
    }
  }

  async function search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> {
    const answer = await send(query, context);
    const rule = definition.failures?.find(
      ({ status, says }) =>
        (status === undefined ? !isSuccess(answer.status) : status === answer.status) &&
        (says?.test(answer.body) ?? true),
    );
    const failure = rule ?? definition.failure?.(answer) ?? failureOfStatus(answer);
    if (failure?.kind === 'nothing_found') return { hits: [] };
    if (failure) throw errorOf(failure.kind, failure.advice, answer);
    const body = valid(definition.response, answer.json);
    const hits = body && hitsOf(definition.results(body, query), query.count);
    if (hits) return { hits, ...warningsOf(answer.json) };
    const shape =
      answer.json === undefined ? 'something that is not JSON' : 'JSON of another shape than documented';
    throw new SearchProviderError(name, 'bad_payload', `${label} answered with ${shape}.`, {
      fault: { status: answer.status, code: 'bad_payload' },
    });
  }

  function warningsOf(json: unknown): Pick<SearchProviderResult, 'warnings'> {
    const said = definition.warnings?.(json).slice(0, MAX_WARNINGS) ?? [];
    const message = (words: string): string => redact(`${label} says: ${oneLine(words).slice(0, 300)}`);
    const warnings = said.map((words) => ({ code: 'provider_warning', message: message(words) }));
    return warnings.length > 0 ? { warnings } : {};
  }

  function errorOf(
    meant: SearchFailureKind,
    value: string | undefined,
    answer: ProviderAnswer,
  ): SearchProviderError {
    const { status } = answer;
    const wait = waitSeconds(answer);
    const isUsedUp = wait === undefined ? withoutKey !== undefined : wait > HOUR_SECONDS;
    const kind = meant === 'rate_limited' && isUsedUp ? 'quota' : meant;
    const advice = value ?? (withoutKey && adviceWithoutKey(kind, withoutKey, setKey)) ?? ADVICE[kind];
    const reason = reasonOf(answer.json).slice(0, 160);
    const words = reason === '' ? '' : ` It says: ${reason}`;
    const waits = kind === 'rate_limited' || kind === 'unavailable';
    return new SearchProviderError(name, kind, redact(`${label} ${advice}${words} (HTTP ${status})`), {
      retryAfterSeconds: waits ? wait : undefined,
      fault: { status, ...(isSuccess(status) ? { code: kind } : {}) },
    });
  }

  return {
    name,
    filters,
    ...(notice === undefined ? {} : { notice }),
    search: (query, context) =>
      withRetry(() => search(query, context), context, {
        attempts: retries + 1,
        baseMs: 150,
        longestMs: MAX_RETRY_WAIT_MS,
        when: isWorthRepeating,
      }),
  };
}

function isWorthRepeating(error: ToolsError): boolean {
  if (!(error instanceof SearchProviderError)) return false;
  return (
    error.kind === 'unavailable' || (error.kind === 'rate_limited' && error.retryAfterSeconds !== undefined)
  );
}

function kindOf(error: ToolsError): SearchFailureKind {
  if (error instanceof UpstreamTimeoutError) return 'timeout';
  return error instanceof UpstreamInvalidError ? 'bad_payload' : 'unavailable';
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

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function adviceWithoutKey(kind: SearchFailureKind, allowance: string, setKey: string): string | undefined {
  if (kind === 'auth') return `does not answer this server without a key. ${setKey}.`;
  if (kind === 'quota') return `has used up what it gives without a key (${allowance}). ${setKey}.`;
  return kind === 'rate_limited' ? `gets too many searches without a key. Send fewer. ${setKey}.` : undefined;
}

/** Other statuses from 400 on are a refused request, from 500 on an outage. 432 and 433 are Tavily's limits of the plan and of pay-as-you-go. */
const KINDS: Readonly<Record<number, SearchFailureKind>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  408: 'timeout',
  429: 'rate_limited',
  432: 'quota',
  433: 'quota',
  504: 'timeout',
};

function failureOfStatus({ status }: ProviderAnswer): ProviderFailure | undefined {
  if (isSuccess(status)) return undefined;
  if (status < 400)
    return { kind: 'bad_request', advice: 'answers with a redirect. Set its final address in the options.' };
  if (status === 404)
    return { kind: 'bad_request', advice: 'has nothing at this address. Check the address in the options.' };
  return { kind: KINDS[status] ?? (status < 500 ? 'bad_request' : 'unavailable') };
}

/** A longer wait is no rate limit but a used-up allowance, seconds; set by hand. */
const HOUR_SECONDS = 3600;
/** Where providers put the seconds to wait, next to `Retry-After`. */
const WAIT_PATHS = [['retryAfter'], ['retry_after_seconds'], ['error', 'retry_after_seconds']] as const;

/**
 * How long a provider asks to wait, seconds: `Retry-After`, a field of the body, or the reset of a limit that is used up. Brave counts in two
 * windows (`X-RateLimit-Remaining: 0, 14523` with `X-RateLimit-Reset: 1, 1419704`); You.com's reset is a Unix time.
 */
function waitSeconds({ headers, json }: ProviderAnswer): number | undefined {
  const numbers = (name: string): number[] => headers.get(name)?.split(',').map(Number) ?? [];
  const remaining = numbers('x-ratelimit-remaining');
  const resets = numbers('x-ratelimit-reset')
    .filter((reset, window) => reset >= 0 && !(remaining[window]! > 0))
    .map((reset) => (reset > UNIX_TIME ? Math.ceil(reset - upstreamTime(headers) / 1000) : reset));
  const named = WAIT_PATHS.map((path) => numberAt(json, ...path)).find((seconds) => seconds !== undefined);
  return retryAfterSeconds(headers) ?? named ?? (resets.length > 0 ? Math.max(0, ...resets) : undefined);
}
/** Larger numbers of seconds are a time and no duration. */
const UNIX_TIME = 1e9;

/** Where providers put the text of an error, in each other or alone. */
const REASONS = ['message', 'error', 'detail', 'info', 'msg', 0];

/** The provider's own words in an error body; an empty string when there are none. */
function reasonOf(json: unknown): string {
  if (typeof json !== 'object' || json === null) return typeof json === 'string' ? oneLine(json) : '';
  return REASONS.reduce<string>((found, name) => found || reasonOf(at(json, name)), '');
}

/** Removes a secret from messages. Providers repeat keys in error texts, and the text of a failed `fetch` can contain the address. */
function redactor(secret: string | undefined): (message: string) => string {
  // Replacing a shorter one, or Marginalia's key `public`, would garble ordinary words; real keys are longer.
  if (secret === undefined || secret.length < 6 || secret === 'public') return (message) => message;
  const inAddress = new URLSearchParams({ k: secret }).toString().slice(2);
  return (message) => message.replaceAll(secret, '(key)').replaceAll(inAddress, '(key)');
}

function withoutSecret(cause: unknown, redact: (message: string) => string): unknown {
  const shown = inspect(cause, { depth: 4 });
  return redact(shown) === shown ? cause : new Error(redact(String(cause)));
}

function settingsOf<Own extends object, Body>(
  settings: object | undefined,
  { name, label, root, key, fields }: HttpProvider<Own, Body>,
): Own & HttpSettings {
  // The name of the function, `braveLlmContext`.
  const option = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const all = {
    ...(key ? { apiKey: keySchema(key, label, option, settings) } : {}),
    ...fields,
    ...(root === undefined ? {} : { baseUrl: withDefault(httpUrl(), root) }),
    ...HTTP,
  };
  return parseOption(option, options(all as unknown as Fields<Own & HttpSettings>), settings ?? {});
}

/**
 * A key that can be sent in a header. A message never shows it: a mistyped key is still a key. `apiKey: undefined` is refused even where
 * the key is optional: an unset environment variable must not turn into keyless access unnoticed.
 */
function keySchema(
  { variable, isOptional = false }: NonNullable<HttpProvider<unknown, unknown>['key']>,
  label: string,
  option: string,
  settings: object | undefined,
): Schema<string | undefined> {
  const expected = `the API key of ${label} in visible ASCII (environment variable ${variable})`;
  if (isOptional && settings && 'apiKey' in settings && settings.apiKey === undefined)
    throw new InvalidOptionError(
      `${option}.apiKey`,
      `${expected}, or left out for access without a key`,
      undefined,
    );
  const schema = map(string({ pattern: /^\s*[\x21-\x7e]+\s*$/, expected }), (key) => key.trim());
  return secret(isOptional ? optional(schema) : schema);
}

export const optionalText = optional(string({ min: 1 }));

export const countryCode = optional(
  string({ pattern: /^[a-z]{2}$/i, expected: 'a country as two letters, e.g. US' }),
);

/** An http(s) address without credentials and query; a slash at the end is removed. A message never shows what came. */
export function httpUrl(
  expected = 'an http or https address without user name, password and query',
): Schema<string> {
  const isPlain = (value: unknown): boolean => {
    const url = typeof value === 'string' ? parseUrl(value) : undefined;
    return url !== undefined && /^https?:\/\/[^/?#@]*(?:\/[^?#]*)?$/.test(url.href);
  };
  const address = check<string>(expected, isPlain);
  return secret(map(address, (value) => new URL(value).href.replace(/\/{1,20}$/, '')));
}

/** Identifies this package, and the host's contact when there is one, to services that ask for it. */
export function userAgent(contact: string | undefined): string {
  return `nestjs-tools/${VERSION} (${contact ?? 'no contact configured'}) Node.js/${process.versions.node}`;
}

/** A contact that fits into the brackets of a `User-Agent`. */
export const contactAddress: Schema<string | undefined> = optional(
  string({ pattern: /^[\x21-\x27\x2a-\x7e]{3,200}$/, expected: 'an e-mail address or a web address' }),
);
