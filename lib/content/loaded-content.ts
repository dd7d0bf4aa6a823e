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
