import { Readable } from 'node:stream';
import { isLoopback, parseUrl } from '../core/url.js';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import {
  Inject,
  Logger,
  Post,
  Req,
  Res,
  StreamableFile,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { AgentTools } from '../agents/agent-tools.js';
import { callerOf, identityOf } from '../auth/api-key.guard.js';
import { lazy } from '../core/async.js';
import { MissingPeerError, NotConfiguredError } from '../core/errors.js';
import { requestIdOf, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';
import { TELEMETRY } from '../core/injection-tokens.js';
import { printable } from '../core/printable.js';
import { ApiExcludeController } from '../core/openapi.js';
import type { ToolName } from '../core/request-event.js';
import type { Telemetry } from '../core/telemetry.js';
import { EVENTS_CACHE_CONTROL } from '../http/event-stream.js';
import { InFlight } from '../http/in-flight.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import type { ResolvedMcpOptions } from './mcp.options.js';

export type ToolsOfEndpoint = Pick<AgentTools, 'list' | 'cancel'>;

/**
 * The controller of `POST …/mcp` for one registration. The first request loads the SDK and the agents' part of this package.
 *
 * @param names of the tools that are offered
 * @param toolsOf makes the tools; default: those of the host
 */
export function mcpController(
  mount: Mount,
  options: ResolvedMcpOptions,
  names: readonly ToolName[],
  toolsOf: (moduleRef: ModuleRef) => Promise<ToolsOfEndpoint> = (moduleRef) => toolsOfHost(moduleRef, names),
): Type<unknown> {
  @ToolsController(mount)
  @ApiExcludeController()
  class McpController implements OnApplicationBootstrap, BeforeApplicationShutdown {
    private endpoint?: McpEndpoint;
    private readonly load = lazy(async () => {
      const [tools, { mcpEndpoint }] = await Promise.all([
        toolsOf(this.moduleRef),
        import('./mcp-endpoint.js'),
      ]);
      this.endpoint = await mcpEndpoint(tools, options, this.telemetry);
      return this.endpoint;
    });

    constructor(
      @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
      @Inject(InFlight) private readonly inFlight: InFlight,
      @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
      @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    ) {}

    /** A host shall learn at start that the SDK is not there, not with the first request. */
    onApplicationBootstrap(): void {
      if (isSdkFound()) return;
      this.load().catch((error: unknown) =>
        new Logger('ToolsModule').warn(printable((error as Error).message)),
      );
    }

    async beforeApplicationShutdown(): Promise<void> {
      await this.endpoint?.close();
    }

    // Without passthrough: an interceptor of the host that wraps results would break the protocol.
    @Post(options.path)
    async handle(
      @Req() request: ToolRequest & { body?: unknown },
      @Res() response: ToolResponse,
    ): Promise<void> {
      const fault = originFault(request, options.allowedOrigins);
      if (fault) {
        fault.headers.set('x-request-id', requestIdOf(request));
        return this.send(response, fault);
      }
      const exchange = {
        identity: identityOf(request),
        caller: callerOf(request),
        requestId: requestIdOf(request),
        signal: this.inFlight.begin(response).signal,
      };
      const endpoint = await this.load().catch(notInstalled);
      const answer = await endpoint.answer(request, request.body, exchange);
      answer.headers.set('x-request-id', exchange.requestId);
      this.send(response, answer);
    }

    private send(response: ToolResponse, answer: Response): void {
      const { httpAdapter } = this.adapterHost;
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
      answer.headers.set('cache-control', isStream ? EVENTS_CACHE_CONTROL : 'no-store');
      for (const [name, value] of answer.headers)
        if (name !== 'connection') httpAdapter.setHeader(response, name, value);
      const stream = answer.body && Readable.fromWeb(answer.body as NodeReadableStream);
      const type = answer.headers.get('content-type') ?? undefined;
      httpAdapter.reply(response, stream ? new StreamableFile(stream, { type }) : '', answer.status);
    }
  }
  return McpController;
}

/** Without loading it, which takes memory and time of each start. False where that cannot be told, as in an ES module. */
function isSdkFound(): boolean {
  try {
    return require.resolve('@modelcontextprotocol/server') !== '';
  } catch {
    return false;
  }
}

async function toolsOfHost(moduleRef: ModuleRef, names: readonly string[]): Promise<ToolsOfEndpoint> {
  const { AgentTools: Tools } = await import('../agents/agent-tools.js');
  const tools = await moduleRef.create(Tools);
  return { list: tools.list.filter(({ name }) => names.includes(name)), cancel: () => tools.cancel() };
}

/** The client gets the install command too: the person who sets up an agent often runs the host. */
function notInstalled(error: unknown): never {
  throw error instanceof MissingPeerError ? new NotConfiguredError(error.message) : error;
}

/**
 * Checks the header `Origin`, which only browsers send. Accepted are an absent one, those of the option, pages of this machine, and, for
 * callers whom a guard has identified, pages of this server. For anybody else a web page could bind its own name to 127.0.0.1 (DNS rebinding),
 * and its origin would then equal the host.
 *
 * @returns the response (403) that refuses the request, or undefined
 */
function originFault(request: ToolRequest, allowed: readonly string[]): Response | undefined {
  const { origin, host = '' } = request.headers;
  if (origin === undefined || allowed.some((known) => known.replace(/\/$/, '') === origin)) return undefined;
  const page = parseUrl(origin);
  if (page && /^https?:$/.test(page.protocol)) {
    if (isLoopback(page.hostname)) return undefined;
    if (identityOf(request) && page.host === withoutDefaultPort(host, page.protocol)) return undefined;
  }
  const message = `The origin ${JSON.stringify(origin.slice(0, 100))} may not call this server. The host can allow it with \`mcp.allowedOrigins\`.`;
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 403 });
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}
