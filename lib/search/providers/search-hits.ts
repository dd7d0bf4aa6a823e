import { stringAt } from '../../core/json.js';
import { parseUrl } from '../../core/url.js';
import {
  anything,
  array,
  isRecord,
  Issue,
  map,
  number,
  orElse,
  record,
  string,
  valid,
  type Schema,
} from '../../core/schema.js';
import { isoDate } from '../../web/iso-date.js';
import { shownBlock } from '../../web/blocks.js';
import { readMarkdown } from '../../web/read-markdown.js';
import { cleanText, oneLine } from '../../text/plain-text.js';
import type { SearchHit } from '../search-provider.js';
import { cutAtWord } from './query-filters.js';

/** Where a provider's JSON has the parts of a result. Of two names the first one with a text counts. */
interface HitFields {
  /** Default `url`. */
  url?: string;
  /** Default `title`. */
  title?: string;
  snippet?: string;
  /** A text or a list of texts. */
  passages?: string;
  publishedAt?: string | readonly [string, string];
}

/** A result that a provider's JSON has under these names, before {@link hitsOf}. What is missing or of another type counts as empty. */
export function hit({
  url = 'url',
  title = 'title',
  snippet,
  passages,
  publishedAt,
}: HitFields): Schema<SearchHit> {
  return map(record(anything()), (item) => {
    const textAt = (name: string | undefined): string =>
      name === undefined ? '' : (stringAt(item, name) ?? '');
    const [date, otherDate] = typeof publishedAt === 'string' ? [publishedAt] : (publishedAt ?? []);
    return {
      url: textAt(url),
      title: textAt(title),
      snippet: textAt(snippet),
      passages: passages === undefined ? [] : (valid(texts, item[passages]) ?? []).concat(textAt(passages)),
      publishedAt: textAt(date) || textAt(otherDate),
    };
  });
}

/** How texts of results become plain text. */
export interface HitTexts {
  /** Default: as HTML, on one line. */
  snippet?: (text: string) => string;
  /** Default: as HTML, on one line. */
  passage?: (text: string) => string;
}

/** A string of a provider's answer, which is bounded as a whole. Anything else counts as an empty string. */
export const text = orElse(string({ max: Infinity }), '');

/** The strings of an array, without other items. Anything else counts as an empty array. */
export const texts: Schema<string[]> = orElse(array(string({ max: Infinity }), { skipInvalid: true }), []);

/** A score from 0 to 1. Anything else counts as absent. */
export const share: Schema<number | undefined> = orElse(number(0, 1), undefined);

/** A list of results, without items of another shape. A list with no item of the right shape does not match. */
export function list<T>(item: Schema<T>): Schema<T[]> {
  const items = array(item, { skipInvalid: true });
  return {
    expected: items.expected,
    read: (value) => {
      const read = items.read(value);
      const isLost = Array.isArray(read) && read.length === 0 && Array.isArray(value) && value.length > 0;
      return isLost ? new Issue('a list of results', value) : read;
    },
  };
}

/** Longest passage, and longest snippet that is made from one, characters. */
const MAX_PASSAGE = 20_000;
const MAX_SNIPPET = 300;

/**
 * Makes hits from the results of a provider, best first, at most `count`. Results without an http(s) address are left out.
 *
 * @returns undefined when there are results and none has an address: the shape has changed, which is a failure. An address that
 *   leads nowhere is no failure, or pages could switch a provider off by the way they are listed
 */
export function hitsOf(
  results: readonly SearchHit[],
  count: number,
  texts: HitTexts = {},
): SearchHit[] | undefined {
  if (results.length > 0 && results.every(({ url }) => url.trim() === '')) return undefined;
  return results.flatMap((raw) => hitOf(raw, texts) ?? []).slice(0, count);
}

function hitOf(
  raw: SearchHit,
  { snippet: snippetText = oneLine, passage: passageText = oneLine }: HitTexts,
): SearchHit | undefined {
  const url = webAddress(raw.url.trim());
  if (!url) return undefined;
  const { score, license, attribution } = raw;
  const passages = raw.passages?.map((passage) => cut(passageText(passage))).filter(Boolean) ?? [];
  const snippet = snippetText(raw.snippet ?? '') || cutAtWord(passages[0] ?? '', MAX_SNIPPET);
  const publishedAt = isoDate(raw.publishedAt ?? '');
  return {
    url: url.text,
    title: oneLine(raw.title) || url.host,
    ...(snippet ? { snippet: snippet.replaceAll('\n', ' ') } : {}),
    ...(passages.length > 0 ? { passages } : {}),
    ...(score === undefined ? {} : { score }),
    ...(publishedAt ? { publishedAt } : {}),
    ...(license ? { license } : {}),
    ...(attribution ? { attribution } : {}),
  };
}

function cut(passage: string): string {
  // A cut surrogate pair would leave half a character.
  return passage.length > MAX_PASSAGE
    ? passage.slice(0, MAX_PASSAGE).replace(/[\ud800-\udbff]$/, '')
    : passage;
}

function webAddress(value: string): { text: string; host: string } | undefined {
  const url = parseUrl(value);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  // Kept as the provider wrote it, unless it contains characters that an address must not have.
  return { text: /^[\x21-\x7e]+$/.test(value) ? value : url.href, host: url.hostname };
}

/** The words of Markdown as providers return it: one line for each paragraph, heading, list item and row of a table. */
export function markdownText(markdown: string): string {
  return Array.from(readMarkdown(markdown), shownBlock).join('\n');
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
