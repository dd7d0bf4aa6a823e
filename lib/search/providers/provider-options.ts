import { requireInteger, requireKnownKeys } from '../../core/check-options.js';
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
 * Looks at one option, and gives it as it is to be used.
 * @param option for messages, e.g. `brave.country`
 * @param value undefined where it is left out
 * @throws InvalidOptionError
 */
export type OptionCheck<T, Checked = T | undefined> = (option: string, value: T | undefined) => Checked;

/** A check for each option that a provider has besides {@link ProviderOptions}. */
type ChecksFor<Options> = {
  readonly [Name in Exclude<keyof Options, keyof ProviderOptions>]-?: OptionCheck<
    NonNullable<Options[Name]>,
    unknown
  >;
};

/** What the checks give. */
type Checked<Checks> = {
  [Name in keyof Checks]: Checks[Name] extends OptionCheck<never, infer Value> ? Value : never;
};

/**
 * The options of one provider, each looked at once: their names, those of every provider (`http`), and its own.
 *
 * @param provider for messages, e.g. `brave`
 * @param root where the provider's API is unless `baseUrl` says otherwise, or the name of the option that says it in its place
 * @throws InvalidOptionError
 */
export function providerOptions<Options extends ProviderOptions, Checks extends ChecksFor<Options>>(
  provider: string,
  options: Options | undefined,
  root: string | { option: string },
  checks: Checks,
): Checked<Checks> & { http: ResolvedOptions } {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const baseUrlOption = typeof root === 'string' ? 'baseUrl' : root.option;
  const own = Object.entries<OptionCheck<never, unknown>>(checks);
  const names = [...own.map(([name]) => name), baseUrlOption, 'fetch', 'timeoutMs', 'retries'];
  requireKnownKeys(provider, given, [...new Set(names)]);
  const checked = own.map(([name, check]) => [name, check(`${provider}.${name}`, given[name] as never)]);
  const baseUrl = given[baseUrlOption] as string | undefined;
  const http = resolveOptions(
    provider,
    { ...given, baseUrl },
    typeof root === 'string' ? root : '',
    baseUrlOption,
  );
  return { ...(Object.fromEntries(checked) as Checked<Checks>), http };
}

/**
 * What every provider takes, with defaults.
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
    timeoutMs: requireInteger(`${provider}.timeoutMs`, timeoutMs, 1, 120_000),
    retries: requireInteger(`${provider}.retries`, retries, 0, 2),
  };
}

/**
 * A key that can be sent in a header. What came is never shown: a mistyped key is still a key.
 * @param variable the environment variable that customarily holds it
 */
export function key(variable: string): OptionCheck<string, string> {
  return (option, value: unknown) => {
    const expected = `the API key of ${option.split('.')[0]}, customarily kept in the environment variable ${variable}`;
    if (typeof value !== 'string')
      throw new InvalidOptionError(
        option,
        expected,
        value === undefined ? undefined : InvalidOptionError.WITHHELD,
      );
    const trimmed = value.trim();
    if (trimmed === '') throw new InvalidOptionError(option, expected, '');
    if (!/^[\x21-\x7e]+$/.test(trimmed))
      throw new InvalidOptionError(option, `${expected}, in visible ASCII`, InvalidOptionError.WITHHELD);
    return trimmed;
  };
}

/** A {@link key} that may be left out. */
export function optionalKey(variable: string): OptionCheck<string> {
  return (option, value) => (value === undefined ? undefined : key(variable)(option, value));
}

export function wholeNumber(least: number, most: number): OptionCheck<number> {
  return (option, value) => (value === undefined ? undefined : requireInteger(option, value, least, most));
}

export const text: OptionCheck<string> = (option, value) => {
  if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
    throw new InvalidOptionError(option, 'a text that is not empty', value);
  return value;
};

export const texts: OptionCheck<readonly string[]> = (option, value) => {
  if (value !== undefined && !(Array.isArray(value) && value.every((item) => typeof item === 'string')))
    throw new InvalidOptionError(option, 'an array of texts', value);
  return value;
};

export const flag: OptionCheck<boolean> = (option, value) => {
  if (value !== undefined && typeof value !== 'boolean')
    throw new InvalidOptionError(option, 'true or false', value);
  return value;
};

export function oneOf<T extends string | number>(...allowed: readonly T[]): OptionCheck<T> {
  return (option, value) => {
    if (value !== undefined && !allowed.includes(value))
      throw new InvalidOptionError(option, `one of ${allowed.join(', ')}`, value);
    return value;
  };
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
