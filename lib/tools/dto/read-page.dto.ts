import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { Follows, integer, optional, requiredString, type Rule } from '../parse-request.js';
import { MAX_QUERY_LENGTH, QUERY } from './search-web.dto.js';

/** A page of the sample app. */
const SAMPLE_PAGE = 'https://en.wikipedia.org/wiki/Organelle';
const MAX_URL = 8192;
const STRING = requiredString('the http or https address of a page');

/** Tokens of the content where the request does not say how many. */
export const DEFAULT_MAX_TOKENS = 4000;
/** The rules of the fields. */
export const READ_PAGE_RULES = {
  url: ((value) =>
    typeof value !== 'string'
      ? STRING(value)
      : value.length > MAX_URL
        ? `must not be longer than ${MAX_URL} characters`
        : undefined) as Rule,
  query: optional(QUERY),
  maxTokens: integer(100, 20_000),
  cursor: optional((value) =>
    typeof value === 'string' && /^[0-9a-z]{1,8}\.[\w-]{8}$/.test(value)
      ? undefined
      : 'must be the next_cursor of an answer',
  ),
};

/** The body of `POST read_page`. */
export class ReadPageDto {
  static readonly sample = { url: SAMPLE_PAGE } as const;
  static readonly fields = ['url', 'query', 'max_tokens', 'cursor'] as const;

  @ApiProperty({
    description: 'Address of the page, http or https.',
    maxLength: MAX_URL,
    example: SAMPLE_PAGE,
  })
  @Follows(READ_PAGE_RULES.url)
  url!: string;

  @ApiPropertyOptional({
    description: `What you want to know of the page, 1 to ${MAX_QUERY_LENGTH} characters: only the passages that bear on it are returned.`,
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    example: 'Which organelles have a double membrane?',
  })
  @Follows(READ_PAGE_RULES.query)
  query?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Most tokens of the content or the passages, estimated.',
    minimum: 100,
    maximum: 20_000,
    default: DEFAULT_MAX_TOKENS,
    example: DEFAULT_MAX_TOKENS,
  })
  @Follows(READ_PAGE_RULES.maxTokens)
  max_tokens = DEFAULT_MAX_TOKENS;

  @ApiPropertyOptional({
    description: '`next_cursor` of the answer before: reading goes on there. Not with `query`.',
    example: '2k8.x7Qm_w1A',
  })
  @Follows(READ_PAGE_RULES.cursor)
  cursor?: string;
}
