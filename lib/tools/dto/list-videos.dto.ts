import { MAX_VIDEOS, type ListedVideo } from '../../content/youtube/lists/video-list.js';
import { check, documented, integer, oneOf, string } from '../../core/schema.js';
import { isoDate } from '../../web/iso-date.js';
import { CURSOR } from '../cursor.js';
import { COUNT, Field, OptionalField, RequestField } from '../request-fields.js';
import { DURATION_SECONDS, SAMPLE_VIDEO } from './content.dto.js';
import { query } from './search-web.dto.js';
import { ResultDto } from './shared.dto.js';

const ADDRESS = documented({ minLength: 1, maxLength: 2048 }, string({ max: Infinity }));

const DATE = documented(
  { maxLength: 40 },
  check(
    'an ISO 8601 date such as "2026-01-31" or "2026-01-31T12:00:00Z"',
    (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && isoDate(value) !== undefined,
  ),
);

/** As the API promises: one page of most lists. */
export const DEFAULT_VIDEOS = 30;

export class ListVideosDto {
  static readonly sample = { channel: '@sample-talks' } as const;

  @RequestField(ADDRESS, 'URL or ID of a YouTube playlist. Send one of playlist, channel and query.', {
    example: 'https://www.youtube.com/playlist?list=PLsampleTalksOfOurOwn',
    agents: 'URL or ID',
  })
  playlist?: string;

  @RequestField(
    ADDRESS,
    'URL, ID or handle of a YouTube channel, or the address of a podcast feed that the host has listed. Newest first.',
    { example: '@sample-talks', agents: 'URL, ID or @handle; or the address of a podcast feed' },
  )
  channel?: string;

  @RequestField(query(200), 'Words to search YouTube for, 1 to 200 characters.', { example: 'coral reefs' })
  query?: string;

  @RequestField(oneOf('youtube'), 'Where the videos come from.', { default: 'youtube', agents: false })
  source_type = 'youtube' as const;

  @RequestField(integer(1, MAX_VIDEOS), 'Most videos of the answer. The rest comes with `next_cursor`.', {
    default: DEFAULT_VIDEOS,
  })
  max_results = DEFAULT_VIDEOS;

  @RequestField(CURSOR, '`next_cursor` of the answer before, with the same other fields.', {
    agents: 'next_cursor of the result before',
  })
  cursor?: string;

  @RequestField(DATE, 'Leaves out videos that are surely older. Those without a date stay.', {
    example: '2026-01-31',
    agents: 'ISO date',
  })
  published_after?: string;
}

class ListedVideoDto {
  declare readonly '~result': ListedVideo & { url: string };

  @Field('Send it as `content_id` to the other tools.', 'sampleTalk1', { source: 'id' })
  content_id!: string;

  @Field('Address of the video.', SAMPLE_VIDEO, { text: 'address' })
  url!: string;

  @Field('Title. Text of a third party.', 'How coral reefs are built', { agents: 'shortened' })
  title!: string;

  @OptionalField('Channel.', 'nestjs-tools demo talks')
  channel?: string;

  @DURATION_SECONDS
  duration_seconds?: number;

  @OptionalField(
    'When it was published, ISO 8601. With a time it is exact. A bare date may be rounded: the latest day that fits "3 weeks ago".',
    '2026-01-31',
  )
  published_at?: string;

  @OptionalField('How often it was watched.', 1204, COUNT)
  views?: number;

  @OptionalField(
    'True while it is broadcast or has not begun: it cannot be read yet. Absent where unknown.',
    false,
  )
  is_live?: boolean;
}

export class ListVideosDataDto extends ResultDto {
  @OptionalField('Title of the playlist or channel.', 'nestjs-tools demo talks')
  title?: string;

  @Field('The videos, in the order of the list; of a channel the newest first.', [ListedVideoDto], {
    agents: 'shortened',
  })
  items!: ListedVideoDto[];

  @OptionalField('Videos in the whole list, where its source says so.', 12, COUNT)
  total?: number;

  @OptionalField('Send it as `cursor` for the rest; absent at the end.', '2k8.x7Qm_w1A', {
    agents: 'dropped',
  })
  next_cursor?: string;
}
