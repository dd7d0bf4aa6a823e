import { loopAt } from '../text/loops.js';
import { cleanOutput, type KnownAddresses } from '../text/sanitize-output.js';

const TIME = String.raw`\d{1,6}(?::\d{2}){0,2}(?:\s?s)?`;
const TIMES = String.raw`${TIME}(?:\s?[-–—,;]\s?${TIME}){0,5}`;
/** Times as the material has them before its paragraphs: `[754]`, `[12:34–13:00]`. */
const TIME_MARKS = new RegExp(
  String.raw`(?:[^\S\n]|(?<![\p{L}\p{N}]))[[【]\s?(?:t\s?=\s?|at\s)?${TIMES}\s?[\]】]`,
  'giu',
);
const BOLD_UNDERLINES = /(?<![\p{L}\p{N}_])__(?=\S)([^_\n]{1,200} [^_\n]{1,200})(?<=\S)__(?![\p{L}\p{N}_])/gu;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,200})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/** Prose of a model as it may reach the caller: without Markdown that sets type, time marks and what `cleanOutput` removes. Linear. */
export function sanitizeProse(text: string, known: KnownAddresses): string {
  const plain = text
    .replace(/\*\*|`|~{3,200}/g, '')
    .replace(BOLD_UNDERLINES, '$1')
    .replace(/^[^\S\n]{0,20}(?:#{1,6}|>)[^\S\n]{1,20}/gm, '')
    .replace(TIME_MARKS, '')
    .replace(/^[^\S\n]+/gm, '')
    .replace(EMPHASIS, '$2');
  return cleanOutput(plain, known)
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

/**
 * Ends a text where its model began to repeat itself, see {@link loopAt}. Linear.
 * @returns the text up to and with the first time that the phrase is said
 */
export function beforeLoop(text: string): string {
  const words = [...text.matchAll(/\S+/g)];
  const keys = words.map(([word]) => word.toLowerCase());
  for (let i = 0; i < keys.length; i++) {
    const { period, length } = loopAt(keys, i);
    const last = words[i + period - 1]!;
    if (length > period) return text.slice(0, last.index + last[0].length);
  }
  return text;
}
