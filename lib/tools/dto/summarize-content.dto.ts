import { oneOf } from '../../core/schema.js';
import {
  METHODS,
  SUMMARY_LENGTHS,
  type ConcreteMethod,
  type KeyPoint,
  type Method,
  type SummaryLength,
  type SummarySection,
} from '../../summarize/summarizer.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import { COUNT, Field, OptionalField, OUTPUT_SCHEMA, RequestField, SHARE, text } from '../request-fields.js';
import { ContentDto, SAMPLE_VIDEO, SpokenFieldDto, VideoRequestDto } from './content.dto.js';
import { OUTPUT, OUTPUT_COMPLETE, OUTPUT_SCHEMA_TEXT } from './search-web.dto.js';
import {
  CONTENT_USAGE,
  ResultDto,
  unsupported,
  type ContentUsageDto,
  type UnsupportedDto,
} from './shared.dto.js';

/** The body of `POST summarize_content`. */
export class SummarizeContentDto extends VideoRequestDto {
  static readonly sample = {
    source_type: 'youtube',
    content_id: SAMPLE_VIDEO,
    output_language: 'en',
    method: 'auto',
  } as const;

  @RequestField(
    oneOf(...LANGUAGES),
    'Language of the summary, ISO 639-1. `en` is recommended. Without a language model the summary stays in the video’s own language, and a warning says so.',
    { default: 'en' },
  )
  output_language: Language = 'en';

  @RequestField(
    oneOf(...METHODS),
    'How the content is read: `simple` at once, `recursive` part by part, `multi_modal` with its pictures. `auto` picks `simple` or `recursive` by the length of the content.',
    { default: 'auto' },
  )
  method: Method = 'auto';

  @RequestField(
    oneOf(...SUMMARY_LENGTHS),
    'Length of the summary: about 100, 180 or 320 words. Default: the option `summarize.length` of the host, `medium` if it is not set.',
    { example: 'medium' },
  )
  length?: SummaryLength;

  @RequestField(
    text(200),
    'What the reader wants to know, e.g. `the prices`. With a model the summary is written for it; without one it steers which sentences are chosen. Default: what matters most.',
    { example: 'why corals bleach', agents: 'What the reader wants to know' },
  )
  focus?: string;

  @RequestField(OUTPUT_SCHEMA, `The form of \`output\`. ${OUTPUT_SCHEMA_TEXT}`, {
    agents: 'JSON Schema of wanted data, as string',
  })
  output_schema?: Record<string, unknown>;
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000);

class OutputLanguageDto {
  @Field('The language asked for.', 'en', { enum: LANGUAGES })
  requested!: Language;

  @Field('The language that the summary is in.', 'en')
  used!: string;

  @Field('Whether they are the same.', true)
  honoured!: boolean;
}

export class KeyPointDto {
  declare readonly '~result': KeyPoint & { url: string };

  @Field('The point, one sentence.', 'Corals are animals that build limestone.', { agents: 'shortened' })
  text!: string;

  @Field('Second at which the point begins.', 83, { ...COUNT, source: 'startMs', toWire: wholeSeconds })
  start_seconds!: number;

  @Field('Opens the video at that second.', 'https://www.youtube.com/watch?v=sampleTalk1&t=83s', {
    text: 'address',
  })
  url!: string;

  @OptionalField('`speech`, or `frame`: seen in a picture and not said.', 'speech', {
    enum: ['speech', 'frame'],
  })
  source?: string;
}

export class SectionDto {
  declare readonly '~result': SummarySection;

  @Field('Title of the chapter, or one by the model.', 'Bleaching')
  title!: string;

  @Field('Where it begins, in seconds.', 300, { ...COUNT, source: 'startMs', toWire: wholeSeconds })
  start_seconds!: number;

  @Field('Where it ends, in seconds.', 452, { ...COUNT, source: 'endMs', toWire: wholeSeconds })
  end_seconds!: number;

  @Field('Summary of this part.', 'Warm water makes corals expel their algae.', { agents: 'shortened' })
  summary!: string;
}

export class SummaryDataDto extends ResultDto {
  @Field('The method that ran; never `auto`.', 'simple', { enum: ['simple', 'recursive', 'multi_modal'] })
  method!: ConcreteMethod;

  @Field('The summary, plain text; paragraphs are separated by an empty line.', 'Corals build reefs…', {
    agents: 'shortened',
  })
  summary!: string;

  @Field('What was summarized.', ContentDto)
  content!: ContentDto;

  @Field('The requested language and the language of the summary.', OutputLanguageDto)
  output_language!: OutputLanguageDto;

  @Field('The main points in order of time, each with a link.', [KeyPointDto], { agents: 'shortened' })
  key_points!: KeyPointDto[];

  @Field('The parts of the content in order of time. Without a model, its chapters.', [SectionDto], {
    agents: 'shortened',
  })
  sections!: SectionDto[];

  @OptionalField(
    'Why `auto` chose this method. Absent when the request named one.',
    'simple: 1,500 words are within the limit of 12,000.',
    { agents: 'hidden' },
  )
  method_reason?: string;

  @Field('`extractive`, or the id of the model.', 'extractive', { agents: 'hidden' })
  engine!: string;

  @CONTENT_USAGE
  usage?: ContentUsageDto;

  @OptionalField(
    'With a model: share of the content that the model could read, 0..1. Below 1 if parts failed.',
    1,
    { ...SHARE, agents: 'hidden' },
  )
  coverage?: number;

  @OptionalField(
    'With a model: share of the checked statements whose quotations, numbers and names are in the transcript, 0..1.',
    1,
    { ...SHARE, agents: 'hidden' },
  )
  grounding?: number;

  @unsupported('hidden')
  unsupported?: UnsupportedDto[];

  @OUTPUT
  output?: object;

  @OUTPUT_COMPLETE
  output_complete?: boolean;

  @OptionalField(
    'With `output_schema`: where each value of `output` is said. `grounding` is about the summary.',
    [SpokenFieldDto],
  )
  output_grounding?: SpokenFieldDto[];
}
