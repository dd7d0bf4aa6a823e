import { LANGUAGES, type Language } from '../../text/languages.js';
import { METHODS, SUMMARY_LENGTHS, type Method, type SummaryLength } from '../../summarize/summarizer.js';
import { ApiPropertyOptional } from '../../core/openapi.js';
import { SAMPLE_VIDEO, VideoRequestDto } from './content.dto.js';
import { Follows, oneOf, optional, OUTPUT_SCHEMA, text } from '../field-rules.js';
import { OUTPUT_SCHEMA_SHAPE, OUTPUT_SCHEMA_TEXT } from './search-web.dto.js';

const MAX_FOCUS = 200;

/** The body of `POST summarize_content`. */
export class SummarizeContentDto extends VideoRequestDto {
  static readonly sample = {
    source_type: 'youtube',
    content_id: SAMPLE_VIDEO,
    output_language: 'en',
    method: 'auto',
  } as const;

  @ApiPropertyOptional({
    description:
      'Language of the summary, ISO 639-1. `en` is recommended. Without a language model the summary stays in the video’s own language, and a warning says so.',
    enum: LANGUAGES,
    default: 'en',
    example: 'en',
  })
  @Follows(oneOf(LANGUAGES))
  output_language: Language = 'en';

  @ApiPropertyOptional({
    description:
      'How the content is read: `simple` at once, `recursive` part by part, `multi_modal` with its pictures. ' +
      '`auto` picks `simple` or `recursive` by the length of the content.',
    enum: METHODS,
    default: 'auto',
    example: 'auto',
  })
  @Follows(oneOf(METHODS))
  method: Method = 'auto';

  @ApiPropertyOptional({
    description:
      'Length of the summary: about 100, 180 or 320 words. Default: the option `summarize.length` of the host, `medium` if it is not set.',
    enum: SUMMARY_LENGTHS,
    example: 'medium',
  })
  @Follows(optional(oneOf(SUMMARY_LENGTHS)))
  length?: SummaryLength;

  @ApiPropertyOptional({
    description:
      'What the reader wants to know, e.g. `the prices`. With a model the summary is written for it; without one it steers which sentences are chosen. Default: what matters most.',
    minLength: 1,
    maxLength: MAX_FOCUS,
    example: 'why corals bleach',
  })
  @Follows(optional(text(MAX_FOCUS)))
  focus?: string;

  @ApiPropertyOptional({
    description: `The form of \`output\`. ${OUTPUT_SCHEMA_TEXT}`,
    ...OUTPUT_SCHEMA_SHAPE,
  })
  @Follows(OUTPUT_SCHEMA)
  output_schema?: Record<string, unknown>;
}
