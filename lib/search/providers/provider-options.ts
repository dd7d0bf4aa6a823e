import { InvalidOptionError } from '../../core/errors/index.js';
import type { Fetch } from '../../core/upstream/index.js';

/** What every provider takes. */
export interface ProviderOptions {
  /** Root of the provider's API, for a gateway or a test server; the default is the provider's own. */
  baseUrl?: string;
  /** Sends the requests, e.g. through a proxy; default: the global `fetch`. */
  fetch?: Fetch;
  /** For one attempt, ms, 1 to 120,000; default 5,000. The request's own deadline also counts. */
  timeoutMs?: number;
  /** How often a failed connection, a 5xx or a rate limit of at most a second is tried again, 0 to 2; default 1. */
  retries?: number;
}

/** What a provider that needs a key takes. */
export interface KeyedProviderOptions extends ProviderOptions {
  /** The provider's API key. It goes into requests and nowhere else: no message, no log. */
  apiKey: string;
}

/** `ProviderOptions` with defaults, checked. */
export interface ResolvedOptions {
  baseUrl: string;
  fetch: Fetch | undefined;
  timeoutMs: number;
  retries: number;
}

/**
 * @param provider for messages, e.g. `brave`
 * @throws InvalidOptionError
 */
export function resolveOptions(
  provider: string,
  options: ProviderOptions,
  defaultBaseUrl: string,
  baseUrlOption = 'baseUrl',
): ResolvedOptions {
  const { timeoutMs = 5000, retries = 1 } = options;
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new InvalidOptionError(`${provider}.fetch`, 'a function', options.fetch);
  return {
    baseUrl: httpUrl(`${provider}.${baseUrlOption}`, options.baseUrl ?? defaultBaseUrl),
    fetch: options.fetch,
    timeoutMs: wholeNumber(`${provider}.timeoutMs`, timeoutMs, 1, 120_000),
    retries: wholeNumber(`${provider}.retries`, retries, 0, 2),
  };
}

/**
 * A key that can be sent in a header. What came is never shown: a mistyped key is still a key.
 *
 * @param variable the environment variable that customarily holds it
 * @throws InvalidOptionError
 */
export function requireKey(provider: string, apiKey: unknown, variable: string): string {
  const expected = `the API key of ${provider}, customarily kept in the environment variable ${variable}`;
  if (typeof apiKey !== 'string')
    throw new InvalidOptionError(
      `${provider}.apiKey`,
      expected,
      apiKey === undefined ? undefined : InvalidOptionError.WITHHELD,
    );
  const key = apiKey.trim();
  if (key === '') throw new InvalidOptionError(`${provider}.apiKey`, expected, '');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new InvalidOptionError(`${provider}.apiKey`, `${expected}, in visible ASCII`, '(hidden)');
  return key;
}

/** An option that may be left out. @throws InvalidOptionError */
export function wholeNumber<T extends number | undefined>(
  option: string,
  value: T,
  min: number,
  max: number,
): T {
  if (value !== undefined && !(Number.isInteger(value) && value >= min && value <= max))
    throw new InvalidOptionError(option, `a whole number from ${min} to ${max}`, value);
  return value;
}

/** An option that may be left out. @throws InvalidOptionError */
export function text(option: string, value: string | undefined): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
    throw new InvalidOptionError(option, 'a text that is not empty', value);
  return value;
}

/** An option that may be left out. @throws InvalidOptionError */
export function flag(option: string, value: boolean | undefined): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean')
    throw new InvalidOptionError(option, 'true or false', value);
  return value;
}

/** An option that may be left out. @throws InvalidOptionError */
export function oneOf<T extends string | number | boolean>(
  option: string,
  value: T | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value !== undefined && !allowed.includes(value))
    throw new InvalidOptionError(option, `one of ${allowed.join(', ')}`, value);
  return value;
}

/** An http(s) address without a trailing slash. @throws InvalidOptionError */
function httpUrl(option: string, value: unknown): string {
  const expected = 'an http or https address without user name or password';
  try {
    const url = new URL(String(value));
    if (
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === ''
    )
      return url.href.replace(/\/+$/, '');
  } catch {
    // Not an address at all: the same complaint.
  }
  throw new InvalidOptionError(
    option,
    expected,
    typeof value === 'string' ? value.replace(/\/\/[^@/]*@/, '//') : value,
  );
}
