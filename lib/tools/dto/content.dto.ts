import { CAPTIONS_KINDS } from '../../content/content-source.js';
import { Follows, oneOf, optional, requiredString } from '../field-rules.js';
import { From } from '../dto-mapping.js';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { FIELD_PROBABILITY, OUTPUT_FIELD } from './shared-response.dto.js';

/** A video of the sample app. */
export const SAMPLE_VIDEO = 'https://www.youtube.com/watch?v=sampleTalk1';

/** The fields of a request that name a video. */
export abstract class VideoRequestDto {
  @ApiProperty({
    description:
      'A YouTube video ID or the URL of one YouTube video. Playlists and channels are not accepted.',
    minLength: 1,
    maxLength: 2048,
    example: SAMPLE_VIDEO,
  })
  @Follows(requiredString('a YouTube video ID or the URL of one YouTube video'))
  content_id!: string;

  @ApiPropertyOptional({
    description: 'Where the content comes from.',
    enum: ['youtube'],
    default: 'youtube',
    example: 'youtube',
  })
  @Follows(optional(oneOf(['youtube'])))
  source_type = 'youtube' as const;
}

/** The content that a tool has read. */
export class ContentDto {
  @ApiProperty({ description: 'Video ID.', example: 'sampleTalk1' })
  id!: string;

  @ApiProperty({
    description: 'Address of the video.',
    example: 'https://www.youtube.com/watch?v=sampleTalk1',
  })
  url!: string;

  @ApiPropertyOptional({ description: 'Title.', example: 'How coral reefs are built' })
  title?: string;

  @ApiPropertyOptional({ description: 'Channel.', example: 'nestjs-tools demo talks' })
  channel?: string;

  @ApiPropertyOptional({ type: 'number', minimum: 0, description: 'Length in seconds.', example: 612 })
  @From('durationMs', (ms: number) => Math.round(ms / 1000))
  duration_seconds?: number;

  @ApiProperty({ description: 'Language of the transcript, BCP 47.', example: 'en' })
  language!: string;

  @ApiProperty({
    description:
      'Captions written by people, recognised by a machine, or translated by one; `recognized`: speech recognised by this server.',
    enum: [...CAPTIONS_KINDS],
    example: 'manual',
  })
  captions!: string;
}

/** Words of a video. */
export abstract class SpokenQuoteDto {
  @ApiProperty({ type: 'number', minimum: 0, description: 'Where the quotation begins.', example: 83.5 })
  start_seconds!: number;

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

/** Where the video says a value of the output. */
export class SpokenFieldDto extends SpokenQuoteDto {
  @ApiProperty(OUTPUT_FIELD)
  field!: string;

  @ApiProperty(FIELD_PROBABILITY)
  probability!: number;
}
