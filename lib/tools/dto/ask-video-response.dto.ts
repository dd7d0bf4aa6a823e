import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { ContentDto, SpokenFieldDto, SpokenQuoteDto } from './content.dto.js';
import { AnswerDto } from './search-web-response.dto.js';
import {
  CITATION_NUMBER,
  CONTENT_USAGE,
  EnvelopeDto,
  ResultDto,
  type ContentUsageDto,
} from './shared-response.dto.js';

/** Words of the video that a sentence of the answer rests on. */
class SpokenCitationDto extends SpokenQuoteDto {
  @ApiProperty(CITATION_NUMBER)
  index!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'Where it ends.', example: 91 })
  end_seconds!: number;
}

/** The answer to a question about a video. */
export class VideoAnswerDto extends AnswerDto {
  @ApiProperty({ type: [SpokenCitationDto], description: 'In the order of their numbers.' })
  citations!: SpokenCitationDto[];

  @ApiPropertyOptional(CONTENT_USAGE)
  usage?: ContentUsageDto;

  @ApiPropertyOptional({
    type: [SpokenFieldDto],
    description: 'With `output_schema`: where each value of `output` is said.',
  })
  grounding?: SpokenFieldDto[];
}

/** `data` of `ask_video`. */
export class AskVideoDataDto extends ResultDto {
  @ApiProperty({ type: ContentDto, description: 'The video.' })
  content!: ContentDto;

  @ApiProperty({ description: 'The trimmed question.', example: 'Why do corals bleach?' })
  question!: string;

  @ApiProperty({ type: VideoAnswerDto, description: 'The answer.' })
  llm!: VideoAnswerDto;
}

/** The body of a successful answer of `ask_video`. */
export class AskVideoResponseDto extends EnvelopeDto {
  @ApiProperty({ type: AskVideoDataDto, description: 'The answer, and the video that it is from.' })
  data!: AskVideoDataDto;
}
