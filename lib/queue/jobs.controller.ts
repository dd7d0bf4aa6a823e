import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Inject,
  Logger,
  Param,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
  type Type,
} from '@nestjs/common';
import { callerOf, checkTool, identityOf } from '../auth/api-key.guard.js';
import { RequestLimits } from '../auth/request-limits.js';
import { errorEvent, errorResponse } from '../core/error-response.js';
import {
  InvalidRequestError,
  JobNotFoundError,
  ToolsError,
  TooManyAtOnceError,
  type FieldError,
} from '../core/errors.js';
import {
  beginAnswer,
  setResponseHeader,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '../core/openapi.js';
import { printable } from '../core/printable.js';
import { eventsResponse, eventText, wantsEvents } from '../http/event-stream.js';
import { InFlight } from '../http/in-flight.js';
import { jobAddress, JobDto } from '../http/job-intake.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from '../http/openapi.decorators.js';
import { jsonBody } from '../http/tool.controller.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import type { ListVideosDataDto } from '../tools/dto/list-videos.dto.js';
import { LIST_VIDEOS } from '../tools/list-videos.js';
import { faultIf, parseRequest, refused } from '../tools/request-fields.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { refusal, type DocumentedError } from '../tools/tool-definition.js';
import { TOOLS } from '../tools/tools.js';
import { BatchDto, BatchRequestDto, MAX_ITEMS } from './batch.dto.js';
import { BatchQueue, type AboutList, type BatchItem } from './batch-queue.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import { endOf, toJobDto } from './job-record.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

const JOB_ERRORS: Record<number, DocumentedError> = {
  401: SHARED_ERRORS[401]!,
  404: {
    description: '`job_not_found`: no such job, or it was cancelled, has expired, or belongs to another key.',
    code: 'job_not_found',
    message: 'Job not found. It may have been cancelled, have expired, or never have existed.',
  },
  429: SHARED_ERRORS[429]!,
  500: SHARED_ERRORS[500]!,
  503: SHARED_ERRORS[503]!,
};

/** Documents a route of one job or batch. */
const ApiById = (noun: string, operation: Parameters<typeof ApiOperation>[0]): MethodDecorator =>
  applyDecorators(
    ApiOperation(operation),
    ApiParam({ name: 'id', description: `Id of the ${noun}.`, schema: { type: 'string' } }),
    ApiErrors(JOB_ERRORS),
  );

/** The controller of `…/jobs/{id}` and `…/batches` for one registration. Guarded by the key. Looking at them counts against no rate limit. */
export function jobsController(mount: Mount): Type<unknown> {
  @ToolsController(mount)
  class JobsController {
    private readonly logger = new Logger('ToolsModule');

    constructor(
      @Inject(JobQueue) private readonly queue: JobQueue,
      @Inject(JobEvents) private readonly events: JobEvents,
      @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
      @Inject(BatchQueue) private readonly batches: BatchQueue,
      @Inject(ToolCalls) private readonly calls: ToolCalls,
      @Inject(RequestLimits) private readonly limits: RequestLimits,
      @Inject(InFlight) private readonly inFlight: InFlight,
    ) {}

    @Get('jobs/:id')
    @ApiById('job', {
      operationId: `getJob${mount.operationIdSuffix}`,
      summary: 'Look at a job',
      description:
        'How far a job is, and its outcome once it has ended. With `Accept: text/event-stream` it streams: `progress` and `delta` events ' +
        'with ids, then one `result` or one `error`; `Last-Event-ID` goes on where a stream was cut off.',
    })
    @ApiAnswer(200, 'The job.', JobDto, {
      events: {
        description: 'Server-sent events: `progress`, `delta`, then one `result` or one `error`.',
        example: 'id: 1700000000000-0\nevent: progress\ndata: {"stage":"map","done":7,"total":24}\n\n',
      },
    })
    async getJob(
      @Param('id') id: string,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<JobDto | StreamableFile> {
      const owner = callerOf(request).id;
      const job = await this.queue.find(id, owner);
      const requestId = beginAnswer(request, response);
      if (!wantsEvents(request)) return toJobDto(job);
      const lastEventId = request.headers['last-event-id'];
      return eventsResponse(this.start(id, owner, requestId, lastEventId), response);
    }

    @Delete('jobs/:id')
    @HttpCode(204)
    @ApiById('job', {
      operationId: `cancelJob${mount.operationIdSuffix}`,
      summary: 'Cancel a job',
      description: 'Stops a job, down to the calls upstream, or forgets one that has ended.',
    })
    @ApiResponse({ status: 204, description: 'Cancelled; there is no such job any more.' })
    async cancelJob(
      @Param('id') id: string,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<void> {
      await this.queue.cancel(id, callerOf(request).id);
      beginAnswer(request, response);
    }

    @Post('batches')
    @HttpCode(202)
    @ApiOperation({
      operationId: `createBatch${mount.operationIdSuffix}`,
      summary: 'Run a tool many times',
      description:
        'Each item is a request of the tool: it counts against the limits when it begins, and a wrong one is an error of its own. Equal batches of one key are one batch.',
    })
    @ApiBody({ type: BatchRequestDto, examples: { sample: { value: BatchRequestDto.sample } } })
    @ApiAnswer(202, 'The batch.', BatchDto)
    @ApiErrors({
      400: refusal('inputs', 'is required, or list', '; `list`: what `list_videos` refuses'),
      ...SHARED_ERRORS,
    })
    async create(
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<BatchDto> {
      const body = parseRequest({ request: BatchRequestDto }, jsonBody(request)) as BatchRequestDto;
      const { inputs: bodies, list, input: common } = body;
      const faults = [
        ...faultIf(!bodies && !list, 'inputs', 'is required, or list'),
        ...faultIf(Boolean(bodies && list), 'inputs', 'cannot be sent with list'),
        ...faultIf(Boolean(bodies && common), 'input', 'is for list'),
      ];
      if (faults.length > 0) throw new InvalidRequestError(faults);
      const webhook = this.queue.webhookOf(body);
      const { signal } = this.inFlight.begin(response);
      const requestId = beginAnswer(request, response);
      const owner = callerOf(request);
      const identity = identityOf(request);
      for (const name of list ? [body.tool, LIST_VIDEOS.name] : [body.tool])
        if (identity) checkTool(identity, name);
      const { inputs, ...about } = bodies
        ? { inputs: bodies }
        : await this.listed(body, request, requestId, signal);
      const tool = TOOLS.find(({ name }) => name === body.tool)!;
      const items = inputs.map((input): BatchItem => {
        try {
          const dto = parseRequest(tool, input);
          this.calls.identityOf(tool, dto);
          return { input: dto };
        } catch (error) {
          if (!ToolsError.isInstance(error)) throw error;
          return { error: errorResponse(error, requestId).body };
        }
      });
      const noCache = /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');
      const job = { tool: tool.name, identity: inputs, owner, requestId, webhook, noCache };
      const id = await this.batches.submit(job, items, about);
      setResponseHeader(response, 'Location', jobAddress(request, id, 'batches'));
      return this.batches.find(id, owner.id, 0);
    }

    @Get('batches/:id')
    @ApiById('batch', {
      operationId: `getBatch${mount.operationIdSuffix}`,
      summary: 'Look at a batch',
      description: 'Counts, and items in pages.',
    })
    @ApiParam({
      in: 'query',
      name: 'cursor',
      required: false,
      description: '`next_cursor` of the page before.',
      schema: { type: 'string' },
    })
    @ApiAnswer(200, 'The batch.', BatchDto)
    async get(
      @Param('id') id: string,
      @Query('cursor') cursor: unknown,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<BatchDto> {
      const from = cursor === undefined ? 0 : /^\d{1,3}$/.test(String(cursor)) ? Number(cursor) : undefined;
      if (from === undefined) throw refused('cursor', 'must be next_cursor of an answer');
      const batch = await this.batches.find(id, callerOf(request).id, from);
      beginAnswer(request, response);
      return batch;
    }

    @Delete('batches/:id')
    @HttpCode(204)
    @ApiById('batch', {
      operationId: `cancelBatch${mount.operationIdSuffix}`,
      summary: 'Cancel a batch',
      description: 'Stops its items, or forgets a batch that has ended.',
    })
    @ApiResponse({ status: 204, description: 'Cancelled; there is no such batch any more.' })
    async cancel(
      @Param('id') id: string,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<void> {
      await this.batches.cancel(id, callerOf(request).id);
      beginAnswer(request, response);
    }

    /**
     * A job as server-sent events: the `progress` and `delta` events of the plain stream, each with an id, then one `result` or one `error`
     * with the body of the plain request. Ends when the job does.
     * @param lastEventId anything but an id of an event means the beginning
     * @throws TooManyAtOnceError
     */
    private start(id: string, owner: string, requestId: string, lastEventId: unknown): Readable {
      const { streams } = this.events;
      const others = streams.get(owner) ?? 0;
      const { maxStreamsPerKey } = this.options;
      if (others >= maxStreamsPerKey) throw new TooManyAtOnceError('event streams open', maxStreamsPerKey);
      streams.set(owner, others + 1);
      const stream = Readable.from(this.whole(id, owner, requestId, lastEventId));
      stream.once('close', () => {
        const rest = streams.get(owner)! - 1;
        if (rest === 0) streams.delete(owner);
        else streams.set(owner, rest);
      });
      return stream;
    }

    private async *whole(
      id: string,
      owner: string,
      requestId: string,
      lastEventId: unknown,
    ): AsyncGenerator<string> {
      try {
        yield* this.follow(id, owner, lastEventId);
      } catch (error) {
        // Any other error says nothing about the job: the stream ends without a last event, and the client comes back for the rest.
        if (error instanceof JobNotFoundError) yield eventText('error', errorEvent(error, requestId));
        else this.logger.warn(`The stream of the job ${id} broke off: ${printable(String(error))}`);
      }
    }

    private async *follow(id: string, owner: string, lastEventId: unknown): AsyncGenerator<string> {
      let last = isEventId(lastEventId) ? lastEventId : undefined;
      let heardAt = performance.now();
      for (;;) {
        // Looked at before its events are read: the last of them come before the end.
        const end = endOf(await this.queue.find(id, owner));
        let found;
        do {
          found = await this.events.after(id, last);
          for (const { id: entry, event, data } of found) {
            last = entry;
            heardAt = performance.now();
            yield eventText(event, data, entry);
          }
        } while (found.length > 0);
        if (end) {
          yield end.result ? eventText('result', end.result, last) : eventText('error', end.error!, last);
          return;
        }
        await sleep(LOOK_MS);
        if (performance.now() - heardAt < IDLE_MS) continue;
        heardAt = performance.now();
        yield ': still here\n\n';
      }
    }

    /** The bodies for the videos of a list. It is a request of `list_videos` of its own. */
    private async listed(
      { list, input }: BatchRequestDto,
      request: ToolRequest,
      requestId: string,
      signal: AbortSignal,
    ): Promise<{ inputs: object[] } & AboutList> {
      const tool = LIST_VIDEOS;
      const caller = callerOf(request);
      await this.limits.take(caller, tool.name, () => undefined);
      try {
        const dto = parseRequest(tool, { max_results: MAX_ITEMS, ...list }) as { max_results: number };
        if (dto.max_results > MAX_ITEMS)
          throw refused('max_results', `must not be greater than ${MAX_ITEMS}`);
        const data = await this.calls.run(tool, dto, { caller, client: { signal }, requestId });
        const { items, warnings, next_cursor } = data as ListVideosDataDto;
        const inputs = items.map(({ content_id }) => ({ ...input, content_id }));
        return { inputs, warnings, list_cursor: next_cursor };
      } catch (error) {
        throw error instanceof InvalidRequestError ? below('list', error) : error;
      }
    }
  }
  return JobsController;
}

/** A refusal of a member, by the names of the whole body. */
const below = (path: string, error: InvalidRequestError): InvalidRequestError =>
  new InvalidRequestError(
    (error.details as FieldError[]).map(({ field, message }) => ({
      field: `${path}.${field}`,
      message: `${path}.${message}`,
    })),
    error,
  );

const LOOK_MS = 300; // between two looks at a job; a plain bound
/** After this long without an event a comment keeps the connection alive, ms; set by hand. */
const IDLE_MS = 10_000;

/** Whether a text is an id of a Redis stream, e.g. `1700000000000-0`. Redis refuses numbers above 64 bits with an error. */
const isEventId = (id: unknown): id is string => typeof id === 'string' && /^\d{1,19}-\d{1,19}$/.test(id);
