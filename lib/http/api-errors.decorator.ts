import { applyDecorators } from '@nestjs/common';
import { ErrorDto, FieldErrorDto } from './dto/shared-response.dto.js';
import { ApiExtraModels, ApiResponse } from './swagger.js';

const REQUEST_ID_HEADER = {
  'X-Request-Id': { description: 'Id of the request.', schema: { type: 'string' as const } },
};
const SHOULD_RETRY_HEADER = {
  'X-Should-Retry': {
    description: 'Whether sending the same request again makes sense.',
    schema: { type: 'string' as const, enum: ['true', 'false'] },
  },
};
const RETRY_AFTER_HEADER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const, minimum: 1 } },
};
/** Headers that say what is left of the caller's limit; sent where the host has set one. */
export const RATE_LIMIT_HEADERS = {
  RateLimit: { description: 'What is left: `"requests";r=50;t=30`.', schema: { type: 'string' as const } },
  'RateLimit-Policy': {
    description: 'The limit: `"requests";q=60;w=60`.',
    schema: { type: 'string' as const },
  },
};
export const SUCCESS_HEADERS = { ...REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS };

/** Documents error statuses, each with the error body. */
export function ApiErrors(descriptions: Record<number, string>): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiExtraModels(FieldErrorDto),
    ...Object.entries(descriptions).map(([status, description]) =>
      ApiResponse({
        status: Number(status),
        description,
        type: ErrorDto,
        headers: {
          ...REQUEST_ID_HEADER,
          ...SHOULD_RETRY_HEADER,
          ...(status === '429' || status === '503' ? RETRY_AFTER_HEADER : {}),
          ...(status === '429' ? RATE_LIMIT_HEADERS : {}),
        },
      }),
    ),
  );
}

/** The statuses that both tools can answer with. */
export const SHARED_ERRORS: Record<number, string> = {
  401: '`missing_api_key` or `invalid_api_key` (unknown, revoked or expired).',
  403: '`forbidden_tool`: the key may not use this tool.',
  413: '`payload_too_large`: the body is larger than the host accepts.',
  415: '`unsupported_media_type`: the body is not sent as JSON.',
  429: '`rate_limited`: the limit is used up; `Retry-After` says when there is more.',
  500: '`internal_error`: ours to fix.',
  501: '`method_unavailable` or `not_configured`: the host has not configured what this request needs; the message names the option.',
  502: '`upstream_invalid`: an upstream answered with something unreadable.',
  503: '`upstream_unavailable`: blocked, rate-limited or down upstream, after fallbacks.',
  504: '`upstream_timeout`: the deadline of the request passed.',
};
