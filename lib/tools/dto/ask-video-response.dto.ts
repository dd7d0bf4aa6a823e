import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { ContentDto, SpokenFieldDto } from './content.dto.js';
import { AnswerDto, OUTPUT, OUTPUT_COMPLETE } from './search-web-response.dto.js';
import {
  CONTENT_USAGE,
  EnvelopeDto,
  WARNINGS,
  type ContentUsageDto,
  type WarningDto,
} from './shared-response.dto.js';

/** Words of the video that a sentence of the answer rests on. */
class SpokenCitationDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'The number in brackets in the answer.',
    example: 1,
  })
  index!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Where the quotation begins.', example: 83.5 })
  start_seconds!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Where it ends.', example: 91 })
  end_seconds!: number;

  @ApiProperty({
    description: 'Address that opens the video there.',
    example: 'https://www.youtube.com/watch?v=sampleTalk1&t=83s',
  })
  url!: string;

  @ApiProperty({
    description: 'Verbatim words of the transcript.',
    example: 'Warm water makes corals bleach',
  })
  quote!: string;
}

/** The answer to a question about a video. */
export class VideoAnswerDto extends AnswerDto {
  @ApiProperty({ type: [SpokenCitationDto], description: 'In the order of their numbers.' })
  citations!: SpokenCitationDto[];

  @ApiPropertyOptional(CONTENT_USAGE)
  usage?: ContentUsageDto;

  @ApiPropertyOptional(OUTPUT)
  output?: object;

  @ApiPropertyOptional(OUTPUT_COMPLETE)
  output_complete?: boolean;

  @ApiPropertyOptional({
    type: [SpokenFieldDto],
    description: 'With `output_schema`: where each value of `output` is said.',
  })
  grounding?: SpokenFieldDto[];
}

/** `data` of `ask_video`. */
export class AskVideoDataDto {
  @ApiProperty({ type: ContentDto, description: 'The video.' })
  content!: ContentDto;

  @ApiProperty({ description: 'The trimmed question.', example: 'Why do corals bleach?' })
  question!: string;

  @ApiProperty({ type: VideoAnswerDto, description: 'The answer.' })
  llm!: VideoAnswerDto;

  @ApiProperty({ description: 'True if it was made for an earlier request.', example: false })
  cached!: boolean;

  @ApiPropertyOptional(WARNINGS)
  warnings?: WarningDto[];
}

/** The body of a successful answer of `ask_video`. */
export class AskVideoResponseDto extends EnvelopeDto {
  @ApiProperty({ type: AskVideoDataDto, description: 'The answer, and the video that it is from.' })
  data!: AskVideoDataDto;
}
