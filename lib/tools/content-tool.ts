import type { Content } from '../content/content-source.js';
import { integer, options, withDefault } from '../core/schema.js';
import type { DocumentedError, Enabled } from './tool-definition.js';

/** The members of a request that name content. */
export interface VideoRequest {
  /** A YouTube video URL or a video ID; for other source types what their source accepts. */
  contentId: string;
  /** Default `youtube`. */
  sourceType?: string;
}

/** Facts about content, without its words. */
export type ContentFacts = Pick<
  Content,
  'id' | 'url' | 'title' | 'channel' | 'durationMs' | 'language' | 'captions' | 'provider'
>;

/** The facts about content that was loaded. */
export function factsOf(content: Content): ContentFacts {
  const { id, url, title, channel, durationMs, language, captions, provider } = content;
  return { id, url, title, channel, durationMs, language, captions, provider };
}

/** Words of a video. */
export interface SpokenQuote {
  /** Where they begin, from the start of the video. */
  startSeconds: number;
  /** Address that opens the video there. */
  url: string;
  /** Verbatim words of the transcript. */
  quote: string;
}

/** Where a video says a value of the output. */
export interface SpokenField extends SpokenQuote {
  /** JSON pointer into the output. */
  field: string;
  /** Estimated probability that the value is right, 0..1. */
  probability: number;
}

/** Errors of every tool that reads the words of a video. */
export const VIDEO_ERRORS: Readonly<Record<404 | 422, DocumentedError>> = {
  404: {
    description: '`content_not_found`: no such video, or removed.',
    code: 'content_not_found',
    message: 'There is no such video, or it has been removed.',
  },
  422: {
    description:
      '`content_unavailable` (`details.reason`: private, age_restricted, members_only, region_blocked, live, upcoming), or ' +
      '`transcript_unavailable` (no captions in any language).',
    code: 'transcript_unavailable',
    message: 'The video has no captions in any language.',
    details: { reason: 'no_captions' },
  },
};

/** Options of `get_transcript` and of `ask_video`; all are optional. */
export interface ContentToolOptions {
  /** Time for a whole request, ms, 1,000..600,000. Default 60,000. */
  deadlineMs?: number;
  /** How long a result is cached, ms; 0: not at all. Default one hour. */
  cacheTtlMs?: number;
}

/** The options `transcript.…` and `askVideo.…`. */
export const CONTENT_TOOL_SCHEMA = options({
  deadlineMs: withDefault(integer(1_000, 600_000), 60_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 3_600_000),
});

/** {@link ContentToolOptions} with every default filled in. */
export type ResolvedContentToolOptions = Enabled<Required<ContentToolOptions>>;
