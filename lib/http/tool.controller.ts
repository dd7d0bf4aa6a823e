import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Optional,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
  type Provider,
  type StreamableFile,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { callerOf } from '../auth/api-key.guard.js';
import type { ProgressEvent } from '../core/context.js';
import { InvalidOptionError, ToolsError } from '../core/errors.js';
import {
  beginAnswer,
  setResponseHeader,
  Tool,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { JOB_INTAKE, MOUNTED_TOOLS } from '../core/injection-tokens.js';
import { ApiExcludeController } from '../core/openapi.js';
import type { MountedTools } from '../core/request-event.js';
import { parseRequest } from '../tools/request-fields.js';
import { ToolCalls } from '../tools/tool-calls.js';
import type { Envelope, ToolDefinition } from '../tools/tool-definition.js';
import { eventsResponse, eventStream, wantsEvents } from './event-stream.js';
import { InFlight } from './in-flight.js';
import { observationOf, RequestObserver } from './request-observer.js';
import { jobAddress, prefersAsync, type JobDto, type JobIntake } from './job-intake.js';
import { ApiTool } from './openapi.decorators.js';
import { ToolsController, type Mount } from './tools-controller.decorator.js';
import { MOUNTED, ToolsExceptionFilter } from './tools-exception.filter.js';

/** Refuses to start where two registrations mount one endpoint: the second would never be reached, and its keys would be refused. */
@Injectable()
class MountedOnce implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(MOUNTED_TOOLS) private readonly mounted: MountedTools,
  ) {}

  onModuleInit(): void {
    const { httpAdapter } = this.host;
    // A worker without HTTP.
    if (!httpAdapter) return;
    const taken = MOUNTED.get(httpAdapter) ?? new Map<string, MountedTools>();
    MOUNTED.set(httpAdapter, taken);
    for (const path of this.mounted.paths) {
      if (taken.has(path))
        throw new InvalidOptionError(
          'path',
          `another one than that of another registration: both have ${path}`,
        );
      taken.set(path, this.mounted);
    }
  }
}

export const HTTP_PROVIDERS: Provider[] = [InFlight, RequestObserver, ToolsExceptionFilter, MountedOnce];

/** The controller of `POST …/<tool>` for one registration: each has its own class, path, guards and operation id. */
export function toolController(tool: ToolDefinition, mount: Mount): Type<unknown> {
  @ToolsController(mount)
  class ToolController {
    constructor(
      @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
      @Inject(InFlight) private readonly inFlight: InFlight,
      @Inject(ToolCalls) private readonly calls: ToolCalls,
      @Optional() @Inject(JOB_INTAKE) private readonly jobs?: JobIntake,
    ) {}

    @Post(tool.name)
    @HttpCode(200)
    @Tool(tool.name)
    @ApiTool(tool, mount)
    async handle(
      // Not `@Body`: a global `ValidationPipe` of the host would validate it first.
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<Envelope | StreamableFile | JobDto> {
      const start = performance.now();
      const body = jsonBody(request);
      const { jobs } = this;
      const webhook = jobs && prefersAsync(request) ? jobs.webhookOf(body) : undefined;
      const dto = parseRequest(tool, webhook ? without('webhook', body as object) : body);
      const inFlight = this.inFlight.begin(response);
      const requestId = beginAnswer(request, response);
      const noCache = /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');
      const caller = callerOf(request);
      if (jobs && prefersAsync(request)) {
        const identity = this.calls.identityOf(tool, dto);
        const job = { tool: tool.name, input: dto, identity, owner: caller, requestId, webhook, noCache };
        return this.accepted(await jobs.submit(job), request, response);
      }
      const observation = observationOf(request);
      const answer = async (onProgress?: (event: ProgressEvent) => void): Promise<Envelope> => {
        const data = await this.calls.run(tool, dto, {
          caller,
          client: inFlight,
          requestId,
          noCache,
          observation,
          onProgress,
        });
        return { data, request_id: requestId, seconds_taken: Math.round(performance.now() - start) / 1000 };
      };
      return wantsEvents(request) ? eventsResponse(await eventStream(requestId, answer), response) : answer();
    }

    private accepted(job: JobDto, request: ToolRequest, response: ToolResponse): JobDto {
      this.adapterHost.httpAdapter.status(response, 202);
      setResponseHeader(response, 'Location', jobAddress(request, job.id));
      setResponseHeader(response, 'Preference-Applied', 'respond-async');
      return job;
    }
  }
  return ToolController;
}

const without = (name: string, body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([field]) => field !== name));

/** Answers 405 to other methods at the paths of the tools. Needs no key, so that a person who opens the address sees what to do. */
export function otherMethodsController(paths: string[], mount: Mount): Type<unknown> {
  @Controller({ path: mount.path, version: VERSION_NEUTRAL })
  @UseFilters(ToolsExceptionFilter)
  @applyDecorators(...mount.decorators)
  @ApiExcludeController()
  class OtherMethodsController {}
  for (const [name, route] of Object.entries({ Get, Put, Patch, Delete })) {
    const value = (): never => {
      const message = 'This address only accepts POST. Send the request as POST with a JSON body.';
      throw new ToolsError('method_not_allowed', message, { headers: { Allow: 'POST' } });
    };
    Object.defineProperty(OtherMethodsController.prototype, name, { value });
    route(paths)(OtherMethodsController.prototype, name, { value });
  }
  return OtherMethodsController;
}

/** The body of a request that says it is JSON. @throws UnsupportedMediaTypeError (415) */
export function jsonBody({ headers, body }: ToolRequest & { body?: unknown }): unknown {
  const type = headers['content-type'];
  if (type && /^application\/json\s*(;|$)/i.test(type.trim())) return body;
  const received = type ? JSON.stringify(type.slice(0, 100)) : 'none';
  const message = `Content-Type must be application/json, received ${received}.`;
  throw new ToolsError('unsupported_media_type', message);
}
