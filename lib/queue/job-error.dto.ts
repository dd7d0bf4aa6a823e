import { ERROR_CODES } from '../core/errors/index.js';
import { ErrorDto } from '../tools/dto/shared-response.dto.js';
import { ApiProperty } from '../core/openapi.js';

/** The body of every error at the address of a job. */
export class JobErrorDto extends ErrorDto {
  @ApiProperty({
    description: 'Stable, machine-readable name.',
    enum: Object.keys(ERROR_CODES),
    example: 'job_not_found',
  })
  declare code: string;
}
