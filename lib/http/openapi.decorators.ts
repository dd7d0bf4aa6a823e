import { STATUS_CODES } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  schemaPath,
  type Model,
  type OpenApiSchema,
} from '../core/openapi.js';
import { envelopeOf, ErrorDto, FieldErrorDto, SAMPLE_REQUEST_ID } from '../tools/dto/shared.dto.js';
import type { DocumentedError, ToolDefinition } from '../tools/tool-definition.js';
import { JobDto } from './job-intake.js';
import type { Mount } from './tools-controller.decorator.js';

const header = (description: string, schema: OpenApiSchema): OpenApiSchema => ({ description, schema });

const REQUEST_ID_HEADER = {
  'X-Request-Id': header('Id of the request.', { type: 'string', minLength: 1, maxLength: 128 }),
};
const SHOULD_RETRY_HEADER = {
  'X-Should-Retry': header('Whether the same request can succeed later.', {
    type: 'string',
    enum: ['true', 'false'],
  }),
};
const RETRY_AFTER_HEADER = { 'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }) };
const AUTHENTICATE_HEADER = {
  'WWW-Authenticate': header(
    'How to authenticate: `ApiKey realm="tools", header="X-API-Key", Bearer realm="tools"`.',
    { type: 'string' },
  ),
};
/** Sent where the host has set a limit for the caller. */
const RATE_LIMIT_HEADERS = {
  RateLimit: header('What is left: `"requests";r=50;t=30`.', { type: 'string' }),
  'RateLimit-Policy': header('The limit: `"requests";q=60;w=60`.', { type: 'string' }),
};
const SUCCESS_HEADERS = { ...REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS };

/** Documents the route of a tool: request, answer, jobs and errors. */
export function ApiTool(tool: ToolDefinition, mount: Mount): MethodDecorator & ClassDecorator {
  const operationId = tool.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return applyDecorators(
    ApiOperation({
      operationId: operationId + mount.operationIdSuffix,
      summary: tool.title,
      description:
        `${tool.description} With \`Accept: text/event-stream\` the same request streams: \`progress\` {stage, done, total}, ` +
        '`delta` {text}, then one `result` (this body) or one `error`. Requests rejected before work starts get a normal HTTP error ' +
        'instead of a stream.',
    }),
    ApiBody({ type: tool.request, examples: { sample: { value: tool.request.sample } } }),
    ApiAnswer(200, tool.answer, envelopeOf(tool), {
      headers: SUCCESS_HEADERS,
      events: {
        description:
          'Server-sent events, asked for with `Accept: text/event-stream`: `progress` {stage, done, total} at each step, `delta` ' +
          '{text} as text is written, then one `result` (the same JSON body) or one `error` (the error body, with `should_retry` and ' +
          '`retry_after_seconds`; the status is 200).',
        example: 'event: progress\ndata: {"stage":"transcript"}\n\n',
      },
    }),
    ...(mount.jobs ? [ApiAsync()] : []),
    ApiErrors({ ...tool.errors, ...SHARED_ERRORS }),
  );
}

function ApiAsync(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`respond-async`: answered at once with 202 and the address of a job (RFC 7240). Equal requests of one key are one job. The body may then have `webhook`: `{ url, secret_name }`, told when the job has ended.',
      schema: { type: 'string' },
    }),
    ApiAnswer(202, 'The job, asked for with `Prefer: respond-async`.', JobDto, {
      headers: {
        Location: header('Address of the job.', { type: 'string' }),
        'Preference-Applied': header('`respond-async`.', { type: 'string' }),
      },
    }),
  );
}

/** Documents an answer of a model as JSON, and as server-sent events where `events` says what they are. */
export const ApiAnswer = (
  status: number,
  description: string,
  model: Model,
  { headers, events }: { headers?: Record<string, OpenApiSchema>; events?: OpenApiSchema } = {},
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status,
      description,
      ...(headers ? { headers } : {}),
      content: {
        'application/json': { schema: { $ref: schemaPath(model) } },
        ...(events ? { 'text/event-stream': { schema: { type: 'string', ...events } } } : {}),
      },
    }),
  );

export function ApiErrors(errors: Record<number, DocumentedError>): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorDto, FieldErrorDto),
    ...Object.entries(errors).map(([status, { description, code, message, details }]) =>
      ApiResponse({
        status: Number(status),
        description,
        headers: {
          ...REQUEST_ID_HEADER,
          ...SHOULD_RETRY_HEADER,
          ...(status === '401' ? AUTHENTICATE_HEADER : {}),
          ...(status === '429' || status === '503' ? RETRY_AFTER_HEADER : {}),
          ...(status === '429' ? RATE_LIMIT_HEADERS : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: schemaPath(ErrorDto) },
            example: {
              statusCode: Number(status),
              error: STATUS_CODES[status],
              message,
              code,
              request_id: SAMPLE_REQUEST_ID,
              ...(details === undefined ? {} : { details }),
            },
          },
        },
      }),
    ),
  );
}

export const SHARED_ERRORS: Record<number, DocumentedError> = {
  401: {
    description:
      '`missing_api_key` or `invalid_api_key` (unknown, revoked or expired); `unauthorized`: a guard of the host refused the request.',
    code: 'missing_api_key',
    message: 'Send your API key in the header X-API-Key.',
  },
  403: {
    description:
      '`forbidden_tool`: the key may not use this tool; `forbidden`: a guard of the host refused the request.',
    code: 'forbidden_tool',
    message: 'This API key may not use search_web.',
  },
  413: {
    description: '`payload_too_large`: the body is larger than the host accepts.',
    code: 'payload_too_large',
    message: 'The request body is larger than this server accepts.',
  },
  415: {
    description: '`unsupported_media_type`: the body is not sent as JSON.',
    code: 'unsupported_media_type',
    message: 'Content-Type must be application/json.',
  },
  429: {
    description: '`rate_limited`: a limit is used up; `Retry-After` says when to send the request again.',
    code: 'rate_limited',
    message: 'The limit of 60 requests in 60 seconds is used up.',
  },
  500: {
    description: '`internal_error`: a defect of the server.',
    code: 'internal_error',
    message: 'Something went wrong on our side.',
  },
  501: {
    description:
      '`method_unavailable` or `not_configured`: the host has not configured what this request needs; the message names the option.',
    code: 'not_configured',
    message: 'This server does not offer search_web (option `search` is false).',
  },
  502: {
    description: '`upstream_invalid`: a service gave an answer that cannot be read.',
    code: 'upstream_invalid',
    message: 'The upstream answered with something that is not JSON.',
  },
  503: {
    description:
      '`upstream_unavailable`: a service is down, blocks or limits this server, and no other one could help; or the server is busy.',
    code: 'upstream_unavailable',
    message: 'The upstream is not available at the moment.',
  },
  504: {
    description: '`upstream_timeout`: the deadline of the request passed.',
    code: 'upstream_timeout',
    message: 'The request took longer than its deadline of 8000 ms.',
  },
};
