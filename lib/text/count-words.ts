import { UNSPACED, wordKind } from './each-word.js';

/** Words in a character of scripts without blanks: of South-East Asia, of Han and kana; set by hand. */
const THAI_WORDS = 1 / 4;
const HAN_WORDS = 1 / 2;

/** Number of words as a reader counts them: separated by white space, and in scripts without blanks an estimate from their characters. */
export function countWords(text: string): number {
  let words = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isUnspaced = code > 0xdff && wordKind(code) === UNSPACED;
    const isSpace = code <= 32 || code === 0xa0;
    if (isUnspaced) words += code < 0x2000 ? THAI_WORDS : HAN_WORDS;
    else if (!isSpace && !isInside) words++;
    isInside = !isSpace && !isUnspaced;
  }
  return Math.round(words);
}
