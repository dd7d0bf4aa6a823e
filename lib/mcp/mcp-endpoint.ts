import type * as McpSdk from '@modelcontextprotocol/server';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { AgentTool } from '../agents/agent-tools.js';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import type { Caller } from '../auth/request-limits.js';
import type { ProgressEvent } from '../core/context.js';
import type { ToolRequest } from '../core/http-exchange.js';
import { loadPeer } from '../core/ports.js';
import { at } from '../core/json.js';
import { isRecord } from '../core/schema.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { VERSION } from '../core/version.js';
import { wantsEvents } from '../http/event-stream.js';
import type { ToolsOfEndpoint } from './mcp.controller.js';
import type { ResolvedMcpOptions } from './mcp.options.js';

interface McpExchange {
  caller: Caller;
  identity?: ApiKeyIdentity;
  requestId: string;
  /** Fires when the client leaves. */
  signal: AbortSignal;
}

interface McpMessage {
  id: unknown;
  /** `params._meta`, where clients put their trace. */
  meta: object | undefined;
  protocol: string | undefined;
}

/** How long clients may cache the list of tools, ms. It changes with the host's options only. Set by hand. */
const LIST_TTL_MS = 300_000;
/** Progress is reported at least this often while work goes on, ms; clients give up after 10 s of silence at the earliest; set by hand. */
const HEARTBEAT_MS = 8_000;
const PASSED_ON = /^(?:content-type|mcp-.+|last-event-id)$/;

export interface McpEndpoint {
  /** Answers one POST. @param body as the host's adapter has parsed it */
  answer(request: ToolRequest, body: unknown, exchange: McpExchange): Promise<Response>;
  /** Ends open streams, and calls that continue without a client. */
  close(): Promise<void>;
}

/**
 * The Model Context Protocol over Streamable HTTP, stateless, for the revision 2026-07-28 and for those before it at one address. Each request
 * has a server of its own, made by the official SDK.
 */
