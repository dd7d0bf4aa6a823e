import { UNSPACED, wordKind } from './each-word.js';

/** Characters that `Intl.Segmenter` gets at once: it is quadratic in longer stretches on Node 20. */
const STRETCH = 400;
let segmenter: Intl.Segmenter | undefined;

/** A word, or a mark between two, at `[start, end)`. */
export interface WordOrMark {
  start: number;
  end: number;
  isWord: boolean;
}

/**
 * Cuts a stretch of a script without blanks (Han, kana, Thai, Lao, Khmer, Burmese) into words with `Intl.Segmenter`. Linear; lazy, so that a
 * caller may pause.
 *
 * @returns pieces in order, which cover the stretch
 */
export function* segmentWords(text: string, from: number, to: number): Generator<WordOrMark> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  for (let at = from; at < to;) {
    const end = Math.min(to, at + STRETCH);
    const pieces = [...segmenter.segment(text.slice(at, end))];
    // The last piece of a stretch may be half a word: it is cut again with what follows.
    const last = pieces.length > 1 && end < to ? pieces.pop() : undefined;
    for (const { index, segment, isWordLike } of pieces)
      yield { start: at + index, end: at + index + segment.length, isWord: isWordLike ?? false };
    at = last ? at + last.index : end;
  }
}

/** Words in a character of scripts without blanks: of South-East Asia, of Han and kana. */
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
