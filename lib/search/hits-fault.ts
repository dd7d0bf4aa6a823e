import { faultOf, faultOfItems, isFiniteNumber, isText, optional, type FieldRule } from '../core/shape.js';
import type { SearchProviderResult } from './search-provider.js';

/** More than twenty times what is ever asked for. */
const MAX_HITS = 1000;
/** All texts of a list together. */
const MAX_CHARACTERS = 20_000_000;

const RESULT: readonly FieldRule[] = [['hits', Array.isArray, 'an array']];
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const HIT: readonly FieldRule[] = [
  ['url', isText, 'a string'],
  ['title', optional(isText), 'a string'],
  ['snippet', optional(isText), 'a string or absent'],
  ['passages', optional(isTextList), 'an array of strings or absent'],
  ['score', optional(isFiniteNumber), 'a number or absent'],
  ['publishedAt', optional(isText), 'a string or absent'],
  ['license', optional(isText), 'a string or absent'],
  ['attribution', optional(isText), 'a string or absent'],
];

/** Why the results of a provider cannot be worked with; undefined where they can. */
export function hitsFault(result: unknown): string | undefined {
  const fault = faultOf(result, RESULT);
  if (fault) return fault;
  const { hits } = result as SearchProviderResult;
  if (hits.length > MAX_HITS) return `hits must be at most ${MAX_HITS}`;
  const inside = faultOfItems(hits, HIT, 'hits');
  if (inside) return inside;
  const characters = hits.reduce(
    (sum, { title = '', snippet = '', passages = [] }) =>
      sum + title.length + snippet.length + passages.reduce((all, text) => all + text.length, 0),
    0,
  );
  return characters > MAX_CHARACTERS ? `hits must hold at most ${MAX_CHARACTERS} characters` : undefined;
}
