import { TOOL_NAMES, type ToolName } from '../core/request-event.js';
import { check, documented, isRecord, oneOf } from '../core/schema.js';
import { WarningDto } from '../tools/dto/shared.dto.js';
import { COUNT, Field, OptionalField, RequestField, RequiredField } from '../tools/request-fields.js';

/** As the API promises. */
export const MAX_ITEMS = 100;
const BODY = { type: 'object', additionalProperties: true };

const OBJECT = documented(BODY, check('an object', isRecord));
const INPUTS = documented(
  { type: 'array', items: BODY, minItems: 1, maxItems: MAX_ITEMS },
  check(
    `a list of 1 to ${MAX_ITEMS} bodies of the tool`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_ITEMS,
  ),
);

export class BatchRequestDto {
  static readonly sample = {
    tool: 'summarize_content',
    inputs: [{ content_id: 'sampleTalk1' }, { content_id: 'sampleTalk2' }],
  } as const;

  @RequiredField(oneOf(...TOOL_NAMES), 'The tool.', { example: 'summarize_content' })
  tool!: ToolName;

  @RequestField(INPUTS, 'Bodies of the tool. Send this, or `list`.')
  inputs?: unknown[];

  @RequestField(
    OBJECT,
    'A body of `list_videos`: the tool gets each of its videos, 100 at most and by default.',
  )
  list?: object;

  @RequestField(OBJECT, 'With `list`: the other fields of each body.')
  input?: object;

  @RequestField(OBJECT, '`{ url, secret_name }`: gets one signed POST when all items have ended.')
  webhook?: object;
}

const STATES = ['queued', 'active', 'done', 'failed'] as const;
export type ItemState = (typeof STATES)[number];

const COUNTS = ['total', ...STATES];
const COUNTS_SCHEMA = {
  type: 'object',
  required: COUNTS,
  properties: Object.fromEntries(COUNTS.map((name) => [name, COUNT])),
};

export class BatchItemDto {
  @Field('Its place in `inputs` or in the list, from 0.', 0, COUNT)
  index!: number;

  @Field('`queued`, `active`, `done` or `failed`.', 'done', { enum: STATES })
  state!: ItemState;

  @OptionalField('The body that the plain request returns; gone when results have expired.', undefined, BODY)
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
  counts!: Record<ItemState | 'total', number>;

  @Field('Up to 20 items in their order; fewer where results are long.', [BatchItemDto])
  items!: BatchItemDto[];

  @OptionalField('Send it as `cursor` to this address for the next items; absent at the end.', '20')
  next_cursor?: string;

  @OptionalField(
    'The list has more videos: send it as `cursor` in `list` of another batch. Absent at the end of the list.',
    '100.cR5mD0Qx',
  )
  list_cursor?: string;

  @OptionalField('Warnings of `list`, e.g. that the list broke off.', [WarningDto])
  warnings?: WarningDto[];

  @OptionalField(
    'How the webhook went: `state` (`pending`, `delivered`, `failed`), `attempts`, `error`.',
    undefined,
    BODY,
  )
  webhook?: object;
}
