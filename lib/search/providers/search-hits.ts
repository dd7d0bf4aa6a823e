import { array, isRecord, Issue, number, orElse, string, type Schema } from '../../core/schema.js';
import { readBlocks, shownBlock } from '../page-blocks.js';
import { cleanText, oneLine } from '../plain-text.js';
import type { SearchHit } from '../search-provider.js';

/** One result of a provider before it is checked. */
export interface RawHit {
  url: string;
  /** HTML or text. Default: the host of the address. */
  title: string;
  /** Plain text. Line breaks become spaces. */
  snippet?: string;
  /** Plain text, best first. */
  passages?: readonly string[];
  /** 0..1 */
  score?: number;
  publishedAt?: string;
  license?: string;
  attribution?: string;
}

/** A string of a provider's answer. Anything else counts as an empty string. */
export const text = orElse(string(), '');

/** The strings of an array, without other items. Anything else counts as an empty array. */
export const texts: Schema<string[]> = orElse(array(string(), { skipInvalid: true }), []);

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

/** Longest passage, characters. */
const MAX_PASSAGE = 20_000;

/**
 * Makes hits from the results of a provider, best first, at most `count`. Results without an http(s) address are left out.
 *
 * @returns undefined when there are results and none has an address: the shape has changed, which is a failure. An address that
 *   leads nowhere is no failure, or pages could switch a provider off by the way they are listed
 */
export function hitsOf(results: readonly RawHit[], count: number): SearchHit[] | undefined {
  if (results.length > 0 && results.every(({ url }) => url.trim() === '')) return undefined;
  return results.flatMap((raw) => hitOf(raw) ?? []).slice(0, count);
}

function hitOf(raw: RawHit): SearchHit | undefined {
  const url = webAddress(raw.url.trim());
  if (!url) return undefined;
  const { snippet, score, license, attribution } = raw;
  const passages = raw.passages?.filter((passage) => passage !== '').map(cut);
  const publishedAt = isoDate(raw.publishedAt ?? '');
  return {
    url: url.text,
    title: oneLine(raw.title) || url.host,
    ...(snippet ? { snippet: snippet.replaceAll('\n', ' ') } : {}),
    ...(passages?.length ? { passages } : {}),
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
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  // Kept as the provider wrote it, unless it contains characters that an address must not have.
  return { text: /^[\x21-\x7e]+$/.test(value) ? value : url.href, host: url.hostname };
}

/**
 * A provider's date as ISO 8601. A date-time with a zone becomes UTC; one without a zone becomes the bare date.
 *
 * @returns undefined for text that names no day, e.g. `3 days ago`
 */
export function isoDate(value: string): string | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?/.exec(
    value,
  );
  if (iso?.[1])
    return iso[2] ? inRange(value, (date) => date.toISOString()) : inRange(iso[1], () => iso[1] as string);
  // `Mar 5, 2024`, `5 March 2024`, `Tue, 05 Mar 2024 10:00:00 GMT`: a day, a month's name and a year.
  if (!/[a-z]{3}/i.test(value) || !/\b\d{1,2}\b/.test(value) || !/\b(?:19|20)\d{2}\b/.test(value))
    return undefined;
  return /(?:GMT|UTC|Z|[+-]\d{4})$/.test(value.trim())
    ? inRange(value, (date) => date.toISOString())
    : inRange(`${value} UTC`, (date) => date.toISOString().slice(0, 10));
}

function inRange(value: string, format: (date: Date) => string): string | undefined {
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 2100 ? format(date) : undefined;
}

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
