import { isRecord } from '../../core/schema.js';
import { cleanText } from '../plain-text.js';

/**
 * Label and address of a link or an image. Each run of characters stops at the next bracket of its kind, which keeps the search
 * linear. An address may contain one pair of parentheses, as Wikipedia's do.
 */
const LABEL = String.raw`\[([^\][\n]{0,500})\]`;
const ADDRESS = String.raw`\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)`;
const IMAGE = new RegExp(`!${LABEL}${ADDRESS}`, 'g');
const LINK = new RegExp(`${LABEL}${ADDRESS}`, 'g');
const LINE_MARK = /^[ \t]{0,8}(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|[-*_=]{3,200}$|```[^\n]{0,50}$)/gm;
/** A line between the head and the body of a table. */
const TABLE_RULE = /^[ \t]{0,8}\|?[ \t]*:?-{2,100}:?[ \t]*(?:\|[ \t]*:?-{2,100}:?[ \t]*){0,100}\|?[ \t]*$/gm;
/** A row of a table. Bounded, so that a line of bars costs no more than others. */
const TABLE_ROW = /^[ \t]{0,8}\|([^\n]{1,4000})\|[ \t]*$/gm;

/**
 * The words of Markdown as providers return it. Images disappear, links keep their text, and the marks of headings, quotations,
 * lists, rules, tables, emphasis and code disappear. This is no full parser: a mark that remains does no harm in text to rank
 * and quote.
 */
export function markdownText(markdown: string): string {
  return cleanText(
    markdown
      .replace(IMAGE, ' ')
      .replace(LINK, '$1')
      .replace(TABLE_RULE, '')
      .replace(TABLE_ROW, (_, cells: string) =>
        cells
          .split('|')
          .map((cell) => cell.trim())
          .filter((cell) => cell !== '')
          .join(', '),
      )
      .replace(LINE_MARK, '')
      .replace(/\*\*|__|`/g, ''),
  );
}

/** The words of a text that is Markdown, plain text, or structured data as JSON. */
export function markdownOrJsonText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return markdownText(text);
  try {
    return cleanText(sentencesOf(JSON.parse(text)).join(' '));
  } catch {
    // Markdown that begins with a bracket, such as a link.
    return markdownText(text);
  }
}

/** A value of at most this many characters is shown with its name, unless it is a sentence. */
const SHORT = 40;

/** The values of structured data in order, e.g. `price: 5.`, without types (`@type`) and links. */
function sentencesOf(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => sentencesOf(item, name));
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, inner]) =>
      key.startsWith('@') ? [] : sentencesOf(inner, key),
    );
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? markdownText(value) : '';
  if (text === '' || /^[a-z]+:\/\/\S+$/i.test(text)) return [];
  if (/[.!?…:]$/.test(text)) return [text];
  return [name && text.length <= SHORT ? `${name}: ${text}.` : `${text}.`];
}
