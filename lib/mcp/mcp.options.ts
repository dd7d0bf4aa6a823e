import {
  array,
  boolean,
  integer,
  optional,
  options,
  parseOption,
  refine,
  string,
  union,
  withDefault,
  type Infer,
} from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import { TOOL_NAMES } from '../core/request-event.js';
import { DEFAULT_MAX_TEXT_TOKENS } from '../agents/agent-form.js';

/** How the tools are served over the Model Context Protocol. */
export interface McpOptions {
  /** Path below that of the tools. Default `mcp`. */
  path?: string;
  /**
   * Web origins that may call from a browser, e.g. `https://app.example.com`, in addition to the server's own and those of this machine. A browser also
   * needs the host's CORS. Clients without `Origin` may always call. Default: none.
   */
  allowedOrigins?: readonly string[];
  /** A text that clients get when they connect; some put it into the model's prompt. Default: none. */
  instructions?: string;
  /**
   * After this time a call is answered with "still working, call again with the same arguments", and the work goes on; ms, 1,000..600,000.
   * Default 50,000: most clients give up after 60,000.
   */
  deadlineMs?: number;
  /** Most tokens of a result, estimated, 300..100,000. Default 6,000. */
  maxTextTokens?: number;
}

const ORIGIN = refine(
  string({ min: 1 }),
  'a web origin such as https://app.example.com',
  (text) => parseUrl(text)?.origin === text.replace(/\/$/, ''),
);

const FIELDS = options({
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
  deadlineMs: withDefault(integer(1000, 600_000), 50_000),
  maxTextTokens: withDefault(integer(300, 100_000), DEFAULT_MAX_TEXT_TOKENS),
});

/** {@link McpOptions} with every default filled in. */
export type ResolvedMcpOptions = Infer<typeof FIELDS>;

/**
 * The option `mcp` with its defaults; undefined where it is off.
 * @throws InvalidOptionError
 */
export function resolveMcp(given: McpOptions | boolean = false): ResolvedMcpOptions | undefined {
  const parsed = parseOption('mcp', union(boolean(), FIELDS), given === true ? {} : given);
  return typeof parsed === 'boolean' ? undefined : parsed;
}
