import { InvalidOptionError } from '../../core/errors.js';
import {
  check,
  func,
  integer,
  map,
  optional,
  options as optionsOf,
  parseOption,
  secret,
  string,
  withDefault,
  type Fields,
  type Schema,
} from '../../core/schema.js';
import type { Fetch } from '../../core/upstream/request.js';

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

/** {@link ProviderOptions}, checked and with defaults. */
export interface HttpOptions {
  baseUrl: string;
  fetch: Fetch | undefined;
  timeoutMs: number;
  retries: number;
}

/** Schemas of the options that a provider has in addition to {@link ProviderOptions}. */
type OwnFields<Own> = { readonly [Name in keyof Own]: Schema<Own[Name]> };

const HTTP: Fields<Omit<HttpOptions, 'baseUrl'>> = {
  fetch: optional(func<Fetch>()),
  timeoutMs: withDefault(integer(1, 120_000), 5000),
  retries: withDefault(integer(0, 2), 1),
};

/**
 * Checks the options of a provider and fills in the defaults.
 *
 * @param provider name in messages, e.g. `brave`
 * @param given what the host passed
 * @param root default of `baseUrl`; undefined for a provider that has no `baseUrl` but an address option of its own
 * @param own schemas of the provider's own options
 * @returns the provider's own options, and those of every provider as `http`
 * @throws InvalidOptionError naming the option, what was expected and what came
 */
export function providerOptions<Own extends object>(
  provider: string,
  given: object | undefined,
  root: string | undefined,
  own: OwnFields<Own>,
): Own & { http: HttpOptions } {
  const address = root === undefined ? {} : { baseUrl: withDefault(httpUrl(), root) };
  const fields = { ...own, ...address, ...HTTP } as unknown as Fields<Own & HttpOptions>;
  const parsed = parseOption(provider, optionsOf<Own & HttpOptions>(fields), given ?? {});
  const { baseUrl = '', fetch, timeoutMs, retries, ...others } = parsed;
  return { ...(others as unknown as Own), http: { baseUrl, fetch, timeoutMs, retries } };
}

/** A key that can be sent in a header. A message never shows it: a mistyped key is still a key. */
export function apiKey(label: string, variable: string): Schema<string> {
  const expected = `the API key of ${label} in visible ASCII (environment variable ${variable})`;
  return secret(map(string({ pattern: /^\s*[\x21-\x7e]+\s*$/, expected }), (key) => key.trim()));
}

/**
 * A key that may be left out, for a provider that also answers without one. `apiKey: undefined` is refused when the name is
 * there: an unset environment variable must not turn into keyless access unnoticed.
 *
 * @throws InvalidOptionError
 */
export function optionalKey(
  provider: string,
  given: object | undefined,
  label: string,
  variable: string,
): Schema<string | undefined> {
  const key = apiKey(label, variable);
  if (given && 'apiKey' in given && given.apiKey === undefined)
    throw new InvalidOptionError(
      `${provider}.apiKey`,
      `${key.expected}, or left out for access without a key`,
      undefined,
    );
  return optional(key);
}

/** Text with at least one visible character. */
export const words = optional(string({ min: 1 }));

/** A country as two letters. */
export const countryCode = optional(
  string({ pattern: /^[a-z]{2}$/i, expected: 'a country as two letters, e.g. US' }),
);

/** An http(s) address without credentials and query; a slash at the end is removed. A message never shows what came. */
export function httpUrl(
  expected = 'an http or https address without user name, password and query',
): Schema<string> {
  const read = (value: unknown): string | undefined => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    const plain =
      /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
    return plain ? url.href.replace(/\/+$/, '') : undefined;
  };
  return secret(
    map(
      check<string>(expected, (value) => read(value) !== undefined),
      (value) => read(value)!,
    ),
  );
}

/** Identifies this package, and the host's contact when there is one, to services that ask for it. */
export function userAgent(contact: string | undefined): string {
  return `nestjs-tools/0.1 (${contact ?? 'no contact configured'}) Node.js/${process.versions.node}`;
}

/** A contact that fits into the brackets of a `User-Agent`. */
export const contactAddress: Schema<string | undefined> = optional(
  string({ pattern: /^[\x21-\x27\x2a-\x7e]{3,200}$/, expected: 'an e-mail address or a web address' }),
);
