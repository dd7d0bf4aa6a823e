import type * as McpSdk from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  McpHttpHandler,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { AgentTool } from '../agents/agent-tools.js';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import type { Caller } from '../auth/request-limits.js';
import type { ToolRequest } from '../core/http-exchange.js';
import { loadPeer } from '../core/ports.js';
import { at } from '../core/json.js';
import { isRecord } from '../core/schema.js';
import { NO_TELEMETRY, type Telemetry } from '../core/telemetry.js';
import { VERSION } from '../core/version.js';
import { wantsEvents } from '../http/event-stream.js';
import type { ToolsOfEndpoint } from './mcp.controller.js';
import type { ResolvedMcpOptions } from './mcp.options.js';
import { ProgressReports } from './progress.js';

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

type Sdk = typeof McpSdk;

/** How long clients may cache the list of tools, ms. It changes with the host's options only. Set by hand. */
const LIST_TTL_MS = 300_000;
const PASSED_ON = /^(?:content-type|mcp-.+|last-event-id)$/;

/**
 * The Model Context Protocol over Streamable HTTP, stateless, for the revision 2026-07-28 and for those before it at one address. Each request
 * has a server of its own, made by the official SDK.
 */
export class McpEndpoint {
  private readonly handler: McpHttpHandler;
  private readonly tools: ReadonlyMap<string, AgentTool>;

  private constructor(
    private readonly sdk: Sdk,
    private readonly source: ToolsOfEndpoint,
    private readonly options: ResolvedMcpOptions,
    private readonly telemetry: Telemetry,
  ) {
    this.tools = new Map(source.list.map((tool) => [tool.name, tool]));
    this.handler = sdk.createMcpHandler(({ authInfo }) => {
      const { exchange, message } = authInfo!.extra!;
      return this.serverFor(exchange as McpExchange, message as McpMessage);
    });
  }

  static async create(
    tools: ToolsOfEndpoint,
    options: ResolvedMcpOptions,
    telemetry = NO_TELEMETRY,
  ): Promise<McpEndpoint> {
    const sdk = await loadPeer(
      '@modelcontextprotocol/server',
      'The option `mcp`',
      async () => (await import('@modelcontextprotocol/server')) as unknown as Sdk,
    );
    return new McpEndpoint(sdk, tools, options, telemetry);
  }

  /** Answers one POST. @param body as the host's adapter has parsed it */
  async answer(request: ToolRequest, body: unknown, exchange: McpExchange): Promise<Response> {
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
    const answer = await this.handler.fetch(asked, { authInfo, parsedBody: body ?? null });
    return wantsEvents(request) ? answer : withoutEvents(answer);
  }

  /** Ends open streams, and calls that continue without a client. */
  async close(): Promise<void> {
    this.source.cancel();
    await this.handler.close();
  }

  private serverFor(exchange: McpExchange, message: McpMessage): Server {
    const { Server: McpServer } = this.sdk;
    const cached = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const;
    const versions = this.sdk.SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== WITH_BATCHES);
    const server = new McpServer(
      { name: 'nestjs-tools', version: VERSION },
      {
        capabilities: { tools: {} },
        supportedProtocolVersions: versions,
        cacheHints: { 'tools/list': cached, 'server/discover': cached },
        ...(this.options.instructions ? { instructions: this.options.instructions } : {}),
      },
    );
    server.setRequestHandler('tools/list', () =>
      this.traced(message, undefined, () => Promise.resolve({ tools: this.listFor(exchange) })),
    );
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const { name } = params;
      const call = (): Promise<CallToolResult> => this.call(name, params.arguments, exchange, context);
      return this.traced(message, this.tools.has(name) ? name : 'unknown', call);
    });
    return server;
  }

  /** Does the work of a request in a server span, as the semantic conventions for MCP have it (open-telemetry/semantic-conventions-genai, v0.1.0). */
  private async traced<T extends object>(
    { id, meta, protocol }: McpMessage,
    tool: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const method = tool === undefined ? 'tools/list' : 'tools/call';
    const span = this.telemetry.startSpan(tool === undefined ? method : `${method} ${tool}`, {
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

  private listFor({ identity }: McpExchange): Tool[] {
    const allowed = [...this.tools.values()].filter(
      ({ name }) => identity?.tools?.some((tool) => tool === name) ?? true,
    );
    return allowed.map(({ name, title, description, inputSchema, outputSchema }) => ({
      name,
      title,
      description,
      inputSchema: inputSchema as Tool['inputSchema'],
      ...(this.options.outputSchemas ? { outputSchema: outputSchema as Tool['outputSchema'] } : {}),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    }));
  }

  private async call(
    name: string,
    args: unknown,
    { caller, identity, requestId, signal }: McpExchange,
    context: ServerContext,
  ): Promise<CallToolResult> {
    const tool = this.tools.get(name);
    if (!tool) {
      const { ProtocolError, ProtocolErrorCode } = this.sdk;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`);
    }
    const { deadlineMs, maxTextTokens } = this.options;
    const progress = new ProgressReports(context);
    try {
      const { text, structured, isError } = await tool.call(args ?? {}, {
        caller,
        identity,
        requestId,
        signal,
        onProgress: (event) => progress.report(event),
        answerWithinMs: deadlineMs,
        maxTextTokens,
      });
      return {
        content: [{ type: 'text', text }],
        structuredContent: structured,
        ...(isError ? { isError } : {}),
      };
    } finally {
      progress.end();
    }
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
