import { ANSWER_OUTCOMES, type AnswerOutcome } from '../../search/answer-engine.js';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import {
  CITATION_NUMBER,
  EnvelopeDto,
  FIELD_PROBABILITY,
  OUTPUT_FIELD,
  UNSUPPORTED,
  UsageDto,
  ResultDto,
  type UnsupportedDto,
} from './shared-response.dto.js';
import { From } from '../dto-mapping.js';
import { SAMPLE_QUERY } from './search-web.dto.js';

const licenceOf = (field: string): { description: string; example: string } => ({
  description: `SPDX id of the licence of \`${field}\`. Present when the source demands that it is named.`,
  example: 'CC-BY-SA-4.0',
});
const creditFor = (field: string): { description: string; example: string } => ({
  description: `Whom to credit for \`${field}\`. Present when the source demands it.`,
  example: 'Wikipedia contributors',
});

/** Calls of one search provider whose price the host has set. */
export class SearchCallsDto {
  @ApiProperty({ description: 'Name of the search provider.', example: 'brave' })
  provider!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Calls that were sent.', example: 1 })
  calls!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'In the currency of the host.', example: 0.005 })
  cost!: number;
}

/** Usage of a search: also the search calls with a price. */
export class SearchUsageDto extends UsageDto {
  @ApiPropertyOptional({
    type: [SearchCallsDto],
    description: 'Calls and cost of each search provider whose price the host has set.',
  })
  searches?: SearchCallsDto[];
}

/** One result. */
export class SearchResultDto {
  @ApiProperty({
    description: 'The best passage, plain text, never empty.',
    minLength: 1,
    example: 'Human cells contain a nucleus, mitochondria, …',
  })
  content!: string;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'Relevance, 0..1. Falls with the rank. Compares results of one response only; not a probability.',
    example: 0.83,
  })
  score!: number;

  @ApiProperty({ description: 'Address of the page.', example: 'https://en.wikipedia.org/wiki/Organelle' })
  source_url!: string;

  @ApiPropertyOptional({ description: 'Title of the page.', example: 'Organelle' })
  title?: string;

  @ApiPropertyOptional({ description: 'ISO 8601 date or date-time of publication.', example: '2026-03-01' })
  published_at?: string;

  @ApiPropertyOptional(licenceOf('content'))
  license?: string;

  @ApiPropertyOptional(creditFor('content'))
  attribution?: string;

  @ApiPropertyOptional({ description: 'The provider that found it.', example: 'documents' })
  provider?: string;
}

/** A source that a sentence of the answer rests on. */
class CitationDto {
  @ApiProperty(CITATION_NUMBER)
  index!: number;

  @ApiProperty({ description: 'Address of the source.', example: 'https://en.wikipedia.org/wiki/Organelle' })
  @From('url')
  source_url!: string;

  @ApiPropertyOptional({ description: 'Title of the source.', example: 'Organelle' })
  title?: string;

  @ApiProperty({
    description: 'Verbatim words of the source.',
    example: 'Human cells contain a nucleus, mitochondria',
  })
  quote!: string;

  @ApiPropertyOptional(licenceOf('quote'))
  license?: string;

  @ApiPropertyOptional(creditFor('quote'))
  attribution?: string;
}

/** The fields of an answer with a schema. */
export const OUTPUT = {
  type: 'object',
  additionalProperties: true,
  description:
    'With `output_schema`: data in its form. A value whose source does not hold it is null or absent, and named in `warnings` (`field_unsupported`).',
  example: { discovered_by: 'Robert Hooke' },
};
export const OUTPUT_COMPLETE = {
  description:
    'With `output_schema`: true where `output` is valid against it; false where a required field is missing, because no source supports a value.',
  example: true,
};

/** An answer from sources. */
export abstract class AnswerDto {
  @ApiProperty({
    description:
      'The answer, with [n] after each sentence that rests on citation n, and [?] after one with a value, name or quotation that no source has.',
    example: 'They are the nucleus, … [1]',
  })
  answer!: string;

  @ApiPropertyOptional({
    enum: ANSWER_OUTCOMES,
    description:
      'What `answer` is. `answered`: an answer, with a probability of at least 0.5 (or the threshold that the host sets). `related`: no clear answer; the text introduces the closest passages as such. `not_found`: nothing in the sources is about the question.',
    example: 'answered',
  })
  outcome?: AnswerOutcome;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    description:
      'Estimated probability that the answer is correct and grounded in the sources. Below 0.5 `outcome` is not `answered`.',
    example: 0.91,
  })
  answerable_probability!: number;

  @ApiPropertyOptional(UNSUPPORTED)
  unsupported?: UnsupportedDto[];

  @ApiPropertyOptional({ description: '`extractive`, or the id of the model.', example: 'extractive' })
  engine?: string;

  @ApiPropertyOptional(OUTPUT)
  output?: object;

  @ApiPropertyOptional(OUTPUT_COMPLETE)
  output_complete?: boolean;
}

/** Which sources a value of the output rests on. */
class GroundedFieldDto {
  @ApiProperty({ ...OUTPUT_FIELD, example: '/discovered_by' })
  field!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    description: 'Numbers of citations.',
    example: [1],
  })
  citations!: number[];

  @ApiProperty(FIELD_PROBABILITY)
  probability!: number;
}

/** The answer in place of results. */
export class LlmAnswerDto extends AnswerDto {
  @ApiPropertyOptional({ type: [CitationDto], description: 'The sources, in the order of their numbers.' })
  citations?: CitationDto[];

  @ApiPropertyOptional({
    type: SearchUsageDto,
    description: 'Present if a model was used, or a search provider has a price.',
  })
  usage?: SearchUsageDto;

  @ApiPropertyOptional({
    type: [GroundedFieldDto],
    description: 'With `output_schema`: the citations of each value of `output`.',
  })
  grounding?: GroundedFieldDto[];
}

/** Results, or an answer in their place. */
export class SearchDataDto extends ResultDto {
  @ApiProperty({ description: 'The trimmed query.', example: SAMPLE_QUERY })
  query!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of results found. With an answer: number of sources used.',
    example: 5,
  })
  total_results!: number;

  @ApiPropertyOptional({
    type: [SearchResultDto],
    description: 'Best first; absent when `llm_answer` is true.',
  })
  results?: SearchResultDto[];

  @ApiPropertyOptional({
    type: LlmAnswerDto,
    description: 'The answer; present only when `llm_answer` is true.',
  })
  llm?: LlmAnswerDto;

  @ApiPropertyOptional({
    description: 'The provider or providers that served the request.',
    example: 'documents',
  })
  provider?: string;

  @ApiPropertyOptional({
    type: SearchUsageDto,
    description:
      'Cost of the results; present if a search provider has a price. With an answer: `llm.usage`.',
  })
  usage?: SearchUsageDto;
}

/** 200 of `POST search_web`. */
export class SearchWebResponseDto extends EnvelopeDto {
  @ApiProperty({ type: SearchDataDto, description: 'Results, or the answer.' })
  data!: SearchDataDto;
}
