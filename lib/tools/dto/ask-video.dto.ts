import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { isRecord } from '../../core/schema.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import { SAMPLE_VIDEO, VideoRequestDto } from './content.dto.js';
import { Follows, oneOf, optional, OUTPUT_SCHEMA, type Rule } from '../field-rules.js';
import { MAX_QUERY_LENGTH, OUTPUT_SCHEMA_SHAPE, OUTPUT_SCHEMA_TEXT, QUERY } from './search-web.dto.js';

const MAX_PAIRS = 5;
const MAX_CONTEXT = 4000;

const CONTEXT: Rule = (value) => {
  const isPair = (pair: unknown): boolean =>
    isRecord(pair) &&
    Object.keys(pair).every((key) => key === 'question' || key === 'answer') &&
    typeof pair.question === 'string' &&
    typeof pair.answer === 'string';
  if (!Array.isArray(value) || !value.every(isPair))
    return 'must be a list of objects with the strings question and answer';
  if (value.length > MAX_PAIRS) return `must have at most ${MAX_PAIRS} pairs, the latest last`;
  const length = (value as AskedBeforeDto[]).reduce(
    (sum, pair) => sum + pair.question.length + pair.answer.length,
    0,
  );
  return length > MAX_CONTEXT ? `must have at most ${MAX_CONTEXT} characters in all` : undefined;
};

/** A question and its answer, earlier in the conversation. */
export class AskedBeforeDto {
  @ApiProperty({ description: 'The earlier question.', example: 'Who builds the reefs?' })
  question!: string;

  @ApiProperty({ description: 'Its answer.', example: 'Coral polyps build them from limestone.' })
  answer!: string;
}

/** The body of `POST ask_video`. */
export class AskVideoDto extends VideoRequestDto {
  static readonly sample = { content_id: SAMPLE_VIDEO, question: 'Why do corals bleach?' } as const;

  @ApiProperty({
    description: 'The question.',
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    example: 'Why do corals bleach?',
  })
  @Follows(QUERY)
  question!: string;

  @ApiPropertyOptional({
    description:
      'Language of the answer. Default: that of the question. Without a model the answer quotes the video.',
    enum: LANGUAGES,
    example: 'en',
  })
  @Follows(optional(oneOf(LANGUAGES)))
  output_language?: Language;

  @ApiPropertyOptional({
    type: [AskedBeforeDto],
    description: `Up to ${MAX_PAIRS} earlier questions with their answers, the latest last, at most ${MAX_CONTEXT} characters in all. They only tell what "he" or "that" refers to. Needs a model.`,
    maxItems: MAX_PAIRS,
  })
  @Follows(optional(CONTEXT))
  context?: AskedBeforeDto[];

  @ApiPropertyOptional({
    description: `The form of \`llm.output\`. ${OUTPUT_SCHEMA_TEXT}`,
    ...OUTPUT_SCHEMA_SHAPE,
  })
  @Follows(OUTPUT_SCHEMA)
  output_schema?: Record<string, unknown>;
}
