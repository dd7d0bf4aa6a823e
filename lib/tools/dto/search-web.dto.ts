import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  Min,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { LANGUAGES, type Language } from '../../core/text/languages.js';
import { PERIODS, type FreshnessPeriod } from '../../search/freshness.js';
import { MAX_DOMAIN_LENGTH, MAX_DOMAINS } from '../../search/narrowing.js';
import { oneOf } from './one-of.js';

/** The query that the document carries as default and example; a request without `query` is still refused. */
export const SAMPLE_QUERY = 'Common organelles within a human eukaryote';
export const DEFAULT_TOP_N = 5;
export const MAX_QUERY_LENGTH = 400;

/** Something that can be seen: a query of control characters, lone surrogates or invisible marks only finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/** The domains themselves are checked with what the host allows (`narrow`). */
const DOMAIN_LIST = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_DOMAIN_LENGTH },
  maxItems: MAX_DOMAINS,
};

/** Adds to a message that numbers and booleans are sent without quotation marks, if a string came. */
const withoutQuotes =
  (message: string) =>
  ({ value }: ValidationArguments): string =>
    typeof value === 'string' ? `${message}, without quotation marks` : message;

const isGiven = (_: unknown, value: unknown): boolean => value !== undefined;

/** The body of `POST search_web`. */
export class SearchWebDto {
  static readonly fields = [
    'query',
    'top_n',
    'llm_answer',
    'language',
    'freshness',
    'include_domains',
    'exclude_domains',
  ] as const;
  static readonly trimmed = ['query'] as const;
  static readonly sample = { query: SAMPLE_QUERY, top_n: DEFAULT_TOP_N, llm_answer: false } as const;

  @ApiProperty({
    description: `The text to search for, 1 to ${MAX_QUERY_LENGTH} characters after trimming.`,
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    default: SAMPLE_QUERY,
    example: SAMPLE_QUERY,
    required: true,
  })
  @Matches(VISIBLE, { message: 'query must contain something to search for' })
  @Length(1, MAX_QUERY_LENGTH, {
    message: `query must be 1 to ${MAX_QUERY_LENGTH} characters long after trimming`,
  })
  @IsString({ message: 'query is required and must be a string' })
  query!: string;

  @ApiPropertyOptional({
    description: 'Number of results, at most 20 unless the host allows more.',
    type: 'integer',
    minimum: 1,
    maximum: 20,
    default: DEFAULT_TOP_N,
    example: DEFAULT_TOP_N,
  })
  @Min(1, { message: 'top_n must not be less than 1' })
  @IsInt({ message: withoutQuotes('top_n must be an integer') })
  top_n: number = DEFAULT_TOP_N;

  @ApiPropertyOptional({
    description: 'True: one answer with citations is returned instead of the results.',
    default: false,
    example: false,
  })
  @IsBoolean({ message: withoutQuotes('llm_answer must be true or false') })
  llm_answer: boolean = false;

  @ApiPropertyOptional({
    description:
      'Preferred language of the results, ISO 639-1. Default: the option `search.language` of the host, else any language.',
    enum: LANGUAGES,
    example: 'en',
  })
  @ValidateIf(isGiven)
  @IsIn(LANGUAGES, oneOf(LANGUAGES))
  language?: Language;

  @ApiPropertyOptional({
    description:
      'Only results of the last day, week, month or year. Results without a date stay. Default: the option `search.freshness` of the host, else any time.',
    enum: PERIODS,
    example: 'month',
  })
  @ValidateIf(isGiven)
  @IsIn(PERIODS, oneOf(PERIODS))
  freshness?: FreshnessPeriod;

  @ApiPropertyOptional({
    description: 'Only results of these domains and their subdomains. The host may allow fewer.',
    ...DOMAIN_LIST,
    example: ['example.com'],
  })
  @ValidateIf(isGiven)
  @IsArray({
    message: `include_domains must be a list of at most ${MAX_DOMAINS} domains, such as ["example.com"]`,
  })
  include_domains?: string[];

  @ApiPropertyOptional({
    description: 'No results of these domains or their subdomains.',
    ...DOMAIN_LIST,
    example: ['example.org'],
  })
  @ValidateIf(isGiven)
  @IsArray({
    message: `exclude_domains must be a list of at most ${MAX_DOMAINS} domains, such as ["example.com"]`,
  })
  exclude_domains?: string[];
}
