import { at } from '../../core/json.js';
import { parseUrl } from '../../core/url.js';
import {
  anything,
  array,
  map,
  number,
  orElse,
  record,
  string,
  valid,
  type Schema,
} from '../../core/schema.js';
import { isoDate } from '../../web/iso-date.js';
import { oneLine } from '../../text/plain-text.js';
import type { SearchHit } from '../search-provider.js';

/** Where a provider's JSON has the parts of a result: names, or paths such as `contents.markdown`. */
interface HitFields {
  url?: string;
  title?: string;
  snippet?: string;
  /** Texts and lists of texts; all of them count. */
  passages?: readonly string[];
  /** Default: none. A score counts from 0 to 1. */
  score?: string;
  /** The first one with a text counts. */
  publishedAt?: readonly string[];
}

/** A result that a provider's JSON has under these names, before {@link hitsOf}. What is missing or of another type counts as empty. */
export function hit({
  url = 'url',
  title = 'title',
  snippet = '',
  passages = [],
  score = '',
  publishedAt = [],
}: HitFields): Schema<SearchHit> {
  return map(record(anything()), (item) => {
    const valueAt = (path: string): unknown => at(item, ...path.split('.'));
    const textAt = (path: string): string => valid(hitText, valueAt(path)) ?? '';
    return {
      url: textAt(url),
      title: textAt(title),
      snippet: textAt(snippet),
      passages: passages.flatMap((path) => [textAt(path), ...(valid(hitTexts, valueAt(path)) ?? [])]),
      score: valid(number(0, 1), valueAt(score)),
      publishedAt: publishedAt.map(textAt).find(Boolean),
    };
  });
}

/** A string of a provider's answer, which is bounded as a whole. Anything else counts as an empty string. */
export const hitText = orElse(string({ max: Infinity }), '');

/** The strings of an array, without other items. Anything else counts as an empty array. */
export const hitTexts: Schema<string[]> = orElse(array(string({ max: Infinity }), { skipInvalid: true }), []);

/** A list of results, without items of another shape. A list with no item of the right shape does not match. */
export const hitList = <T>(item: Schema<T>): Schema<T[]> => array(item, { skipInvalid: 'some' });

/**
 * Makes hits from the results of a provider, best first, at most `count`. Results without an http(s) address are left out. Passages stay as
 * they are: plain text, Markdown or HTML, whose structure the service reads.
 *
 * @returns undefined when there are results and none has an address: the shape has changed, which is a failure. An address that
 *   leads nowhere is no failure, or pages could switch a provider off by the way they are listed
 */
export function hitsOf(results: readonly SearchHit[], count: number): SearchHit[] | undefined {
  if (results.length > 0 && results.every(({ url }) => url.trim() === '')) return undefined;
  return results.flatMap((result) => hitOf(result) ?? []).slice(0, count);
}

/** An address as it was given, unless it holds what does not belong into one, such as line breaks or turns of the writing direction. */
export function cleanAddress(url: string): string {
  const address = url.trim();
  return /^[\x21-\x7e]+$/.test(address) ? address : (parseUrl(address)?.href ?? address);
}

function hitOf(result: SearchHit): SearchHit | undefined {
  const address = result.url.trim();
  const url = parseUrl(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  const passages = result.passages?.map((passage) => passage.trim()).filter(Boolean) ?? [];
  return {
    ...result,
    url: cleanAddress(address),
    title: oneLine(result.title) || url.hostname,
    snippet: oneLine(result.snippet ?? '') || undefined,
    passages: passages.length > 0 ? passages : undefined,
    publishedAt: isoDate(result.publishedAt ?? ''),
  };
}