export async function mcpEndpoint(
  source: ToolsOfEndpoint,
  options: ResolvedMcpOptions,
  telemetry = NO_TELEMETRY,
): Promise<McpEndpoint> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, SUPPORTED_PROTOCOL_VERSIONS } =
    await loadPeer(
      '@modelcontextprotocol/server',
      'The option `mcp`',
      async () => (await import('@modelcontextprotocol/server')) as unknown as typeof McpSdk,
    );
  const tools: ReadonlyMap<string, AgentTool> = new Map(source.list.map((tool) => [tool.name, tool]));
  const supportedProtocolVersions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== WITH_BATCHES);

  const listFor = ({ identity }: McpExchange): Tool[] => {
    const allowed = [...tools.values()].filter(
      ({ name }) => identity?.tools?.some((tool) => tool === name) ?? true,
    );
    return allowed.map(({ name, title, description, inputSchema, outputSchema }) => ({
      name,
      title,
      description,
      inputSchema: inputSchema as Tool['inputSchema'],
      ...(options.outputSchemas ? { outputSchema: outputSchema as Tool['outputSchema'] } : {}),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    }));
  };

  const call = async (
    { name, arguments: args = {} }: { name: string; arguments?: object },
    { caller, identity, requestId, signal }: McpExchange,
    context: ServerContext,
  ): Promise<CallToolResult> => {
    const tool = tools.get(name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`);
    const { deadlineMs: answerWithinMs, maxTextTokens } = options;
    const { report: onProgress, end } = progressReports(context);
    const how = { caller, identity, requestId, signal, onProgress, answerWithinMs, maxTextTokens };
    try {
      const { text, structured, isError } = await tool.call(args, how);
      return {
        content: [{ type: 'text', text }],
        structuredContent: structured,
        ...(isError ? { isError } : {}),
      };
    } finally {
      end();
    }
  };

  const handler = createMcpHandler(({ authInfo }) => {
    const { exchange, message } = authInfo!.extra! as { exchange: McpExchange; message: McpMessage };
    const cached = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const;
    const server = new Server(
      { name: 'nestjs-tools', version: VERSION },
      {
        capabilities: { tools: {} },
        supportedProtocolVersions,
        cacheHints: { 'tools/list': cached, 'server/discover': cached },
        ...(options.instructions ? { instructions: options.instructions } : {}),
      },
    );
    server.setRequestHandler('tools/list', () =>
      traced(telemetry, message, undefined, () => Promise.resolve({ tools: listFor(exchange) })),
    );
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const shown = tools.has(params.name) ? params.name : 'unknown';
      return traced(telemetry, message, shown, () => call(params, exchange, context));
    });
    return server;
  });

  return {
    answer: async (request, body, exchange) => {
      if (Array.isArray(body)) return Response.json(BATCH, { status: 400 });
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string' && PASSED_ON.test(name)) headers.set(name, value);
      // The SDK answers 406 to clients that do not name both, though many would be content with one.
      headers.set('accept', 'application/json, text/event-stream');
      const asked = new Request('http://localhost/mcp', { method: 'POST', headers, signal: exchange.signal });
      const meta = at(body, 'params', '_meta');
      const protocol = headers.get('mcp-protocol-version') ?? undefined;
      const message: McpMessage = { id: at(body, 'id'), meta: isRecord(meta) ? meta : undefined, protocol };
      const extra = { exchange, message };
      const authInfo = { token: '', clientId: exchange.caller.id, scopes: [], extra };
      const answer = await handler.fetch(asked, { authInfo, parsedBody: body ?? null });
      return wantsEvents(request) ? answer : withoutEvents(answer);
    },
    close: async () => {
      source.cancel();
      await handler.close();
    },
  };
}

/** Does the work of a request in a server span, as the semantic conventions for MCP have it (open-telemetry/semantic-conventions-genai, v0.1.0). */
async function traced<T extends object>(
  telemetry: Telemetry,
  { id, meta, protocol }: McpMessage,
  tool: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const method = tool === undefined ? 'tools/list' : 'tools/call';
  const span = telemetry.startSpan(tool === undefined ? method : `${method} ${tool}`, {
    kind: 'server',
    carrier: meta,
    attributes: {
      'mcp.method.name': method,
      'mcp.protocol.version': protocol,
      'jsonrpc.request.id': typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
      'network.transport': 'tcp',
      'gen_ai.tool.name': tool,
      'gen_ai.operation.name': tool && 'execute_tool',
    },
  });
  try {
    const result = await span.run(work);
    if ('isError' in result && result.isError) span.fail('tool_error');
    return result;
  } catch (error) {
    const code = at(error, 'code');
    span.fail(typeof code === 'number' ? String(code) : 'internal_error');
    throw error;
  } finally {
    span.end();
  }
}

/** The only revision that obliges servers to take batches. Its clients are offered the newest one, as the protocol says. */
const WITH_BATCHES = '2025-03-26';
const BATCH = {
  jsonrpc: '2.0',
  error: { code: -32600, message: 'A request holds one message, not a batch.' },
  id: null,
};

/** The answer in an event stream, the message with an id, as JSON: for clients that did not say that they read streams. */
async function withoutEvents(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const message = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { id?: unknown })
    .find(({ id }) => id !== undefined);
  return Response.json(message, { status: answer.status });
}

/** Progress notifications of one call: strictly increasing, none after the result, none where the client did not ask for them. */
function progressReports({ mcpReq }: ServerContext): { report(event: ProgressEvent): void; end(): void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => undefined, end: () => undefined };
  let progress = 0;
  let message = 'Working';
  let hasEnded = false;
  const send = (): void => {
    if (hasEnded) return;
    const params = { progressToken, progress: ++progress, message };
    // A client that has left gets no more events, and its signal ends its call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const heartbeat = setInterval(send, HEARTBEAT_MS).unref();
  return {
    report: (event) => {
      const next = progressMessage(event);
      // Text as it is written comes in hundreds of pieces, and whole with the result.
      if (event.text !== undefined || next === message) return;
      message = next;
      send();
    },
    end: () => {
      hasEnded = true;
      clearInterval(heartbeat);
    },
  };
}

function progressMessage({ stage, done, total }: ProgressEvent): string {
  const count = total === undefined ? '' : ` (${done ?? 0} of ${total})`;
  return `${STAGES[stage] ?? stage}${count}`;
}

const STAGES: Readonly<Record<string, string>> = {
  transcript: 'Reading the transcript',
  download: 'Fetching the sound',
  transcribe: 'Recognising speech',
  summarize: 'Summarizing',
  map: 'Reading the parts',
  write: 'Writing the summary',
  data: 'Filling in the fields',
  rewrite: 'Writing it again',
  frames: 'Looking at pictures',
  search: 'Searching',
  read: 'Reading',
  results: 'Reading sources',
  answer: 'Writing the answer',
  plan: 'Planning',
  finding: 'Reading sources',
  list: 'Listing the videos',
};
