import { array, Issue, oneOf, options, string, type Schema } from '../../core/schema.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import {
  AMOUNT,
  Field,
  OptionalField,
  OUTPUT_SCHEMA,
  RequestField,
  RequiredField,
} from '../request-fields.js';
import { ContentDto, SAMPLE_VIDEO, SpokenFieldDto, SpokenQuoteDto, VideoRequestDto } from './content.dto.js';
import { AnswerDto, OUTPUT_SCHEMA_TEXT, QUERY } from './search-web.dto.js';
import { CITATION_NUMBER, CONTENT_USAGE, ResultDto, type ContentUsageDto } from './shared.dto.js';

/** A question and its answer, earlier in the conversation. */
export class AskedBeforeDto {
  @Field('The earlier question.', 'Who builds the reefs?')
  question!: string;

  @Field('Its answer.', 'Coral polyps build them from limestone.')
  answer!: string;
}

/** As the API promises. */
const MAX_PAIRS = 5;
const MAX_CONTEXT = 4000;

const PAIRS = array(options<AskedBeforeDto>({ question: string(), answer: string() }), {
  max: MAX_PAIRS,
  of: 'objects with question and answer, the latest last',
});

export const CONTEXT: Schema<AskedBeforeDto[]> = {
  expected: PAIRS.expected,
  json: { type: [AskedBeforeDto], maxItems: MAX_PAIRS },
  read: (value) => {
    const pairs = PAIRS.read(value);
    if (pairs instanceof Issue) return pairs;
    const length = pairs.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0);
    return length > MAX_CONTEXT ? Issue.saying(`must have at most ${MAX_CONTEXT} characters in all`) : pairs;
  },
};

export class AskVideoDto extends VideoRequestDto {
  static readonly sample = { content_id: SAMPLE_VIDEO, question: 'Why do corals turn white?' } as const;

  @RequiredField(QUERY, 'The question.', { example: 'Why do corals turn white?' })
  question!: string;

  @RequestField(
    oneOf(...LANGUAGES),
    'Language of the answer. Default: that of the question. Without a model the answer quotes the video.',
    { example: 'en', agents: 'Default: that of the question' },
  )
  output_language?: Language;

  @RequestField(
    CONTEXT,
    `Up to ${MAX_PAIRS} earlier questions with their answers, the latest last, at most ${MAX_CONTEXT} characters in all. They only tell what "he" or "that" refers to. Needs a model.`,
    { agents: false },
  )
  context?: AskedBeforeDto[];

  @RequestField(OUTPUT_SCHEMA, `The form of \`llm.output\`. ${OUTPUT_SCHEMA_TEXT}`, {
    agents: 'JSON Schema of wanted data, as string',
  })
  output_schema?: Record<string, unknown>;
}

class SpokenCitationDto extends SpokenQuoteDto {
  @CITATION_NUMBER
  index!: number;

  @Field('Where it ends.', 91, AMOUNT)
  end_seconds!: number;
}

export class VideoAnswerDto extends AnswerDto {
  @Field('In the order of their numbers.', [SpokenCitationDto])
  citations!: SpokenCitationDto[];

  @CONTENT_USAGE
  usage?: ContentUsageDto;

  @OptionalField('With `output_schema`: where each value of `output` is said.', [SpokenFieldDto])
  grounding?: SpokenFieldDto[];
}

export class AskVideoDataDto extends ResultDto {
  @Field('The video.', ContentDto)
  content!: ContentDto;

  @Field('The trimmed question.', 'Why do corals turn white?', { text: 'echo' })
  question!: string;

  @Field('The answer.', VideoAnswerDto, { source: null })
  llm!: VideoAnswerDto;
}
