import { boolean, integer, oneOf, refine, type Schema } from '../../core/schema.js';
import { DOMAINS } from '../../search/filters.js';
import { PERIODS, type FreshnessPeriod } from '../../search/freshness.js';
import { ANSWER_OUTCOMES, type AnswerOutcome, type Citation } from '../../search/answer-engine.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import {
  AMOUNT,
  COUNT,
  Field,
  OptionalField,
  OUTPUT_SCHEMA,
  RequestField,
  RequiredField,
  SHARE,
  text,
} from '../request-fields.js';
import {
  CITATION_NUMBER,
  FIELD_PROBABILITY,
  ResultDto,
  unsupported,
  UsageDto,
  type UnsupportedDto,
} from './shared.dto.js';

/** The query that the document carries as default and example; a request without `query` is still refused. */
export const SAMPLE_QUERY = 'Common organelles within a human eukaryote';
/** Longest query, in characters after trimming; as the API promises. */
export const MAX_QUERY_LENGTH = 400;
/** A visible character. A query without any finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/** Words to look for, of 1 to `max` characters. */
export const query = (max: number): Schema<string> =>
  refine(text(max), 'words to search for', (value) => VISIBLE.test(value));
export const QUERY = query(MAX_QUERY_LENGTH);

export const OUTPUT_SCHEMA_TEXT =
  'A JSON Schema of type object. Its fields may be of type object, array, string, number, integer and boolean, and may have enum, required and description. A field may be null, by anyOf or a second type. At most 4 levels of objects and lists, 60 properties and 8 kB. Needs a model. Each value is checked against its source.';

/** Results of a request that does not say how many it wants; as the API promises. */
export const DEFAULT_TOP_N = 5;

// The fields that narrow one search.
export const PAGE_LANGUAGE = RequestField(
  oneOf(...LANGUAGES),
  'Preferred language of the results, ISO 639-1. Default: the option `search.language` of the host, else any language.',
  { example: 'en', agents: 'Of the pages' },
);
export const PAGE_FRESHNESS = RequestField(
  oneOf(...PERIODS),
  'Only results of the last day, week, month or year. Results without a date stay. Default: the option `search.freshness` of the host, else any time.',
  { example: 'month', agents: 'Published within' },
);
export const INCLUDE_DOMAINS = RequestField(
  DOMAINS,
  'Only results of these domains and their subdomains. The host may allow fewer.',
  { example: ['example.com'] },
);
export const EXCLUDE_DOMAINS = RequestField(DOMAINS, 'No results of these domains or their subdomains.', {
  example: ['example.org'],
});

/** The body of `POST search_web`. */
export class SearchWebDto {
  static readonly sample = { query: SAMPLE_QUERY, top_n: DEFAULT_TOP_N, llm_answer: false } as const;

  @RequiredField(QUERY, `The text to search for, 1 to ${MAX_QUERY_LENGTH} characters after trimming.`, {
    default: SAMPLE_QUERY,
  })
  query!: string;

  @RequestField(integer(1), 'Number of results, at most 20 unless the host allows more.', {
    maximum: 20,
    default: DEFAULT_TOP_N,
    agents: 'Number of results',
  })
  top_n: number = DEFAULT_TOP_N;

  @RequestField(boolean(), 'True: one answer with citations is returned instead of the results.', {
    default: false,
    agents: 'true: an answer instead of results',
  })
  llm_answer: boolean = false;

  @PAGE_LANGUAGE
  language?: Language;

  @PAGE_FRESHNESS
  freshness?: FreshnessPeriod;

  @INCLUDE_DOMAINS
  include_domains?: string[];

  @EXCLUDE_DOMAINS
  exclude_domains?: string[];

  @RequestField(OUTPUT_SCHEMA, `With \`llm_answer\`: the form of \`llm.output\`. ${OUTPUT_SCHEMA_TEXT}`, {
    agents: 'With llm_answer: JSON Schema of wanted data, as string',
  })
  output_schema?: Record<string, unknown>;
}

const LICENCE = OptionalField(
  'SPDX id of the licence of the text. Present when the source demands that it is named.',
  'CC-BY-SA-4.0',
);
const CREDIT = OptionalField(
  'Whom to credit for the text. Present when the source demands it.',
  'Wikipedia contributors',
);

/** Calls of one search provider whose price the host has set. */
export class SearchCallsDto {
  @Field('Name of the search provider.', 'brave')
  provider!: string;

  @Field('Calls that were sent.', 1, COUNT)
  calls!: number;

  @Field('In the currency of the host.', 0.005, AMOUNT)
  cost!: number;
}

/** Usage of a search: also the search calls with a price. */
export class SearchUsageDto extends UsageDto {
  @OptionalField('Calls and cost of each search provider whose price the host has set.', [SearchCallsDto])
  searches?: SearchCallsDto[];
}

export class SearchResultDto {
  @Field('The best passage, plain text, never empty.', 'Human cells contain a nucleus, mitochondria, …', {
    minLength: 1,
    agents: 'shortened',
  })
  content!: string;

