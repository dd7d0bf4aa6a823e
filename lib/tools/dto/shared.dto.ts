import type { Type } from '@nestjs/common';
import { ERROR_CODES } from '../../core/errors.js';
import { memoized } from '../../core/openapi.js';
import type { ModelUsage } from '../../core/usage.js';
import type { Warning } from '../../core/warning.js';
import { REASONS, type Reason } from '../../grounding/unsupported.js';
import type { ToolDefinition } from '../tool-definition.js';
import { AMOUNT, COUNT, Field, OptionalField, SHARE } from '../request-fields.js';

/** The request id in the examples of the document. */
export const SAMPLE_REQUEST_ID = '0f6b7c1e-5d0a-4a57-9b0f-2f3f7b9f6a11';

const REQUEST_ID = Field('Id of the request, as in the header X-Request-Id.', SAMPLE_REQUEST_ID, {
  minLength: 1,
  maxLength: 128,
});

/** Something the caller should know although the request succeeded. */
export class WarningDto {
  declare readonly '~result': Warning;

  @Field('Stable, machine-readable name.', 'output_language_not_honoured')
  code!: string;

  @Field('What happened, one sentence.', 'The summary is in en, the language of the transcript.')
  message!: string;
}

export class UsageDto {
  declare readonly '~result': ModelUsage;

  @Field('Calls to the model.', 7, COUNT)
  model_calls!: number;

  @Field('Tokens sent.', 12840, COUNT)
  input_tokens!: number;

  @Field('Tokens received.', 1630, COUNT)
  output_tokens!: number;
}

/** A statement of the text that the checks could not find in the sources. */
export class UnsupportedDto {
  @Field('The statement, without source numbers.', 'It was opened in 1964.', { agents: 'shortened' })
  text!: string;

  @Field(
    '`value`, `name`, `quotation`: no source has the number, unit or date, the name, or the quoted words. `contradicted`, `not_said`: a second look (option `verify`) found that the sources say otherwise, or do not say it. `few_words_in_common`: a weak sign only, the text has no mark for it.',
    'value',
    { enum: REASONS },
  )
  reason!: Reason;
}

export const unsupported = (agents?: 'hidden'): PropertyDecorator =>
  OptionalField(
    'Statements of the text that the checks could not find in the sources; absent if there are none. Where a value, name or quotation is not supported, the text has `[?]`.',
    [UnsupportedDto],
    { absentWhenEmpty: true, agents },
  );

export const CITATION_NUMBER = Field('The number in brackets in the answer.', 1, {
  type: 'integer',
  minimum: 1,
});

export const FIELD_PROBABILITY = Field('Estimated probability that the value is right.', 0.9, SHARE);

class SpeechUsageDto {
  @Field('Minutes of sound that were sent.', 12.5, AMOUNT)
  minutes!: number;

  @Field('In the currency of the host.', 0.075, AMOUNT)
  cost!: number;
}

/** Usage of a tool that reads content: also recognized speech. */
export class ContentUsageDto extends UsageDto {
  @OptionalField('Speech that was recognized, because the content has no captions.', SpeechUsageDto)
  speech?: SpeechUsageDto;
}

export const CONTENT_USAGE = OptionalField('Present if a model was used.', ContentUsageDto, {
  agents: 'hidden',
});

/** What the data of every tool has. */
export abstract class ResultDto {
  @Field('True if it was made for an earlier request.', false, { agents: 'hidden' })
  cached!: boolean;

  @OptionalField('Warnings about the result; absent if there are none.', [WarningDto], {
    absentWhenEmpty: true,
  })
  warnings!: WarningDto[];
}

export class FieldErrorDto {
  @Field('Name of the field.', 'top_n')
  field!: string;

  @Field('What is wrong with it.', 'top_n must not be greater than 20')
  message!: string;
}

export class ErrorDto {
  @Field('The HTTP status again.', 400, { type: 'integer', minimum: 400, maximum: 599 })
  statusCode!: number;

  @Field('Reason phrase of the status.', 'Bad Request')
  error!: string;

  @Field('What went wrong; a list for 400, else one sentence.', ['top_n must not be greater than 20'], {
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  })
  message!: string | string[];

  @Field('Stable, machine-readable name.', 'invalid_request', { enum: Object.keys(ERROR_CODES) })
  code!: string;

  @REQUEST_ID
  request_id!: string;

  @OptionalField(
    'Details: for 400 the refused fields (`[{field, message}]`), for content errors `{reason, attempts}`.',
    [{ field: 'top_n', message: 'top_n must not be greater than 20' }],
    {
      oneOf: [
        { type: 'array', items: { $ref: '#/components/schemas/FieldErrorDto' } },
        { type: 'object', additionalProperties: true },
      ],
    },
  )
  details?: unknown;

  @OptionalField(
    'In an `error` event only: whether the same request may succeed, as `X-Should-Retry` says.',
    true,
  )
  should_retry?: boolean;

  @OptionalField('In an `error` event only: seconds to wait, as `Retry-After` says.', 30, {
    type: 'integer',
    minimum: 1,
  })
  retry_after_seconds?: number;
}

/** The members around `data` in the answers of the tools. */
export abstract class EnvelopeDto {
  @REQUEST_ID
  request_id!: string;

  @Field('Time taken by the server, in seconds.', 0.042, AMOUNT)
  seconds_taken!: number;
}

/** The class of a tool's successful answer, e.g. `SearchWebResponseDto`. */
export const envelopeOf = memoized(({ name, answer, data }: ToolDefinition): Type<EnvelopeDto> => {
  const title = `${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}ResponseDto`;
  const envelope = { [title]: class extends EnvelopeDto {} }[title]!;
  Field(answer, data)(envelope.prototype, 'data');
  return envelope;
});
