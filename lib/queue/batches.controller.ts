import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
  type Type,
} from '@nestjs/common';
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
import { ApiBody, ApiExtraModels, ApiOperation, ApiParam, ApiResponse, schemaPath } from '../core/openapi.js';
import { TOOL_NAMES, type ToolName } from '../core/request-event.js';
import { isRecord } from '../core/schema.js';
import { InFlight } from '../http/in-flight.js';
import { jobAddress } from '../http/job-intake.js';
import { ApiErrors, SHARED_ERRORS } from '../http/openapi.decorators.js';
import { jsonBody } from '../http/tool.controller.js';
import { ToolsController, type Mount } from '../http/tools-controller.decorator.js';
import {
  COUNT,
  Field,
  oneOfRule,
  OptionalField,
  parseRequest,
  refused,
  RequestField,
  RequiredField,
  withSchema,
} from '../tools/request-fields.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { refusal } from '../tools/tool-definition.js';
import { TOOLS } from '../tools/tools.js';
import { BatchQueue, type Batch, type BatchItem } from './batch-queue.js';
import { JobQueue } from './job-queue.js';
import { JOB_ERRORS } from './jobs.controller.js';

const MAX_ITEMS = 100;
const BODY = { type: 'object', additionalProperties: true };

const OBJECT = withSchema(BODY, (value) => (isRecord(value) ? undefined : 'must be an object'));
const INPUTS = withSchema({ type: 'array', items: BODY, minItems: 1, maxItems: MAX_ITEMS }, (value) =>
  Array.isArray(value) && value.length >= 1 && value.length <= MAX_ITEMS
    ? undefined
    : `must be a list of 1 to ${MAX_ITEMS} bodies of the tool${Array.isArray(value) ? `, received ${value.length}` : ''}`,
);

export class BatchRequestDto {
  static readonly sample = {
    tool: 'summarize_content',
    inputs: [{ content_id: 'sampleTalk1' }, { content_id: 'sampleTalk2' }],
  } as const;

  @RequiredField(oneOfRule(TOOL_NAMES), 'The tool.', { example: 'summarize_content' })
  tool!: ToolName;

  @RequestField(INPUTS, 'Bodies of the tool. Send this, or `list`.')
  inputs?: unknown[];

  @RequestField(OBJECT, 'A body of `list_videos`: the tool gets each of its videos, 100 at most.')
  list?: object;

  @RequestField(OBJECT, 'With `list`: the other fields of each body.')
  input?: object;

  @RequestField(OBJECT, '`{ url, secret_name }`: gets one signed POST when all items have ended.')
  webhook?: object;
}

const COUNTS = ['total', 'queued', 'active', 'done', 'failed'];
const COUNTS_SCHEMA = {
  type: 'object',
  required: COUNTS,
  properties: Object.fromEntries(COUNTS.map((name) => [name, COUNT])),
};

class BatchItemDto {
  @Field('Its place in `inputs` or in the list, from 0.', 0, COUNT)
  index!: number;

  @Field('`queued`, `active`, `done` or `failed`.', 'done', { enum: ['queued', 'active', 'done', 'failed'] })
  state!: string;

  @OptionalField('The body that the plain request returns.', undefined, BODY)
  result?: object;

  @OptionalField('The error body that the plain request returns.', undefined, BODY)
  error?: object;
}

export class BatchDto {
  @Field('Id of the batch.', '3f1c9a0be7d24c5f8a6b1d0e9c7f2a34')
  id!: string;

  @Field('The tool.', 'summarize_content', { enum: TOOL_NAMES })
  tool!: ToolName;

  @Field('`active`, or `done` when all items have ended.', 'active', { enum: ['active', 'done'] })
  state!: string;

  @Field('When it was submitted, ISO 8601.', '2026-01-31T12:00:00.000Z', { format: 'date-time' })
  created_at!: string;

  @Field(
    'Items in all; waiting, in work, with a result, with an error.',
    { total: 2, queued: 0, active: 1, done: 1, failed: 0 },
    COUNTS_SCHEMA,
  )
  counts!: Batch['counts'];

  @Field('Up to 20 items in their order; fewer where results are long.', [BatchItemDto])
  items!: BatchItemDto[];

  @OptionalField('Send it as `cursor` for the next items; absent at the end.', '20')
  next_cursor?: string;

