import {
  Inject,
  Logger,
  Post,
  Req,
  Res,
  StreamableFile,
  type BeforeApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { AgentTools } from '../agents/agent-tools.js';
import { identityOf } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/request-limits.js';
import { lazy } from '../core/async.js';
import { MissingPeerError, NotConfiguredError } from '../core/errors.js';
import { rawResponse, requestIdOf, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';
import { ApiExcludeController } from '../core/openapi.js';
import type { ToolName } from '../core/tool-names.js';
import { InFlight } from '../http/in-flight.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import type { ResolvedMcpOptions } from './mcp.options.js';
import { originFault } from './origin.js';

/** What an endpoint serves. */
export type ToolsOfEndpoint = Pick<AgentTools, 'list' | 'cancel'>;

/**
 * The controller of `POST …/mcp` for one registration. The SDK and the agents' part of this package are loaded with the first request, so
 * that a host pays nothing at start.
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
  class McpController implements BeforeApplicationShutdown {
    private endpoint?: McpEndpoint;
    private readonly load = lazy(async () => {
      const [tools, { McpEndpoint: Endpoint }] = await Promise.all([
        toolsOf(this.moduleRef),
        import('./mcp-endpoint.js'),
      ]);
      this.endpoint = await Endpoint.create(tools, options);
      return this.endpoint;
    });

    constructor(
      @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
      @Inject(InFlight) private readonly inFlight: InFlight,
      @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    ) {}

    async beforeApplicationShutdown(): Promise<void> {
      await this.endpoint?.close();
    }

    // Without passthrough: an interceptor of the host that wraps results would break the protocol.
    @Post(options.path)
    async handle(
      @Req() request: ToolRequest & { body?: unknown },
      @Res() response: ToolResponse,
    ): Promise<void> {
      const fault = originFault(
        request,
        rawResponse(response).socket,
        options.allowedOrigins,
        isKnown(request),
      );
      if (fault) return this.send(response, fault);
      const signal = this.inFlight.begin(response);
      const identity = identityOf(request);
      const exchange = {
        identity,
        caller: callerOf(identity, request),
        requestId: requestIdOf(request),
        signal,
      };
      const endpoint = await this.load().catch(notInstalled);
      const answer = await endpoint.answer(request, request.body, exchange);
      answer.headers.set('x-request-id', exchange.requestId);
      this.send(response, answer);
    }

    private send(response: ToolResponse, answer: Response): void {
      const { httpAdapter } = this.adapterHost;
      for (const [name, value] of answer.headers)
        if (name !== 'connection') httpAdapter.setHeader(response, name, value);
      const stream = answer.body && Readable.fromWeb(answer.body as NodeReadableStream);
      const type = answer.headers.get('content-type') ?? undefined;
      httpAdapter.reply(response, stream ? new StreamableFile(stream, { type }) : '', answer.status);
    }
  }
  return McpController;
}

/** Whether somebody showed a credential. A web page that was bound to this machine's address by a trick has none. */
function isKnown(request: ToolRequest): boolean {
  return identityOf(request) !== undefined || request.headers.authorization !== undefined;
}

async function toolsOfHost(moduleRef: ModuleRef, names: readonly string[]): Promise<ToolsOfEndpoint> {
  const { AgentTools: Tools } = await import('../agents/agent-tools.js');
  const tools = await moduleRef.create(Tools);
  return { list: tools.list.filter(({ name }) => names.includes(name)), cancel: () => tools.cancel() };
}

/** The client is told as well: who sets up an agent is often who runs the host. */
function notInstalled(error: unknown): never {
  if (!(error instanceof MissingPeerError)) throw error;
  new Logger('ToolsModule').error(error.message);
  throw new NotConfiguredError(error.message);
}
