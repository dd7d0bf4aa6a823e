import type { ToolContext } from '../core/context.js';

/** A page's main text. */
export interface PageText {
  /** The address as it was asked for. */
  url: string;
  /** Without navigation, notices and the like: plain text, or Markdown that tells headings, lists, tables and code. No HTML. */
  text: string;
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
}

/** Gets the main text of pages that a provider gave only a snippet of; `createPageReader()` of `lib/web` is one. */
export interface PageReader {
  /**
   * Reads pages, best first. One that fails makes room for the next and never throws; what has not come by the end of
   * `context.remainingMs()` is left out.
   */
  read(
    urls: readonly string[],
    context: Pick<ToolContext, 'signal' | 'remainingMs'>,
  ): Promise<{ pages: readonly PageText[] }>;
}
