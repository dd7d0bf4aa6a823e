import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import { PERIODS, type FreshnessPeriod } from '../../search/freshness.js';
import { faultOfDomains, MAX_DOMAIN_LENGTH, MAX_DOMAINS } from '../../search/filters.js';
import {
  boolean,
  Follows,
  integer,
  oneOf,
  optional,
  OUTPUT_SCHEMA,
  requiredString,
  text,
  type Rule,
} from '../field-rules.js';

/** The query that the document carries as default and example; a request without `query` is still refused. */
export const SAMPLE_QUERY = 'Common organelles within a human eukaryote';
/** Longest query, in characters after trimming. */
export const MAX_QUERY_LENGTH = 400;
/** A visible character. A query without any finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

const DOMAIN_LIST = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_DOMAIN_LENGTH },
  maxItems: MAX_DOMAINS,
};

/** The description and the shape of a caller's schema. */
export const OUTPUT_SCHEMA_TEXT =
  'A JSON Schema of type object: types object, array, string, number, integer and boolean, with enum, required, description and null (anyOf, or a second type); at most 4 objects and lists in each other, 60 properties and 8 kB. Needs a model. Each value is checked against its source.';
export const OUTPUT_SCHEMA_SHAPE = {
  type: 'object',
  additionalProperties: true,
  example: { type: 'object', properties: { discovered_by: { type: 'string' } }, required: ['discovered_by'] },
};

const STRING = requiredString();
const TEXT = text(MAX_QUERY_LENGTH);

/** The rule of `query`. */
export const QUERY: Rule = (value) =>
  STRING(value) ??
  TEXT(value) ??
  (VISIBLE.test(value as string) ? undefined : 'must contain something to search for');

const DOMAINS = optional(faultOfDomains);

/** Results of a request that does not say how many it wants. */
export const DEFAULT_TOP_N = 5;

/** The body of `POST search_web`. */
export class SearchWebDto {
  static readonly sample = { query: SAMPLE_QUERY, top_n: DEFAULT_TOP_N, llm_answer: false } as const;

  @ApiProperty({
    description: `The text to search for, 1 to ${MAX_QUERY_LENGTH} characters after trimming.`,
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    default: SAMPLE_QUERY,
    example: SAMPLE_QUERY,
    required: true,
  })
  @Follows(QUERY)
  query!: string;

  @ApiPropertyOptional({
    description: 'Number of results, at most 20 unless the host allows more.',
    type: 'integer',
    minimum: 1,
    maximum: 20,
    default: DEFAULT_TOP_N,
    example: DEFAULT_TOP_N,
  })
  @Follows(integer(1))
  top_n: number = DEFAULT_TOP_N;

  @ApiPropertyOptional({
    description: 'True: one answer with citations is returned instead of the results.',
    default: false,
    example: false,
  })
  @Follows(boolean)
  llm_answer: boolean = false;

  @ApiPropertyOptional({
    description:
      'Preferred language of the results, ISO 639-1. Default: the option `search.language` of the host, else any language.',
    enum: LANGUAGES,
    example: 'en',
  })
  @Follows(optional(oneOf(LANGUAGES)))
  language?: Language;

  @ApiPropertyOptional({
    description:
      'Only results of the last day, week, month or year. Results without a date stay. Default: the option `search.freshness` of the host, else any time.',
    enum: PERIODS,
    example: 'month',
  })
  @Follows(optional(oneOf(PERIODS)))
  freshness?: FreshnessPeriod;

  @ApiPropertyOptional({
    description: 'Only results of these domains and their subdomains. The host may allow fewer.',
    ...DOMAIN_LIST,
    example: ['example.com'],
  })
  @Follows(DOMAINS)
  include_domains?: string[];

  @ApiPropertyOptional({
    description: 'No results of these domains or their subdomains.',
    ...DOMAIN_LIST,
    example: ['example.org'],
  })
  @Follows(DOMAINS)
  exclude_domains?: string[];

  @ApiPropertyOptional({
    description: `With \`llm_answer\`: the form of \`llm.output\`. ${OUTPUT_SCHEMA_TEXT}`,
    ...OUTPUT_SCHEMA_SHAPE,
  })
  @Follows(OUTPUT_SCHEMA)
  output_schema?: Record<string, unknown>;
}
