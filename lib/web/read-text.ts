import { lazy, type Pause } from '../core/async.js';
import { normalized, withTextBrackets } from '../text/plain-text.js';
import { markdownOf, type Block, type BlockText } from './blocks.js';
import { asInlineMarkdown, markdownSource, readLongMarkdown } from './read-markdown.js';

/** Something that Markdown leaves to HTML: structure, comments, and what a reader does not see. */
const HTML =
  /<!--|<\/?(?:h[1-6]|p|div|br|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|section|article|blockquote|pre|hr|li|tr|td|th|script|style|noscript|template|svg|head|iframe|object)\b[^<>]*>/i;
/** A text that begins like this is a page with everything around its main text. */
const WHOLE_PAGE = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i;
/** Code of Markdown, whose tags are text. */
const CODE = /((?:^|\n) {0,3}```[^`][\s\S]*?\n {0,3}```|`[^`\n]{1,500}`)/;

/** The reader of HTML, loaded with the first text that has any. */
const htmlReader = lazy(async () => ({
  ...(await import('./extract/html-outline.js')),
  ...(await import('./extract/main-text.js')),
  ...(await import('./extract/page-sources.js')),
  ...(await import('./extract/html-blocks.js')),
}));

/**
 * The blocks of a text of any length that may be Markdown, plain text or HTML, as documents and the passages of search services are. HTML
 * goes the way of a page that was fetched; of a whole page its main text counts. Yields to other work by `pause`.
 *
 * @param most reading stops after about this many blocks. Default: no bound
 */
export async function readText(raw: string, pause: Pause, most = Infinity): Promise<Block[]> {
  if (!HTML.test(raw)) return readLongMarkdown(raw, pause, { most });
  const { outlineHtml, mainTexts, readableTexts, shownTexts, blocksOf } = await htmlReader();
  if (WHOLE_PAGE.test(raw)) {
    const outline = await outlineHtml(raw, pause);
    const main = await mainTexts(readableTexts(outline).texts, outline, pause);
    return blocksOf(main, pause);
  }
  // Code first: between backquotes, tags are text.
  const parts = markdownSource(raw).split(CODE);
  const html = parts.map((part, i) => (i % 2 === 1 ? escaped(part) : withTextBrackets(part))).join('');
  const { texts } = await outlineHtml(html, pause, { markdown: true });
  return blocksOf(shownTexts(texts), pause);
}

/** A text as Markdown or plain text with its blocks: the text itself, or if it is HTML its blocks as Markdown. */
export async function readDocument(raw: string, pause: Pause): Promise<BlockText> {
  if (HTML.test(raw)) return markdownOf(await readText(raw, pause), pause, asInlineMarkdown);
  const text = markdownSource(raw);
  return { text, blocks: await readLongMarkdown(text, pause) };
}

function escaped(code: string): string {
  return normalized(code).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
