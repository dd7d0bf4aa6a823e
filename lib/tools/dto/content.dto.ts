import { CAPTIONS_KINDS, type ContentFacts } from '../../content/content-source.js';
import { documented, oneOf, string } from '../../core/schema.js';
import { AMOUNT, Field, OptionalField, RequestField, RequiredField } from '../request-fields.js';
import { FIELD_PROBABILITY } from './shared.dto.js';

/** A video of the sample app. */
export const SAMPLE_VIDEO = 'https://www.youtube.com/watch?v=sampleTalk1';

const VIDEO = documented(
  { minLength: 1, maxLength: 2048 },
  string({ max: Infinity, expected: 'a string: a YouTube video ID or the URL of one YouTube video' }),
);

export abstract class VideoRequestDto {
  @RequiredField(
    VIDEO,
    'A YouTube video ID or the URL of one YouTube video. Playlists and channels are not accepted.',
    { example: SAMPLE_VIDEO, agents: 'YouTube URL or video ID' },
  )
  content_id!: string;

  @RequestField(oneOf('youtube'), 'Where the content comes from.', { default: 'youtube', agents: false })
  source_type = 'youtube' as const;
}

export const DURATION_SECONDS = OptionalField('Length in seconds.', 612, {
  ...AMOUNT,
  source: 'durationMs',
  toWire: (ms: number) => Math.round(ms / 1000),
});

export class ContentDto {
  declare readonly '~result': ContentFacts;

  @Field('Video ID.', 'sampleTalk1')
  id!: string;

  @Field('Address of the video.', 'https://www.youtube.com/watch?v=sampleTalk1', { text: 'address' })
  url!: string;

  @OptionalField('Title.', 'How coral reefs are built')
  title?: string;

  @OptionalField('Channel.', 'nestjs-tools demo talks')
  channel?: string;

  @DURATION_SECONDS
  duration_seconds?: number;

  @Field('Language of the transcript, BCP 47.', 'en')
  language!: string;

  @Field(
    '`manual`: captions written by people; `automatic`: recognized by the machine of the site; `translated`: translated by a machine, only from a provider of the host; `recognized`: speech recognized by this server.',
    'manual',
    { enum: [...CAPTIONS_KINDS] },
  )
  captions!: string;
}

export abstract class SpokenQuoteDto {
  @Field('Where the quotation begins.', 83.5, AMOUNT)
  start_seconds!: number;

  @Field('Address that opens the video there.', 'https://www.youtube.com/watch?v=sampleTalk1&t=83s', {
    text: 'address',
  })
  url!: string;

  @Field('Verbatim words of the transcript.', 'Warm water makes corals bleach', { agents: 'shortened' })
  quote!: string;
}

export class SpokenFieldDto extends SpokenQuoteDto {
  @Field('JSON pointer into `output`.', '/cause')
  field!: string;

  @FIELD_PROBABILITY
  probability!: number;
}
