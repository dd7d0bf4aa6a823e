import { ApiPropertyOptional } from '../../core/openapi.js';
import { SAMPLE_VIDEO, VideoRequestDto } from './content.dto.js';
import { Follows, integer, oneOf, optional, requiredString, type Rule } from '../field-rules.js';

const TRANSCRIPT_FORMATS = ['segments', 'text', 'srt', 'vtt'] as const;

/** The form of a transcript. */
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Most tokens of an answer, estimated. */
const MAX_TRANSCRIPT_TOKENS = 100_000;
export const DEFAULT_TRANSCRIPT_TOKENS = 20_000;
const MAX_LANGUAGES = 10;
const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/;

const LANGUAGE_PREFERENCE: Rule = (value) => {
  const tags: unknown[] = Array.isArray(value) ? value : [value];
  const isSound =
    tags.length > 0 &&
    tags.length <= MAX_LANGUAGES &&
    tags.every((tag) => typeof tag === 'string' && LANGUAGE_TAG.test(tag));
  return isSound
    ? undefined
    : `must be a language code such as "en" or "pt-BR", or a list of 1 to ${MAX_LANGUAGES} codes by preference`;
};

const SECONDS: Rule = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? undefined
    : 'must be a number of seconds of at least 0';

/** The body of `POST get_transcript`. */
export class GetTranscriptDto extends VideoRequestDto {
  static readonly sample = { content_id: SAMPLE_VIDEO, format: 'segments' } as const;

  @ApiPropertyOptional({
    description:
      'Language of the transcript, BCP 47, or a list by preference. Default: the spoken language. It also comes where none of them is there, with a warning.',
    oneOf: [
      { type: 'string', pattern: LANGUAGE_TAG.source },
      {
        type: 'array',
        items: { type: 'string', pattern: LANGUAGE_TAG.source },
        minItems: 1,
        maxItems: MAX_LANGUAGES,
      },
    ],
    example: 'en',
  })
  @Follows(optional(LANGUAGE_PREFERENCE))
  language?: string | string[];

  @ApiPropertyOptional({
    description:
      '`segments`: pieces with their times. `text`: paragraphs with their times, chapters as headings. `srt`, `vtt`: a subtitle file.',
    enum: TRANSCRIPT_FORMATS,
    default: 'segments',
    example: 'segments',
  })
  @Follows(oneOf(TRANSCRIPT_FORMATS))
  format: TranscriptFormat = 'segments';

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    description: 'Only what is said from this second on.',
    example: 0,
  })
  @Follows(optional(SECONDS))
  from_seconds?: number;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    description: 'Only what is said before this second.',
    example: 600,
  })
  @Follows(optional(SECONDS))
  to_seconds?: number;

  @ApiPropertyOptional({
    description: 'Most tokens of the answer, estimated. The rest comes with `next_cursor`.',
    type: 'integer',
    minimum: 100,
    maximum: MAX_TRANSCRIPT_TOKENS,
    default: DEFAULT_TRANSCRIPT_TOKENS,
    example: DEFAULT_TRANSCRIPT_TOKENS,
  })
  @Follows(integer(100, MAX_TRANSCRIPT_TOKENS))
  max_tokens = DEFAULT_TRANSCRIPT_TOKENS;

  @ApiPropertyOptional({
    description: '`next_cursor` of the answer before, with the same other fields.',
    maxLength: 40,
    example: '120.843',
  })
  @Follows(optional(requiredString()))
  cursor?: string;
}
