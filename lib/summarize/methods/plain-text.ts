import { cleanOutput, type KnownAddresses } from '../../text/clean-output.js';

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
export function plainText(text: string, known: KnownAddresses): string {
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

/** A phrase of at most this many words that is said this often in a row is a loop. */
const LONGEST_PHRASE = 12;
const REPEATS = 4;
/** "Very, very, very" may be said. */
const FEWEST_REPEATED = 12;

/**
 * Ends a text where its model began to repeat itself: a phrase over and over, without end. Linear.
 * @returns the text up to and with the first time that the phrase is said
 */
export function beforeLoop(text: string): string {
  const words = [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0].toLowerCase(),
    end: match.index + match[0].length,
  }));
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    let run = 0;
    for (let i = length; i < words.length; i++) {
      run = words[i]!.text === words[i - length]!.text ? run + 1 : 0;
      if (run < Math.max(length * (REPEATS - 1), FEWEST_REPEATED - length)) continue;
      return text.slice(0, words[i - run]!.end);
    }
  }
  return text;
}
