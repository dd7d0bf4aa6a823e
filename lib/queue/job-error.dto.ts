import { ERROR_CODES } from '../core/errors/index.js';
import { ErrorDto } from '../http/dto/shared-response.dto.js';
import { ApiProperty } from '../http/openapi-metadata.js';

/** The body of every error at the address of a job. */
export class JobErrorDto extends ErrorDto {
  @ApiProperty({
    description: 'Stable, machine-readable name.',
    enum: Object.keys(ERROR_CODES),
    example: 'job_not_found',
  })
  declare code: string;
}
