import { ERROR_CODES } from '../../core/errors.js';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { REASONS, type Reason } from '../../grounding/unsupported.js';

/** The request id in the examples of the document. */
export const SAMPLE_REQUEST_ID = '0f6b7c1e-5d0a-4a57-9b0f-2f3f7b9f6a11';

const REQUEST_ID = {
  description: 'Id of the request, as in the header X-Request-Id.',
  minLength: 1,
  maxLength: 128,
  example: SAMPLE_REQUEST_ID,
};

/** Something the caller should know although the request succeeded. */
export class WarningDto {
  @ApiProperty({ description: 'Stable, machine-readable name.', example: 'output_language_not_honoured' })
  code!: string;

  @ApiProperty({
    description: 'What happened, one sentence.',
    example: 'The summary is in en, the language of the transcript.',
  })
  message!: string;
}

/** Model calls and tokens that were paid for. */
export class UsageDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Calls to the model.', example: 7 })
  model_calls!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tokens sent.', example: 12840 })
  input_tokens!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Tokens received.', example: 1630 })
  output_tokens!: number;
}

/** A statement of the text that the checks could not find in the sources. */
export class UnsupportedDto {
  @ApiProperty({ description: 'The statement, without source numbers.', example: 'It was opened in 1964.' })
  text!: string;

  @ApiProperty({
    enum: REASONS,
    description:
      '`value`, `name`, `quotation`: no source has the number, unit or date, the name, or the quoted words. `contradicted`, `not_said`: a second look (option `verify`) found that the sources say otherwise, or do not say it. `few_words_in_common`: a weak sign only, the text has no mark for it.',
    example: 'value',
  })
  reason!: Reason;
}

/** The field `unsupported` of a result. */
export const UNSUPPORTED = {
  type: [UnsupportedDto] as const,
  description:
    'Statements of the text that the checks could not find in the sources; absent if there are none. Where a value, name or quotation is not supported, the text has `[?]`.',
};

/** The number of a citation. */
export const CITATION_NUMBER = {
  type: 'integer',
  minimum: 1,
  description: 'The number in brackets in the answer.',
  example: 1,
};
/** The fields of a value of `output` that has a source. */
export const OUTPUT_FIELD = { description: 'JSON pointer into `output`.', example: '/cause' };
export const FIELD_PROBABILITY = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'Estimated probability that the value is right.',
  example: 0.9,
};

/** Speech that was recognised. */
class SpeechUsageDto {
  @ApiProperty({ type: 'number', minimum: 0, description: 'Minutes of sound that were sent.', example: 12.5 })
  minutes!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'In the currency of the host.', example: 0.075 })
  cost!: number;
}

/** Usage of a tool that reads content: also recognised speech. */
export class ContentUsageDto extends UsageDto {
  @ApiPropertyOptional({
    type: SpeechUsageDto,
    description: 'Speech that was recognised, because the content has no captions.',
  })
  speech?: SpeechUsageDto;
}

/** The field `usage` of a tool that reads content. */
export const CONTENT_USAGE = { type: ContentUsageDto, description: 'Present if a model was used.' };
const WARNINGS = {
  type: [WarningDto] as const,
  description: 'Warnings about the result; absent if there are none.',
};

/** What the data of every tool has. */
export abstract class ResultDto {
  @ApiProperty({ description: 'True if it was made for an earlier request.', example: false })
  cached!: boolean;

  @ApiPropertyOptional(WARNINGS)
  warnings?: WarningDto[];
}

/** One refused field of a request. */
export class FieldErrorDto {
  @ApiProperty({ description: 'Name of the field.', example: 'top_n' })
  field!: string;

  @ApiProperty({ description: 'What is wrong with it.', example: 'top_n must not be greater than 20' })
  message!: string;
}

/** Error codes of a tool. The errors of jobs come from their own addresses. */
const TOOL_ERROR_CODES = Object.keys(ERROR_CODES).filter((code) => !code.startsWith('job_'));

/** The body of every error. */
export class ErrorDto {
  @ApiProperty({
    type: 'integer',
    minimum: 400,
    maximum: 599,
    description: 'The HTTP status again.',
    example: 400,
  })
  statusCode!: number;

  @ApiProperty({ description: 'Reason phrase of the status.', example: 'Bad Request' })
  error!: string;

  @ApiProperty({
    description: 'What went wrong; a list for 400, else one sentence.',
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: ['top_n must not be greater than 20'],
  })
  message!: string | string[];

  @ApiProperty({
    description: 'Stable, machine-readable name.',
    enum: TOOL_ERROR_CODES,
    example: 'invalid_request',
  })
  code!: string;

  @ApiProperty(REQUEST_ID)
  request_id!: string;

  @ApiPropertyOptional({
    description:
      'Details: for 400 the refused fields (`[{field, message}]`), for content errors `{reason, attempts}`.',
    oneOf: [
      { type: 'array', items: { $ref: '#/components/schemas/FieldErrorDto' } },
      { type: 'object', additionalProperties: true },
    ],
    example: [{ field: 'top_n', message: 'top_n must not be greater than 20' }],
  })
  details?: unknown;

  @ApiPropertyOptional({
    description: 'In an `error` event only: whether the same request may succeed, as `X-Should-Retry` says.',
    example: true,
  })
  should_retry?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'In an `error` event only: seconds to wait, as `Retry-After` says.',
    example: 30,
  })
  retry_after_seconds?: number;
}

/** The members around `data` in the answers of the tools. */
export abstract class EnvelopeDto {
  @ApiProperty(REQUEST_ID)
  request_id!: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    description: 'Time taken by the server, in seconds.',
    example: 0.042,
  })
  seconds_taken!: number;
}
