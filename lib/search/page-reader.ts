import type { ToolContext } from '../core/tool-context.js';

/** A page's main text. */
export interface PageText {
  /** Plain text without navigation, notices and the like; paragraphs separated by an empty line. */
  text: string;
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
}

/** Gets the main text of a page that a provider gave only a snippet of. Implemented outside of this room. */
export interface PageReader {
  /**
   * @returns undefined for what has no readable text (a video, an image, an empty page)
   * @throws any error where the page cannot be had; the service then keeps the provider's snippet
   */
  read(url: string, context: ToolContext): Promise<PageText | undefined>;
}
