import { applyDecorators } from '@nestjs/common';
import { JobDto } from './dto/job.dto.js';
import type { Mount } from './mount-controller.js';
import { ApiExtraModels, ApiHeader, ApiResponse, schemaPath } from './openapi-metadata.js';

/** Documents that a request can become a job; nothing where the host has no jobs. */
export function ApiAsync({ jobs }: Mount): MethodDecorator & ClassDecorator {
  if (!jobs) return () => undefined;
  return applyDecorators(
    ApiExtraModels(JobDto),
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`respond-async`: answered at once with 202 and the address of a job (RFC 7240). Equal requests of one key are one job.',
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 202,
      description: 'The job, asked for with `Prefer: respond-async`.',
      headers: {
        Location: { description: 'Address of the job.', schema: { type: 'string' } },
        'Preference-Applied': { description: '`respond-async`.', schema: { type: 'string' } },
      },
      content: { 'application/json': { schema: { $ref: schemaPath(JobDto) } } },
    }),
  );
}
