import { Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res, type Type } from '@nestjs/common';
import { callerOf, checkTool, identityOf } from '../auth/api-key.guard.js';
import { RequestLimits } from '../auth/request-limits.js';
import { errorResponse } from '../core/error-response.js';
import { InvalidRequestError, ToolsError, type FieldError } from '../core/errors.js';
import {
  beginAnswer,
  setResponseHeader,
  type ToolRequest,
  type ToolResponse,
} from '../core/http-exchange.js';
import { ApiBody, ApiOperation, ApiParam, ApiResponse } from '../core/openapi.js';
import { InFlight } from '../http/in-flight.js';
import { jobAddress } from '../http/job-intake.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from '../http/openapi.decorators.js';
import { jsonBody } from '../http/tool.controller.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import { faultIf, parseRequest, refused } from '../tools/request-fields.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { refusal } from '../tools/tool-definition.js';
import type { ListVideosDataDto } from '../tools/dto/list-videos.dto.js';
import { LIST_VIDEOS } from '../tools/list-videos.js';
import { TOOLS } from '../tools/tools.js';
import { BatchDto, BatchRequestDto, MAX_ITEMS } from './batch.dto.js';
import { BatchQueue, type AboutList, type BatchItem } from './batch-queue.js';
import { JobQueue } from './job-queue.js';
import { ApiById } from './jobs.controller.js';

/** The controller of `…/batches` for one registration. */
export function batchesController(mount: Mount): Type<unknown> {
  const suffix = mount.operationIdSuffix;

  @ToolsController(mount)
  class BatchesController {
    constructor(
      @Inject(BatchQueue) private readonly batches: BatchQueue,
      @Inject(JobQueue) private readonly jobs: JobQueue,
      @Inject(ToolCalls) private readonly calls: ToolCalls,
      @Inject(RequestLimits) private readonly limits: RequestLimits,
      @Inject(InFlight) private readonly inFlight: InFlight,
    ) {}

    @Post('batches')
    @HttpCode(202)
    @ApiOperation({
      operationId: `createBatch${suffix}`,
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
      const { inputs: given, list, input: common } = body;
      const faults = [
        ...faultIf(!given && !list, 'inputs', 'is required, or list'),
        ...faultIf(Boolean(given && list), 'inputs', 'cannot be sent with list'),
        ...faultIf(Boolean(given && common), 'input', 'is for list'),
      ];
      if (faults.length > 0) throw new InvalidRequestError(faults);
      const webhook = this.jobs.webhookOf(body);
      const { signal } = this.inFlight.begin(response);
      const requestId = beginAnswer(request, response);
      const owner = callerOf(request);
      const identity = identityOf(request);
      for (const name of list ? [body.tool, LIST_VIDEOS.name] : [body.tool])
        if (identity) checkTool(identity, name);
      const { inputs, ...about } = given
        ? { inputs: given }
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
      operationId: `getBatch${suffix}`,
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
      operationId: `cancelBatch${suffix}`,
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
  return BatchesController;
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
