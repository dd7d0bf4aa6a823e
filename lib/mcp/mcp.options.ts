import {
  array,
  boolean,
  func,
  integer,
  map,
  optional,
  options,
  parseOption,
  refine,
  string,
  union,
  withDefault,
  type Infer,
} from '../core/schema.js';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import type { GuardedRequest } from '../auth/api-key.guard.js';
import type { MaybePromise } from '../core/async.js';
import { parseUrl } from '../core/url.js';
import { TOOL_NAMES } from '../core/request-event.js';
import { DEFAULT_MAX_TEXT_TOKENS } from '../agents/tool-arguments.js';

/**
 * Sign-in by OAuth: the endpoint is a resource server, and an identity provider of the host issues the tokens (MCP specification
 * 2026-07-28, RFC 9728).
 */
export interface McpAuthorization {
  /** The identity provider, as its metadata and the claim `iss` spell it; several where tokens of each are accepted. */
  issuer: string | readonly string[];
  /**
   * The public address of the MCP endpoint, e.g. `https://api.example.com/v1/tools/mcp`. Default: the header `Host` of the request. Set it
   * behind a proxy. Set this or `audience`: a request may name any host, so without both a token is accepted on loopback addresses only.
   */
  resource?: string;
  /** Accepted values of the claim `aud`. Default: `resource`. */
  audience?: string | readonly string[];
  /**
   * Scopes that a token needs. `tools:<name>` allows one tool; any other is needed for every call; an empty list needs none. Default:
   * `tools:<name>` for each tool of the endpoint.
   */
  scopes?: readonly string[];
  /** Where the issuer publishes its keys. Default: by its metadata. With several issuers the keys of all stand there. */
  jwksUri?: string;
  /** Hosts of the issuer that may have a private address, e.g. `keycloak.internal` or `127.0.0.1:8080`. Default none. */
  allowHosts?: readonly string[];
  /**
   * Verifies a token in place of the default, which reads JWTs (RS256, PS256, ES256, EdDSA) and needs the package `jose`. Returns whose it
   * is and which `tools` it allows; undefined for a token that is not valid. Has 5 s; then the answer is 503. It is not asked about known API keys.
   */
  verify?: (token: string, request: GuardedRequest) => MaybePromise<ApiKeyIdentity | undefined>;
  /** Shown when a user consents. Default `Tools for video and web`. */
  resourceName?: string;
}

/** How the tools are served over the Model Context Protocol. */
export interface McpOptions {
  /** Path below that of the tools. Default `mcp`. */
  path?: string;
  /**
   * Web origins that may call from a browser, e.g. `https://app.example.com`, in addition to those of this machine, and the server's own for callers that a guard of this package has identified. A browser also
   * needs the host's CORS. Clients without `Origin` may always call. Default: none.
   */
  allowedOrigins?: readonly string[];
  /** A text that clients get when they connect; some put it into the model's prompt. Default: none. */
  instructions?: string;
  /**
   * After this time a call is answered with "still working, call again with the same arguments", and the work goes on; ms, 100..600,000.
   * Default 50,000: most clients give up after 60,000.
   */
  deadlineMs?: number;
  /** Most tokens of a result, estimated, 300..100,000. Default 6,000. */
  maxTextTokens?: number;
  /**
   * True: the list of tools says what `structuredContent` holds, for clients that make code from it. Of five tools that is about 1,500 tokens more in
   * every prompt of a client that shows it to its model. Default false.
   */
  outputSchemas?: boolean;
  /** Sign-in by OAuth, in addition to API keys. Default: API keys only. */
  authorization?: McpAuthorization;
}

const ORIGIN = refine(
  string({ min: 1 }),
  'a web origin such as https://app.example.com',
  (text) => parseUrl(text)?.origin === text.replace(/\/$/, ''),
);

const ADDRESS = refine(
  string({ min: 1, max: 2000 }),
  'an http or https address without fragment',
  (text) => /^https?:$/.test(parseUrl(text)?.protocol ?? '') && !text.includes('#'),
);
const ADDRESSES = map(union(ADDRESS, array(ADDRESS, { min: 1 })), (addresses) => [addresses].flat());
/** The characters of a scope in RFC 6749, section 3.3. */
const SCOPE = string({ pattern: /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, expected: 'a scope without blanks' });

const AUTHORIZATION = options({
  issuer: ADDRESSES,
  resource: optional(ADDRESS),
  audience: optional(
    map(union(string({ min: 1 }), array(string({ min: 1 }), { min: 1 })), (names) => [names].flat()),
  ),
  scopes: optional(array(SCOPE)),
  jwksUri: optional(ADDRESS),
  allowHosts: withDefault(array(string({ min: 1 })), []),
  verify: optional(func<NonNullable<McpAuthorization['verify']>>()),
  resourceName: withDefault(string({ min: 1, max: 200 }), 'Tools for video and web'),
});

export type AuthorizationSettings = Infer<typeof AUTHORIZATION>;

const FIELDS = options({
  authorization: optional(AUTHORIZATION),
  path: withDefault(
    refine(
      string({ pattern: /^[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*$/, expected: 'a path such as mcp' }),
      'another path than those of the tools',
      (path) => !(TOOL_NAMES as readonly string[]).includes(path),
    ),
    'mcp',
  ),
  allowedOrigins: withDefault(array(ORIGIN), []),
  instructions: optional(string({ min: 1, max: 10_000 })),
  deadlineMs: withDefault(integer(100, 600_000), 50_000),
  maxTextTokens: withDefault(integer(300, 100_000), DEFAULT_MAX_TEXT_TOKENS),
  outputSchemas: withDefault(boolean(), false),
});

export type ResolvedMcpOptions = Infer<typeof FIELDS>;

/**
 * The option `mcp` with its defaults; undefined where it is off.
 * @throws InvalidOptionError
 */
export function resolveMcp(options: McpOptions | boolean = false): ResolvedMcpOptions | undefined {
  const parsed = parseOption('mcp', union(boolean(), FIELDS), options === true ? {} : options);
  return typeof parsed === 'boolean' ? undefined : parsed;
}
