import { cleanText } from '../plain-text.js';

/**
 * Label and address of a link or an image. Each run of characters stops at the next bracket of its kind, which keeps the search
 * linear; an address may hold one pair of parentheses, as Wikipedia's do.
 */
const LABEL = String.raw`\[([^\][\n]{0,500})\]`;
const ADDRESS = String.raw`\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)`;
const IMAGE = new RegExp(`!${LABEL}${ADDRESS}`, 'g');
const LINK = new RegExp(`${LABEL}${ADDRESS}`, 'g');
const LINE_MARK = /^[ \t]{0,8}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|[-*_=]{3,200}$|```[^\n]{0,50}$)/gm;

/**
 * The words of a Markdown page as some providers return it: images go, of a link its text stays, the marks of
 * headings, quotations, lists, rules, emphasis and code go. No parser: what is wanted is text to rank and quote, and a
 * mark that survives does no harm.
 */
export function markdownText(markdown: string): string {
  return cleanText(
    markdown
      .replace(IMAGE, ' ')
      .replace(LINK, '$1')
      .replace(LINE_MARK, '')
      .replace(/\*\*|__|`/g, ''),
  );
}
