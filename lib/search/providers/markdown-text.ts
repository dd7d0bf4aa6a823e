import { isRecord } from '../../core/schema.js';
import { readBlocks, shownBlock } from '../page-blocks.js';
import { cleanText } from '../plain-text.js';

/** The words of Markdown as providers return it: one line for each paragraph, heading, list item and row of a table. */
export function markdownText(markdown: string): string {
  return Array.from(readBlocks(markdown), shownBlock).join('\n');
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
