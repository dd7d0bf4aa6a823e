import { lazy, type Pause } from '../core/async.js';
import { withTextBrackets } from '../text/plain-text.js';
import { mapMarkdown } from '../text/sanitize-markdown.js';
import { markdownOf, type Block, type BlockText } from './blocks.js';
import type { HtmlText } from './extract/html-text.js';
import { markdownSource, readLongMarkdown } from './read-markdown.js';

/** Something that Markdown leaves to HTML: structure, comments, and what a reader does not see. */
const HTML =
  /<!--|<\/?(?:h[1-6]|p|div|br|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|section|article|blockquote|pre|hr|li|tr|td|th|script|style|noscript|template|svg|head|iframe|object)\b[^<>]*>/i;
/** A text that begins like this is a page with everything around its main text. */
const WHOLE_PAGE = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i;
/** Code in a line, whose tags are text. */
const CODE_SPAN = /(?<![\\`])(`{1,9})(?!`)[^\n]{1,500}?(?<!`)\1(?!`)/g;
const CODE_OR_ENTITY = new RegExp(String.raw`${CODE_SPAN.source}|&(?=#?[a-z\d]{1,32};)`, 'gi');

/** In longer paragraphs of Markdown, tags are text: they are looked for at once, characters; a plain bound. */
const MAX_PROSE = 262_144;

/** The reader of HTML, loaded with the first text that has any. */
const htmlReader = lazy(async () => ({
  ...(await import('./extract/html-outline.js')),
  ...(await import('./extract/main-text.js')),
  ...(await import('./extract/page-sources.js')),
  ...(await import('./extract/html-blocks.js')),
  ...(await import('./extract/named-tags.js')),
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
  const { texts } = await outlineHtml(await asHtml(markdownSource(raw), pause, false), pause, {
    markdown: true,
  });
  return blocksOf(shownTexts(texts), pause);
}

/** A Markdown document as Markdown alone: of the elements of HTML in it what they show. Yields to other work by `pause`. */
export async function withoutHtml(markdown: string, base: URL | undefined, pause: Pause): Promise<string> {
  if (!/<[a-z/!]/i.test(markdown)) return markdown;
  const { outlineHtml, shownTexts, blocksOf, holdsMarkdown } = await htmlReader();
  const { texts } = await outlineHtml(await asHtml(markdown, pause, true), pause, { markdown: true, base });
  const parts: string[] = [];
  let elements: HtmlText[] = [];
  const endElements = async (): Promise<void> => {
    const { text } = await markdownOf(await blocksOf(elements, pause, { textFiles: false }), pause);
    if (text !== '') parts.push(text);
    elements = [];
  };
  for (const text of shownTexts(texts)) {
    if (!holdsMarkdown(text)) {
      elements.push(text);
      continue;
    }
    await endElements();
    const source = text.source!.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
    parts.push(source.includes('&') ? await withEntities(source, pause) : source);
  }
  await endElements();
  return parts.join('\n\n');
}

/** Markdown whose entities were decoded, so that it is read as it was: what looks like an entity is text. */
function withEntities(markdown: string, pause: Pause): Promise<string> {
  const prose = (lines: readonly string[]): string => {
    const text = lines.join('\n');
    if (text.length > MAX_PROSE) return text;
    return text.replace(CODE_OR_ENTITY, (found) => (found === '&' ? '&amp;' : found));
  };
  return mapMarkdown(markdown, { prose }, pause);
}

/**
 * Markdown as HTML that holds Markdown: what is no element is text, and so are code and the names of elements in prose.
 * @param hasIndentedCode false for HTML, whose elements may be indented
 */
async function asHtml(markdown: string, pause: Pause, hasIndentedCode: boolean): Promise<string> {
  const prose = (lines: readonly string[]): string => {
    const text = lines.join('\n');
    return text.length > MAX_PROSE ? escaped(text) : withTextBrackets(text.replace(CODE_SPAN, escaped));
  };
  const html = await mapMarkdown(markdown, { prose, code: escaped, hasIndentedCode }, pause);
  const { withNamedTags } = await htmlReader();
  return withNamedTags(html, pause);
}

/** A text as Markdown or plain text with its blocks: the text itself, or if it is HTML its blocks as Markdown. */
export async function readDocument(raw: string, pause: Pause): Promise<BlockText> {
  if (HTML.test(raw)) return markdownOf(await readText(raw, pause), pause);
  const text = markdownSource(raw);
  return { text, blocks: await readLongMarkdown(text, pause) };
}

function escaped(code: string): string {
  // Of millions of signs, `replaceAll` takes three times as long.
  return code.split('&').join('&amp;').split('<').join('&lt;');
}
