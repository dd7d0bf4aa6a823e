import { yielder } from '../../core/async.js';
import { decodeText } from '../charset.js';
import { outlineHtml } from './html-outline.js';
import { mainText } from './main-text.js';
import { pageMetadata, type PageMetadata } from './page-metadata.js';
import { cleanLongText } from './visible-text.js';

/** A page's bytes and what is known about them. */
export interface RawPage {
  /** Media type without parameters, lower-case. */
  type: string;
  /** The whole `Content-Type` header, for the charset. */
  contentType?: string | null;
  body: Buffer;
}

/** The readable part of a page. */
export interface ExtractedPage extends PageMetadata {
  /** Plain text; blocks are apart by an empty line, items and table rows by a line break. May be empty. */
  text: string;
}

/**
 * The main text of an HTML or plain-text page with its title, date and language. What a reader does not see is left out:
 * hidden elements, comments, scripts, templates and invisible characters.
 *
 * Own code on htmlparser2's tokenizer rather than @mozilla/readability on linkedom: measured side by side
 * (`node bench/extract.mjs`), the libraries block the event loop for longer than a page may, cannot give way in between,
 * and take seconds or overflow the stack on pages of nested or unclosed tags, which a stranger can serve at will. A host
 * that prefers one of them gives `extract` to the page reader.
 *
 * Gives way to other work every 12 ms. Time is linear in the page.
 */
export async function extractPage(
  { type, contentType, body }: RawPage,
  signal?: AbortSignal,
): Promise<ExtractedPage> {
  const isHtml = type !== 'text/plain';
  const text = decodeText(body, contentType, isHtml);
  const pause = yielder(12, signal);
  if (!isHtml) return { text: await cleanLongText(text, pause) };
  const outline = await outlineHtml(text, pause);
  await pause();
  return { ...pageMetadata(outline), text: await mainText(outline, pause) };
}
