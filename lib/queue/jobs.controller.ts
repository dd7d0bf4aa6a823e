import { Delete, Get, HttpCode, Inject, Param, Req, Res, StreamableFile, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/request-limits.js';
import { ERROR_CODES } from '../core/errors.js';
import { requestIdOf, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';
import { ApiErrors, SHARED_ERRORS } from '../http/openapi.decorators.js';
import { JobDto } from '../http/dto/job.dto.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import { ErrorDto } from '../tools/dto/shared-response.dto.js';
import {
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiResponse,
  schemaPath,
} from '../core/openapi.js';
import { JobStreams } from './job-event-stream.js';
import { JobQueue } from './job-queue.js';
import { toJobDto } from './job-record.js';

const ERRORS = {
  401: SHARED_ERRORS[401]!,
  404: {
    description: '`job_not_found`: no such job, or it was cancelled, has expired, or belongs to another key.',
    code: 'job_not_found' as const,
    message: 'Job not found. It may have been cancelled, have expired, or never have existed.',
  },
  429: {
    description:
      '`rate_limited`: this key has as many event streams of jobs open as it may (`jobs.maxStreamsPerKey`).',
    code: 'rate_limited' as const,
    message: 'This key has 100 event streams open, as many as it may have at once. Try again later.',
  },
  500: SHARED_ERRORS[500]!,
  503: {
    description: '`upstream_unavailable`: the queue cannot be reached.',
    code: 'upstream_unavailable' as const,
    message: 'The queue of jobs cannot be reached.',
  },
};

/** The body of every error of the job endpoints. */
class JobErrorDto extends ErrorDto {
  @ApiProperty({
    description: 'Stable, machine-readable name.',
    enum: Object.keys(ERROR_CODES),
    example: 'job_not_found',
  })
  declare code: string;
}

/** The controller of `…/jobs/{id}` for one registration. Guarded by the key. Looking at a job counts against no rate limit. */
export function jobsController(mount: Mount): Type<unknown> {
  @ToolsController(mount)
  class JobsController {
    constructor(
      @Inject(JobQueue) private readonly queue: JobQueue,
      @Inject(JobStreams) private readonly streams: JobStreams,
      @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    ) {}

    @Get('jobs/:id')
    @ApiOperation({
      operationId: `getJob${mount.operationIdSuffix}`,
      summary: 'Look at a job',
      description:
        'How far a job is, and its outcome once it has ended. With `Accept: text/event-stream` it streams: `progress` and `delta` events ' +
        'with ids, then one `result` or one `error`; `Last-Event-ID` goes on where a stream was cut off.',
    })
    @ApiParam({ name: 'id', description: 'Id of the job.', schema: { type: 'string' } })
    @ApiExtraModels(JobDto)
    @ApiResponse({
      status: 200,
      description: 'The job.',
      content: {
        'application/json': { schema: { $ref: schemaPath(JobDto) } },
        'text/event-stream': {
          schema: {
            type: 'string',
            description: 'Server-sent events: `progress`, `delta`, then one `result` or one `error`.',
            example: 'id: 1700000000000-0\nevent: progress\ndata: {"stage":"map","done":7,"total":24}\n\n',
          },
        },
      },
    })
    @ApiErrors(ERRORS, JobErrorDto)
    async getJob(
      @Param('id') id: string,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<JobDto | StreamableFile> {
      const owner = this.ownerOf(request);
      const { job, progress } = await this.queue.find(id, owner);
      const requestId = this.setHeaders(request, response);
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) return toJobDto(job, progress);
      const last = request.headers['last-event-id'];
      const lastEventId = typeof last === 'string' ? last : undefined;
      const stream = this.streams.start({ id, owner, requestId, lastEventId });
      this.adapterHost.httpAdapter.setHeader(response, 'X-Accel-Buffering', 'no');
      return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
    }

    @Delete('jobs/:id')
    @HttpCode(204)
    @ApiOperation({
      operationId: `cancelJob${mount.operationIdSuffix}`,
      summary: 'Cancel a job',
      description: 'Stops a job, down to the calls upstream, or forgets one that has ended.',
    })
    @ApiParam({ name: 'id', description: 'Id of the job.', schema: { type: 'string' } })
    @ApiResponse({ status: 204, description: 'Cancelled; there is no such job any more.' })
    @ApiErrors(ERRORS, JobErrorDto)
    async cancelJob(
      @Param('id') id: string,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<void> {
      await this.queue.cancel(id, this.ownerOf(request));
      this.setHeaders(request, response);
    }

    private ownerOf(request: ToolRequest): string {
      return callerOf(identityOf(request), request).id;
    }

    private setHeaders(request: ToolRequest, response: ToolResponse): string {
      const requestId = requestIdOf(request);
      this.adapterHost.httpAdapter.setHeader(response, 'X-Request-Id', requestId);
      this.adapterHost.httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
      return requestId;
    }
  }
  return JobsController;
}
