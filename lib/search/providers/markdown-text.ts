import { cleanText } from './plain-text.js';

/**
 * The words of a Markdown page as some providers return it: images go, of a link its text stays, the marks of
 * headings, quotations, lists, rules, emphasis and code go. No parser: what is wanted is text to rank and quote, and a
 * mark that survives does no harm. Linear; every pattern is bounded.
 */
export function markdownText(markdown: string): string {
  return cleanText(
    markdown
      .replace(/!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)/g, ' ')
      .replace(/\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)/g, '$1')
      .replace(/^[ \t]{0,8}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|[-*_=]{3,200}$|```[^\n]{0,50}$)/gm, '')
      .replace(/\*\*|__|`/g, ''),
  );
}
