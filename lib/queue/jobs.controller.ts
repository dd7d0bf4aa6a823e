import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Logger,
  Param,
  Req,
  Res,
  type StreamableFile,
  type Type,
} from '@nestjs/common';
import { callerOf } from '../auth/api-key.guard.js';
import { errorEvent } from '../core/error-response.js';
import { JobNotFoundError, TooManyAtOnceError } from '../core/errors.js';
import { beginAnswer, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';
import { ApiOperation, ApiParam, ApiResponse } from '../core/openapi.js';
import { printable } from '../core/printable.js';
import { eventsResponse, eventText, wantsEvents } from '../http/event-stream.js';
import { JobDto } from '../http/job-intake.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from '../http/openapi.decorators.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import type { DocumentedError } from '../tools/tool-definition.js';
import { JobEvents } from './job-events.js';
import { JobQueue } from './job-queue.js';
import { endOf, toJobDto } from './job-record.js';
import { JOBS_OPTIONS, type ResolvedJobsOptions } from './jobs.options.js';

export const JOB_ERRORS: Record<number, DocumentedError> = {
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
export const ApiById = (noun: string, operation: Parameters<typeof ApiOperation>[0]): MethodDecorator =>
  applyDecorators(
    ApiOperation(operation),
    ApiParam({ name: 'id', description: `Id of the ${noun}.`, schema: { type: 'string' } }),
    ApiErrors(JOB_ERRORS),
  );

/** The controller of `…/jobs/{id}` for one registration. Guarded by the key. Looking at a job counts against no rate limit. */
export function jobsController(mount: Mount): Type<unknown> {
  @ToolsController(mount)
  class JobsController {
    constructor(
      @Inject(JobQueue) private readonly queue: JobQueue,
      @Inject(JobStreams) private readonly streams: JobStreams,
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
      return eventsResponse(this.streams.start(id, owner, requestId, lastEventId), response);
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
  }
  return JobsController;
}

const LOOK_MS = 300; // between two looks at a job; a plain bound
/** After this long without an event a comment keeps the connection alive, ms. */
const IDLE_MS = 10_000;
/** Both parts of an id in a Redis stream are numbers of 64 bits. */
const MAX_ID_PART = 2n ** 64n - 1n;

@Injectable()
export class JobStreams {
  private readonly logger = new Logger('ToolsModule');
  private readonly open = new Map<string, number>();

  constructor(
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(JobEvents) private readonly events: JobEvents,
    @Inject(JOBS_OPTIONS) private readonly options: ResolvedJobsOptions,
  ) {}

  /**
   * A job as server-sent events: the `progress` and `delta` events of the plain stream, each with an id, then one `result` or one `error`
   * with the body of the plain request. Ends when the job does.
   * @param lastEventId anything but an id of an event means the beginning
   * @throws TooManyAtOnceError
   */
  start(id: string, owner: string, requestId: string, lastEventId: unknown): Readable {
    const others = this.open.get(owner) ?? 0;
    const { maxStreamsPerKey } = this.options;
    if (others >= maxStreamsPerKey) throw new TooManyAtOnceError('event streams open', maxStreamsPerKey);
    this.open.set(owner, others + 1);
    const stream = Readable.from(this.whole(id, owner, requestId, lastEventId));
    stream.once('close', () => {
      const rest = this.open.get(owner)! - 1;
      if (rest === 0) this.open.delete(owner);
      else this.open.set(owner, rest);
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
}

/** Whether a text is an id of a Redis stream, e.g. `1700000000000-0`. Redis refuses higher numbers with an error. */
function isEventId(id: unknown): id is string {
  const parts = /^(\d{1,20})-(\d{1,20})$/.exec(String(id))?.slice(1);
  return parts !== undefined && parts.every((part) => BigInt(part) < MAX_ID_PART);
}
