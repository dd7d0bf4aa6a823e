import { LANGUAGES } from '../../text/languages.js';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { From } from '../dto-mapping.js';
import { ContentDto, SpokenFieldDto } from './content.dto.js';
import { OUTPUT, OUTPUT_COMPLETE } from './search-web-response.dto.js';
import {
  EnvelopeDto,
  UNSUPPORTED,
  CONTENT_USAGE,
  ResultDto,
  type UnsupportedDto,
  type ContentUsageDto,
} from './shared-response.dto.js';

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000);

/** Whether the summary is in the language asked for. */
class OutputLanguageDto {
  @ApiProperty({ description: 'The language asked for.', enum: LANGUAGES, example: 'en' })
  requested!: string;

  @ApiProperty({ description: 'The language that the summary is in.', example: 'en' })
  used!: string;

  @ApiProperty({ description: 'Whether they are the same.', example: true })
  honoured!: boolean;
}

/** One point and when it is made. */
export class KeyPointDto {
  @ApiProperty({
    description: 'The point, one sentence.',
    example: 'Corals are animals that build limestone.',
  })
  text!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Second at which the point begins.', example: 83 })
  @From('startMs', wholeSeconds)
  start_seconds!: number;

  @ApiProperty({
    description: 'Opens the video at that second.',
    example: 'https://www.youtube.com/watch?v=sampleTalk1&t=83s',
  })
  url!: string;

  @ApiPropertyOptional({
    description: '`speech`, or `frame`: seen in a picture and not said.',
    enum: ['speech', 'frame'],
    example: 'speech',
  })
  source?: string;
}

/** One part of the content with its own summary. */
export class SectionDto {
  @ApiProperty({ description: 'Title of the chapter, or words of the section.', example: 'Bleaching' })
  title!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Where it begins, in seconds.', example: 300 })
  @From('startMs', wholeSeconds)
  start_seconds!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Where it ends, in seconds.', example: 452 })
  @From('endMs', wholeSeconds)
  end_seconds!: number;

  @ApiProperty({
    description: 'Summary of this part.',
    example: 'Warm water makes corals expel their algae.',
  })
  summary!: string;
}

/** The summary and what is known about it. */
export class SummaryDataDto extends ResultDto {
  @ApiProperty({
    description: 'The method that ran; never `auto`.',
    enum: ['simple', 'recursive', 'multi_modal'],
    example: 'simple',
  })
  method!: string;

  @ApiProperty({
    description: 'The summary, plain text; paragraphs are separated by an empty line.',
    example: 'Corals build reefs…',
  })
  summary!: string;

  @ApiProperty({ type: ContentDto, description: 'What was summarized.' })
  content!: ContentDto;

  @ApiProperty({
    type: OutputLanguageDto,
    description: 'The requested language and the language of the summary.',
  })
  output_language!: OutputLanguageDto;

  @ApiProperty({ type: [KeyPointDto], description: 'The main points in order of time, each with a link.' })
  key_points!: KeyPointDto[];

  @ApiProperty({ type: [SectionDto], description: 'The parts of the content in order of time.' })
  sections!: SectionDto[];

  @ApiPropertyOptional({
    description: 'Why `auto` chose this method. Absent when the request named one.',
    example: 'simple: 1,500 words are within the limit of 12,000.',
  })
  method_reason?: string;

  @ApiProperty({ description: '`extractive`, or the id of the model.', example: 'extractive' })
  engine!: string;

  @ApiPropertyOptional(CONTENT_USAGE)
  usage?: ContentUsageDto;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'With a model: share of the content that the model could read, 0..1. Below 1 if parts failed.',
    example: 1,
  })
  coverage?: number;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'With a model: share of the checked statements whose quotations, numbers and names are in the transcript, 0..1.',
    example: 1,
  })
  grounding?: number;

  @ApiPropertyOptional(UNSUPPORTED)
  unsupported?: UnsupportedDto[];

  @ApiPropertyOptional(OUTPUT)
  output?: object;

  @ApiPropertyOptional(OUTPUT_COMPLETE)
  output_complete?: boolean;

  @ApiPropertyOptional({
    type: [SpokenFieldDto],
    description:
      'With `output_schema`: where each value of `output` is said. `grounding` is about the summary.',
  })
  output_grounding?: SpokenFieldDto[];
}

/** 200 of `POST summarize_content`. */
export class SummarizeContentResponseDto extends EnvelopeDto {
  @ApiProperty({ type: SummaryDataDto, description: 'The summary.' })
  data!: SummaryDataDto;
}
