import type { Content } from './content-source.js';

/** A content with the addresses of its moments. */
export interface LoadedContent {
  content: Content;
  /** Address that opens the content at a moment. @param startMs milliseconds from its start */
  urlAt(startMs: number): string;
}

/** Facts about content, without its words. */
export type ContentFacts = Pick<
  Content,
  'id' | 'url' | 'title' | 'channel' | 'durationMs' | 'language' | 'captions' | 'provider'
>;

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
  quote: string;
}

/** Where a video says a value of the output. */
export interface SpokenField extends SpokenQuote {
  /** JSON pointer into the output. */
  field: string;
  /** Estimated probability that the value is right, 0..1. */
  probability: number;
}
