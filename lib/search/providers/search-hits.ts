import { oneLine } from '../plain-text.js';
import { isObject, type JsonObject } from './json-fields.js';
import { isoDate } from './iso-date.js';
import type { SearchHit } from '../search-provider.js';

/** What a provider says of one result, before it is made safe. */
export interface RawHit {
  url: unknown;
  /** HTML or text; without one the host of the address stands in. */
  title: unknown;
  /** Already plain text. */
  snippet?: string;
  /** Already plain text, best first. */
  passages?: string[];
  /** Dropped unless it lies within 0..1. */
  score?: unknown;
  publishedAt?: unknown;
}

/** Longest passage that is handed on, characters; a whole page beyond that only costs memory. */
const MAX_PASSAGE = 20_000;

/**
 * The results of a provider's list, best first, at most `count`. Items without an http(s) address are left out.
 *
 * @returns undefined when the list has items and none of them has an address at all: the shape has changed, which is a failure and not
 *   an empty result. Addresses that lead nowhere are no failure: else pages could switch a provider off by how they are listed
 */
export function hitsOf(
  items: readonly unknown[],
  count: number,
  read: (item: JsonObject) => RawHit,
): SearchHit[] | undefined {
  const hits: SearchHit[] = [];
  let addressed = items.length === 0;
  for (const item of items) {
    if (!isObject(item)) continue;
    const raw = read(item);
    addressed ||= typeof raw.url === 'string' && raw.url.trim() !== '';
    const hit = hitOf(raw);
    if (hit) hits.push(hit);
  }
  return addressed ? hits.slice(0, count) : undefined;
}

function hitOf(raw: RawHit): SearchHit | undefined {
  const url = webAddress(raw.url);
  if (!url) return undefined;
  const title = typeof raw.title === 'string' ? oneLine(raw.title) : '';
  const passages = raw.passages?.filter((text) => text !== '').map((text) => cut(text));
  const publishedAt = isoDate(raw.publishedAt);
  return {
    url: url.text,
    title: title || url.host,
    ...(raw.snippet ? { snippet: raw.snippet } : {}),
    ...(passages?.length ? { passages } : {}),
    ...(typeof raw.score === 'number' && raw.score >= 0 && raw.score <= 1 ? { score: raw.score } : {}),
    ...(publishedAt ? { publishedAt } : {}),
  };
}

function cut(text: string): string {
  // A surrogate pair cut in two would leave half a character.
  return text.length > MAX_PASSAGE ? text.slice(0, MAX_PASSAGE).replace(/[\ud800-\udbff]$/, '') : text;
}

function webAddress(value: unknown): { text: string; host: string } | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const url = new URL(value.trim());
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    // As the provider wrote it, unless it holds what does not belong into an address.
    return { text: /^[\x21-\x7e]+$/.test(value.trim()) ? value.trim() : url.href, host: url.hostname };
  } catch {
    return undefined;
  }
}
