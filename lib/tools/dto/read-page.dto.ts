import { ApiProperty, ApiPropertyOptional } from '../../core/openapi.js';
import { Follows, integer, optional, requiredString, type Rule } from '../field-rules.js';
import { MAX_QUERY_LENGTH, QUERY } from './search-web.dto.js';

/** A page of the sample app. */
const SAMPLE_PAGE = 'https://en.wikipedia.org/wiki/Organelle';
const MAX_URL = 8192;
const STRING = requiredString('the http or https address of a page');

/** Tokens of the content where the request does not say how many. */
export const DEFAULT_MAX_TOKENS = 4000;

const ADDRESS: Rule = (value) => {
  if (typeof value !== 'string') return STRING(value);
  return value.length > MAX_URL ? `must not be longer than ${MAX_URL} characters` : undefined;
};
const CURSOR: Rule = (value) =>
  typeof value === 'string' && /^[0-9a-z]{1,8}\.[\w-]{8}$/.test(value)
    ? undefined
    : 'must be the next_cursor of an answer';

/** The body of `POST read_page`. */
export class ReadPageDto {
  static readonly sample = { url: SAMPLE_PAGE } as const;

  @ApiProperty({
    description: 'Address of the page, http or https.',
    maxLength: MAX_URL,
    example: SAMPLE_PAGE,
  })
  @Follows(ADDRESS)
  url!: string;

  @ApiPropertyOptional({
    description: `What you want to know of the page, 1 to ${MAX_QUERY_LENGTH} characters: only the passages that bear on it are returned.`,
    minLength: 1,
    maxLength: MAX_QUERY_LENGTH,
    example: 'Which organelles have a double membrane?',
  })
  @Follows(optional(QUERY))
  query?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Most tokens of the content or the passages, estimated.',
    minimum: 100,
    maximum: 20_000,
    default: DEFAULT_MAX_TOKENS,
    example: DEFAULT_MAX_TOKENS,
  })
  @Follows(integer(100, 20_000))
  max_tokens = DEFAULT_MAX_TOKENS;

  @ApiPropertyOptional({
    description: '`next_cursor` of the answer before: reading goes on there. Not with `query`.',
    example: '2k8.x7Qm_w1A',
  })
  @Follows(optional(CURSOR))
  cursor?: string;
}
