import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { From } from '../dto-mapping.js';
import { ContentDto } from './content.dto.js';
import { CONTENT_USAGE, EnvelopeDto, ResultDto, type ContentUsageDto } from './shared-response.dto.js';

const toSeconds = (ms: number): number => ms / 1000;
const SECONDS = { type: 'number', minimum: 0 } as const;

/** A chapter of the content. */
class ChapterDto {
  @ApiProperty({ description: 'Title.', example: 'Bleaching' })
  title!: string;

  @ApiProperty({ ...SECONDS, description: 'Where it begins.', example: 300 })
  @From('startMs', toSeconds)
  start_seconds!: number;

  @ApiProperty({ ...SECONDS, description: 'Where it ends.', example: 452 })
  @From('endMs', toSeconds)
  end_seconds!: number;
}

/** A piece of the transcript. */
class TranscriptSegmentDto {
  @ApiProperty({ ...SECONDS, description: 'When it begins.', example: 83.5 })
  start_seconds!: number;

  @ApiProperty({ ...SECONDS, description: 'When it ends.', example: 87.2 })
  end_seconds!: number;

  @ApiProperty({ description: 'What is said.', example: 'Corals are animals.' })
  text!: string;

  @ApiPropertyOptional({
    description: 'Who speaks, where the words were recognised by a model that distinguishes voices.',
    example: 'A',
  })
  speaker?: string;
}

/** The transcript, or a part of it. */
export class TranscriptDataDto extends ResultDto {
  @ApiProperty({ type: ContentDto, description: 'Whose transcript it is.' })
  content!: ContentDto;

  @ApiProperty({ type: [ChapterDto], description: 'The chapters of the content; empty where it has none.' })
  chapters!: ChapterDto[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    description: 'Languages of all transcripts, BCP 47; absent where the source does not say.',
    example: ['en', 'de'],
  })
  available_languages?: string[];

  @ApiPropertyOptional({ type: [TranscriptSegmentDto], description: 'With the format `segments`.' })
  segments?: TranscriptSegmentDto[];

  @ApiPropertyOptional({
    description: 'With the formats `text`, `srt` and `vtt`.',
    example: '[1:23] Corals are animals. They build limestone.',
  })
  text?: string;

  @ApiProperty({ description: 'Whether more follows.', example: false })
  truncated!: boolean;

  @ApiPropertyOptional({
    description: 'Send it as `cursor` for the rest; absent at the end.',
    example: '120.843',
  })
  next_cursor?: string;

  @ApiPropertyOptional(CONTENT_USAGE)
  usage?: ContentUsageDto;
}

/** The body of a successful answer of `get_transcript`. */
export class GetTranscriptResponseDto extends EnvelopeDto {
  @ApiProperty({ type: TranscriptDataDto, description: 'The transcript, or a part of it.' })
  data!: TranscriptDataDto;
}