  @OptionalField(
    'How the webhook went: `state` (`pending`, `delivered`, `failed`), `attempts`, `error`.',
    undefined,
    BODY,
  )
  webhook?: object;
}

const ApiBatch = (status: number): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(BatchDto),
    ApiResponse({
      status,
      description: 'The batch.',
      content: { 'application/json': { schema: { $ref: schemaPath(BatchDto) } } },
    }),
  );

function toDto({ id, tool, createdAt, counts, items, next, webhook }: Batch): BatchDto {
  const state = counts.queued + counts.active > 0 ? 'active' : 'done';
  const more = {
    ...(next === undefined ? {} : { next_cursor: String(next) }),
    ...(webhook ? { webhook } : {}),
  };
  return { id, tool, state, created_at: createdAt, counts, items, ...more };
}

/** The controller of `…/batches` for one registration. */
export function batchesController(mount: Mount): Type<unknown> {
  const suffix = mount.operationIdSuffix;
  const ID = ApiParam({ name: 'id', description: 'Id of the batch.', schema: { type: 'string' } });

  @ToolsController(mount, 'batches')
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
    @ApiBatch(202)
    @ApiErrors({
      400: refusal(
        '`invalid_request`: as for the tools; `list`: what `list_videos` refuses.',
        'inputs',
        'is required, or list',
      ),
      ...SHARED_ERRORS,
    })
    async create(
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): Promise<BatchDto> {
      const body = parseRequest({ request: BatchRequestDto }, jsonBody(request)) as BatchRequestDto;
      const webhook = this.jobs.webhookOf(body);
      const { signal } = this.inFlight.begin(response);
      const requestId = beginAnswer(request, response);
      const owner = callerOf(request);
      const identity = identityOf(request);
      for (const name of [body.tool, ...(body.list ? (['list_videos'] as const) : [])])
        if (identity) checkTool(identity, name);
      const inputs = body.list ? await this.listed(body, request, requestId, signal) : inputsOf(body);
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
      const id = await this.batches.submit(job, items);
      setResponseHeader(response, 'Location', jobAddress(request, id, 'batches'));
      return toDto(await this.batches.find(id, owner.id, 0));
    }

    @Get('batches/:id')
    @ApiOperation({
      operationId: `getBatch${suffix}`,
      summary: 'Look at a batch',
      description: 'Counts, and items in pages.',
    })
    @ID
    @ApiParam({
      in: 'query',
      name: 'cursor',
      required: false,
      description: '`next_cursor` of the page before.',
      schema: { type: 'string' },
    })
    @ApiBatch(200)
    @ApiErrors(JOB_ERRORS)
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
      return toDto(batch);
    }

    @Delete('batches/:id')
    @HttpCode(204)
    @ApiOperation({
      operationId: `cancelBatch${suffix}`,
      summary: 'Cancel a batch',
      description: 'Stops its items, or forgets a batch that has ended.',
    })
    @ID
    @ApiResponse({ status: 204, description: 'Cancelled; there is no such batch any more.' })
    @ApiErrors(JOB_ERRORS)
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
      { inputs, list, input }: BatchRequestDto,
      request: ToolRequest,
      requestId: string,
      signal: AbortSignal,
    ): Promise<object[]> {
      if (inputs !== undefined) throw refused('inputs', 'cannot be sent with list');
      const tool = TOOLS.find(({ name }) => name === 'list_videos')!;
      const caller = callerOf(request);
      await this.limits.take(caller, tool.name, () => undefined);
      try {
        const dto = parseRequest(tool, list) as { max_results: number };
        if (dto.max_results > MAX_ITEMS)
          throw refused('max_results', `must not be greater than ${MAX_ITEMS}`);
        const data = (await this.calls.run(tool, dto, { caller, signal, requestId })) as {
          items: { content_id: string }[];
        };
        return data.items.map(({ content_id }) => ({ ...input, content_id }));
      } catch (error) {
        throw error instanceof InvalidRequestError ? below('list', error) : error;
      }
    }
  }
  return BatchesController;
}

function inputsOf({ inputs, input }: BatchRequestDto): unknown[] {
  if (inputs === undefined) throw refused('inputs', 'is required, or list');
  if (input !== undefined) throw refused('input', 'is for list');
  return inputs;
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
