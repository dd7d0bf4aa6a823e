import { IsBoolean, IsInt, IsString, Length, Matches, Min } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';

/** The query that the document carries as default and example; a request without `query` is refused all the same. */
export const SAMPLE_QUERY = 'Common organelles within a human eukaryote';
export const DEFAULT_TOP_N = 5;
export const MAX_QUERY_LENGTH = 400;

/** Something that can be seen: a query of control characters, lone surrogates or invisible marks only finds nothing anywhere. */
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/** The body of `POST search_web`. */
export class SearchWebDto {
  static readonly fields = ['query', 'top_n', 'llm_answer'] as const;
  static readonly trimmed = ['query'] as const;

  @ApiProperty({
    description: `The text to search for, 1 to ${MAX_QUERY_LENGTH} characters after trimming, not all of them invisible.`,
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
    description: 'Number of top results. The host can raise the ceiling of 20.',
    type: 'integer',
    minimum: 1,
    maximum: 20,
    default: DEFAULT_TOP_N,
    example: DEFAULT_TOP_N,
  })
  @Min(1, { message: 'top_n must not be less than 1' })
  @IsInt({ message: 'top_n must be an integer' })
  top_n: number = DEFAULT_TOP_N;

  @ApiPropertyOptional({
    description: 'True: a generated answer is returned in place of the results.',
    default: false,
    example: false,
  })
  @IsBoolean({ message: 'llm_answer must be true or false' })
  llm_answer: boolean = false;
}
