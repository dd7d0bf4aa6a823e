import type { Chapter } from '../../content/content-source.js';
import { check, documented, integer, number, oneOf } from '../../core/schema.js';
import { CURSOR } from '../cursor.js';
import { AMOUNT, Field, OptionalField, RequestField } from '../request-fields.js';
import { ContentDto, SAMPLE_VIDEO, VideoRequestDto } from './content.dto.js';
import { CONTENT_USAGE, ResultDto, type ContentUsageDto } from './shared.dto.js';

const TRANSCRIPT_FORMATS = ['segments', 'text', 'srt', 'vtt'] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Most tokens of an answer, estimated; as the API promises. */
const MAX_TRANSCRIPT_TOKENS = 100_000;
export const DEFAULT_TRANSCRIPT_TOKENS = 20_000; // as the API promises
/** More than a caller speaks; a plain bound. */
const MAX_LANGUAGES = 10;
const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/;

const TAG = { type: 'string', pattern: LANGUAGE_TAG.source };

const LANGUAGE_PREFERENCE = documented(
  { oneOf: [TAG, { type: 'array', items: TAG, minItems: 1, maxItems: MAX_LANGUAGES }] },
  check(
    `a language code such as "en" or "pt-BR", or a list of 1 to ${MAX_LANGUAGES} codes by preference`,
    (value) => {
      const tags: unknown[] = Array.isArray(value) ? value : [value];
      const areTags = tags.every((tag) => typeof tag === 'string' && LANGUAGE_TAG.test(tag));
      return areTags && tags.length > 0 && tags.length <= MAX_LANGUAGES;
    },
  ),
);

export class GetTranscriptDto extends VideoRequestDto {
  static readonly sample = { content_id: SAMPLE_VIDEO, format: 'segments' } as const;

  @RequestField(
    LANGUAGE_PREFERENCE,
    'Language of the transcript, BCP 47, or a list by preference. Default: the spoken language. It also comes where none of them is there, with a warning.',
    { example: 'en', agents: 'Code such as "en"' },
  )
  language?: string | string[];

  @RequestField(
    oneOf(...TRANSCRIPT_FORMATS),
    '`segments`: pieces with their times. `text`: paragraphs with their times, chapters as headings. `srt`, `vtt`: a subtitle file.',
    { default: 'segments' },
  )
  format: TranscriptFormat = 'segments';

  @RequestField(number(0), 'Only what is said from this second on.', { example: 0 })
  from_seconds?: number;

  @RequestField(number(0), 'Only what is said before this second.', { example: 600 })
  to_seconds?: number;

  @RequestField(
    integer(100, MAX_TRANSCRIPT_TOKENS),
    'Most tokens of the answer, estimated. The rest comes with `next_cursor`.',
    { default: DEFAULT_TRANSCRIPT_TOKENS, agents: false },
  )
  max_tokens = DEFAULT_TRANSCRIPT_TOKENS;

  @RequestField(CURSOR, '`next_cursor` of the answer before, with the same other fields.', {
    agents: 'next_cursor of the result before',
  })
  cursor?: string;
}

const toSeconds = (ms: number): number => ms / 1000;

class ChapterDto {
  declare readonly '~result': Chapter;

  @Field('Title.', 'Bleaching')
  title!: string;

  @Field('Where it begins.', 300, { ...AMOUNT, source: 'startMs', toWire: toSeconds })
  start_seconds!: number;

  @Field('Where it ends.', 452, { ...AMOUNT, source: 'endMs', toWire: toSeconds })
  end_seconds!: number;
}

class TranscriptSegmentDto {
  @Field('When it begins.', 83.5, AMOUNT)
  start_seconds!: number;

  @Field('When it ends.', 87.2, AMOUNT)
  end_seconds!: number;

  @Field('What is said.', 'Corals are animals.', { agents: 'shortened' })
  text!: string;

  @OptionalField(
    'Who speaks, if the words were recognized by a model that distinguishes voices, or if the transcript of a podcast (JSON) names them.',
    'A',
  )
  speaker?: string;
}

export class TranscriptDataDto extends ResultDto {
  @Field('Whose transcript it is.', ContentDto)
  content!: ContentDto;

  @Field('The chapters of the content; empty where it has none.', [ChapterDto], { agents: 'hidden' })
  chapters!: ChapterDto[];

  @OptionalField(
    'Languages of all transcripts, BCP 47; absent where the source does not say.',
    ['en', 'de'],
    { type: 'array', items: { type: 'string' }, agents: 'hidden' },
  )
  available_languages?: readonly string[];

  @OptionalField('With the format `segments`.', [TranscriptSegmentDto], { agents: 'shortened' })
  segments?: TranscriptSegmentDto[];

  @OptionalField(
    'With the formats `text`, `srt` and `vtt`.',
    '[1:23] Corals are animals. They build limestone.',
    { agents: 'shortened' },
  )
  text?: string;

  @Field('Whether more follows.', false, { agents: 'raised' })
  truncated!: boolean;

  @OptionalField('Send it as `cursor` for the rest; absent at the end.', '120.843', { agents: 'dropped' })
  next_cursor?: string;

  @CONTENT_USAGE
  usage?: ContentUsageDto;
}
