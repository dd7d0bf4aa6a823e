import { IsIn, IsString, ValidateIf, type ValidationArguments } from 'class-validator';
import { nearestName } from '../../core/text/edit-distance.js';
import { LANGUAGES, type Language } from '../../core/text/languages.js';
import { METHODS, SUMMARY_LENGTHS, type Method, type SummaryLength } from '../../summarize/summarizer.js';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';

/** Says which values a field takes, and which of them was probably meant: `EN` → `en`, `en-US` → `en`, `multimodal` → `multi_modal`. */
const oneOf = (values: readonly string[]): { message: (wrong: ValidationArguments) => string } => ({
  message: ({ property, value }) => {
    const accepted = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`;
    const meant =
      typeof value === 'string' ? meantBy(value.trim().slice(0, MAX_COMPARED), values) : undefined;
    return `${property} must be ${accepted}${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
  },
});

/** Characters of a wrong value that are compared with the right ones. */
const MAX_COMPARED = 64;

function meantBy(value: string, values: readonly string[]): string | undefined {
  const [language] = value.toLowerCase().split(/[-_]/);
  if (language !== undefined && values.includes(language)) return language;
  // Codes of two letters are all alike: `pl` is Polish and not a misspelt `pt`.
  return nearestName(
    value,
    values.filter((one) => one.length > 2),
  );
}

/** A video of the sample app. */
const SAMPLE_VIDEO = 'https://www.youtube.com/watch?v=sampleTalk1';

/** The body of `POST summarize_content`. */
export class SummarizeContentDto {
  static readonly fields = ['source_type', 'content_id', 'output_language', 'method', 'length'] as const;
  static readonly sample = {
    source_type: 'youtube',
    content_id: SAMPLE_VIDEO,
    output_language: 'en',
    method: 'auto',
  } as const;

  @ApiProperty({
    description: 'Where the content comes from. An omitted one means the default.',
    enum: ['youtube'],
    default: 'youtube',
    required: false,
    example: 'youtube',
  })
  @IsIn(['youtube'], oneOf(['youtube']))
  source_type = 'youtube' as const;

  @ApiProperty({
    description: 'A YouTube video URL or a video ID.',
    minLength: 1,
    maxLength: 2048,
    example: SAMPLE_VIDEO,
  })
  @IsString({ message: 'content_id must be a string: a YouTube video URL or a video ID' })
  content_id!: string;

  @ApiPropertyOptional({
    description:
      'Language of the summary, ISO 639-1. English is the recommended value. Without a language model, only the video’s own language is possible; a warning says so.',
    enum: LANGUAGES,
    default: 'en',
    example: 'en',
  })
  @IsIn(LANGUAGES, oneOf(LANGUAGES))
  output_language: Language = 'en';

  @ApiPropertyOptional({
    description:
      'How the content is read: `simple` at once, `recursive` part by part, `multi_modal` with its pictures. ' +
      '`auto` picks `simple` or `recursive` by the length of the content.',
    enum: METHODS,
    default: 'auto',
    example: 'auto',
  })
  @IsIn(METHODS, oneOf(METHODS))
  method: Method = 'auto';

  @ApiPropertyOptional({
    description:
      'How long the summary is: about 100, 180 or 320 words, and never longer than the content. Default: what the host has set, `medium` unless it says otherwise.',
    enum: SUMMARY_LENGTHS,
    example: 'medium',
  })
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(SUMMARY_LENGTHS, oneOf(SUMMARY_LENGTHS))
  length?: SummaryLength;
}