  @Field(
    'Relevance, 0..1. Falls with the rank. Compares results of one response only; not a probability.',
    0.83,
    SHARE,
  )
  score!: number;

  @Field('Address of the page.', 'https://en.wikipedia.org/wiki/Organelle', { text: 'address' })
  source_url!: string;

  @OptionalField('Title of the page.', 'Organelle')
  title?: string;

  @OptionalField('ISO 8601 date or date-time of publication.', '2026-03-01')
  published_at?: string;

  @LICENCE
  license?: string;

  @CREDIT
  attribution?: string;

  @OptionalField('The provider that found it.', 'documents', { agents: 'hidden' })
  provider!: string;
}

export class CitationDto {
  declare readonly '~result': Citation;

  @CITATION_NUMBER
  index!: number;

  @Field('Address of the source.', 'https://en.wikipedia.org/wiki/Organelle', {
    text: 'address',
    source: 'url',
  })
  source_url!: string;

  @OptionalField('Title of the source.', 'Organelle')
  title?: string;

  @Field('Verbatim words of the source.', 'Human cells contain a nucleus, mitochondria', {
    agents: 'shortened',
  })
  quote!: string;

  @LICENCE
  license?: string;

  @CREDIT
  attribution?: string;
}

/** The fields of an answer with a schema. */
export const OUTPUT = OptionalField(
  'With `output_schema`: data in its form. A value whose source does not hold it is null or absent, and named in `warnings` (`field_unsupported`).',
  { discovered_by: 'Robert Hooke' },
  { type: 'object', additionalProperties: true },
);
export const OUTPUT_COMPLETE = OptionalField(
  'With `output_schema`: true where `output` is valid against it; false where a required field is missing, because no source supports a value.',
  true,
);

/** An answer from sources. */
export abstract class AnswerDto {
  @Field(
    'The answer, with [n] after each sentence that rests on citation n, and [?] after one with a value, name or quotation that no source has.',
    'They are the nucleus, … [1]',
    { text: 'markdown', agents: 'shortened' },
  )
  answer!: string;

  @OptionalField(
    'What `answer` is. `answered`: an answer, with a probability of at least 0.5 (or the threshold that the host sets). `related`: less likely; the text introduces the closest passages as a possible answer, or says what the sources lack. `not_found`: nothing in the sources is about the question.',
    'answered',
    { enum: ANSWER_OUTCOMES },
  )
  outcome!: AnswerOutcome;

  @Field(
    'Estimated probability that the answer is correct and grounded in the sources. Below 0.5 `outcome` is not `answered`. An answer of a model in which the checks found nothing has 0.63, right or wrong: the share of such answers that are right where half of the replies are careless. Each finding lowers it; a second look (`search.verify`) raises it to 0.85.',
    0.91,
    SHARE,
  )
  answerable_probability!: number;

  @unsupported()
  unsupported?: UnsupportedDto[];

  @OptionalField('`extractive`, or the id of the model.', 'extractive')
  engine!: string;

  @OUTPUT
  output?: object;

  @OUTPUT_COMPLETE
  output_complete?: boolean;
}

/** Which sources a value of the output rests on. */
export class GroundedFieldDto {
  @Field('JSON pointer into `output`.', '/discovered_by')
  field!: string;

  @Field('Numbers of citations.', [1], { type: 'array', items: { type: 'integer', minimum: 1 } })
  citations!: number[];

  @FIELD_PROBABILITY
  probability!: number;
}

export class LlmAnswerDto extends AnswerDto {
  @OptionalField('The sources, in the order of their numbers.', [CitationDto])
  citations!: CitationDto[];

  @OptionalField('Present if a model was used, or a search provider has a price.', SearchUsageDto, {
    agents: 'hidden',
  })
  usage?: SearchUsageDto;

  @OptionalField('With `output_schema`: the citations of each value of `output`.', [GroundedFieldDto])
  grounding?: GroundedFieldDto[];
}

export class SearchDataDto extends ResultDto {
  @Field('The trimmed query.', SAMPLE_QUERY, { text: 'echo' })
  query!: string;

  @Field(
    'Number of results found. With an answer: number of sources that the engine was shown, cited or not.',
    5,
    COUNT,
  )
  total_results!: number;

  @OptionalField('Best first; absent when `llm_answer` is true.', [SearchResultDto], { agents: 'shortened' })
  results?: SearchResultDto[];

  @OptionalField('The answer; present only when `llm_answer` is true.', LlmAnswerDto)
  llm?: LlmAnswerDto;

  @OptionalField('The provider or providers that served the request.', 'documents', { agents: 'hidden' })
  provider!: string;

  @OptionalField(
    'Cost of the results; present if a search provider has a price. With an answer: `llm.usage`.',
    SearchUsageDto,
    { agents: 'hidden' },
  )
  usage?: SearchUsageDto;
}
