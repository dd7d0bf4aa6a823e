import { oneOf } from '../../core/schema.js';
import {
  EFFORTS,
  LENGTHS,
  NEED_STATES,
  OPEN_REASONS,
  RESEARCH_OUTCOMES,
  STOPS,
  type Effort,
  type NeedState,
  type ReportLength,
  type Stop,
} from '../../research/needs.js';
import type { Citation } from '../../search/answer-engine.js';
import type { FreshnessPeriod } from '../../search/freshness.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import {
  COUNT,
  Field,
  OptionalField,
  OUTPUT_SCHEMA,
  RequestField,
  RequiredField,
  SHARE,
  text,
} from '../request-fields.js';
import { CONTEXT, type AskedBeforeDto } from './ask-video.dto.js';
import {
  CitationDto,
  EXCLUDE_DOMAINS,
  GroundedFieldDto,
  INCLUDE_DOMAINS,
  OUTPUT,
  OUTPUT_COMPLETE,
  OUTPUT_SCHEMA_TEXT,
  PAGE_FRESHNESS,
  PAGE_LANGUAGE,
  SearchUsageDto,
} from './search-web.dto.js';
import { ResultDto, unsupported, type UnsupportedDto } from './shared.dto.js';

const MAX_QUESTION = 1000; // characters, as the API promises
const STRINGS = { type: 'array', items: { type: 'string' } };

/** The body of `POST research`. */
export class ResearchDto {
  static readonly sample = {
    question: 'Which animals build coral reefs, and what do they build them from?',
  } as const;

  @RequiredField(text(MAX_QUESTION), `The question, 1 to ${MAX_QUESTION} characters after trimming.`, {
    example: ResearchDto.sample.question,
  })
  question!: string;

  @RequestField(oneOf(...EFFORTS), 'The most rounds of searches: 1, 3 or 4.', { default: 'standard' })
  effort: Effort = 'standard';

  @RequestField(oneOf(...LENGTHS), 'Length of the report: about 150, 350 or 700 words.', {
    default: 'medium',
  })
  length: ReportLength = 'medium';

  @RequestField(oneOf(...LANGUAGES), 'Language of the report. Default: that of the question.', {
    example: 'en',
    agents: 'Default: that of the question',
  })
  output_language?: Language;

  @PAGE_LANGUAGE
  language?: Language;

  @PAGE_FRESHNESS
  freshness?: FreshnessPeriod;

  @INCLUDE_DOMAINS
  include_domains?: string[];

  @EXCLUDE_DOMAINS
  exclude_domains?: string[];

  @RequestField(
    CONTEXT,
    'Up to 5 earlier questions with their answers, the latest last, at most 4000 characters in all. They tell what "he" or "that" refers to.',
    { agents: false },
  )
  context?: AskedBeforeDto[];

  @RequestField(OUTPUT_SCHEMA, `The form of \`output\`. ${OUTPUT_SCHEMA_TEXT}`, {
    agents: 'JSON Schema of wanted data, as string',
  })
  output_schema?: Record<string, unknown>;
}

class DisagreementDto {
  @Field('What must be known to answer.', 'the animals that build coral reefs')
  need!: string;

  @Field('What was found, each sentence with [n]; may be empty.', 'Coral polyps build the reefs. [1]', {
    text: 'markdown',
    agents: 'shortened',
  })
  text!: string;
}

class ResearchSectionDto extends DisagreementDto {
  @Field(
    '`found`; `partly`; `disputed`: sources contradict each other; `missing`: nothing was found; `failed`: its search failed; `not_read`: the model failed to read its passages.',
    'found',
    { enum: NEED_STATES },
  )
  state!: NeedState;
}

class ReportCitationDto extends CitationDto {
  declare readonly '~result': Citation & { publishedAt?: string };

  @OptionalField('ISO 8601 date or date-time of publication.', '2026-03-01')
  published_at?: string;
}

class OpenQuestionDto {
  @Field('What is not known.', 'the age of the oldest reef')
  need!: string;

  @Field('The searches that were made.', ['oldest coral reef age'], STRINGS)
  queries!: string[];

  @Field(
    '`partly_found`; `search_failed`; `not_read`: the model failed to read its passages; `not_found`: no page says it; `not_searched`: an earlier value, time or budget was missing.',
    'not_found',
    { enum: OPEN_REASONS },
  )
  reason!: (typeof OPEN_REASONS)[number];
}

class ResearchSourceDto {
  declare readonly '~result': Omit<ResearchSourceDto, '~result' | 'source_url'> & { url: string };

  @Field('Address of the page.', 'https://en.wikipedia.org/wiki/Coral_reef', {
    text: 'address',
    source: 'url',
  })
  source_url!: string;

  @Field('Its title; may be empty.', 'Coral reef')
  title!: string;

  @Field('True: the page was read. False: the text is what the search provider gave.', true)
  read!: boolean;

  @Field('Whether the report or a section cites it.', true)
  cited!: boolean;
}

class ResearchFactsDto {
  @Field('Rounds of searches that were read.', 2, COUNT)
  rounds!: number;

  @Field('Searches that were made.', 5, COUNT)
  searches!: number;

  @Field('Pages that were read.', 12, COUNT)
  pages_read!: number;

  @Field(
    'Why it ended. `complete`: everything was found; `no_new_pages`, `no_new_findings`: further searches led nowhere; `rounds`: the effort; `budget`; `deadline`.',
    'complete',
    { enum: STOPS },
  )
  stopped!: Stop;
}

export class ResearchDataDto extends ResultDto {
  @Field('The trimmed question.', ResearchDto.sample.question, { text: 'echo' })
  question!: string;

  @Field(
    'The report, Markdown, with [n] after each sentence that rests on citation n, and [?] after one with a value, name or quotation that no source has. Empty if nothing was found.',
    'Coral polyps build the reefs. [1]',
    { text: 'markdown', agents: 'shortened' },
  )
  report!: string;

  @Field(
    '`answered`: everything was found, and the report is likely right; `partly`: something is missing or doubtful; `not_found`.',
    'answered',
    { enum: RESEARCH_OUTCOMES },
  )
  outcome!: (typeof RESEARCH_OUTCOMES)[number];

  @Field('Estimated probability that the report is right, grounded and complete.', 0.6, SHARE)
  answerable_probability!: number;

  @Field('What was found of each need.', [ResearchSectionDto], { agents: 'hidden' })
  sections!: ResearchSectionDto[];

  @Field('The sources, in the order of their numbers.', [ReportCitationDto])
  citations!: ReportCitationDto[];

  @Field('What is not known, and what was tried.', [OpenQuestionDto])
  open_questions!: OpenQuestionDto[];

  @Field('Needs of which sources say different things: a sentence for each side.', [DisagreementDto])
  disagreements!: DisagreementDto[];

  @unsupported()
  unsupported?: UnsupportedDto[];

  @Field('The pages whose passages the model was shown.', [ResearchSourceDto], { agents: 'hidden' })
  sources!: ResearchSourceDto[];

  @Field('What was done.', ResearchFactsDto, { agents: 'hidden' })
  research!: ResearchFactsDto;

  @OUTPUT
  output?: object;

  @OUTPUT_COMPLETE
  output_complete?: boolean;

  @OptionalField('With `output_schema`: the citations of each value of `output`.', [GroundedFieldDto])
  grounding?: GroundedFieldDto[];

  @Field('Id of the model.', 'the-model', { agents: 'hidden' })
  engine!: string;

  @OptionalField('What it has cost.', SearchUsageDto, { agents: 'hidden' })
  usage?: SearchUsageDto;
}
