import { UNSPACED, wordKind } from './each-word.js';

/** Characters that `Intl.Segmenter` gets at once: it is quadratic in longer stretches on Node 20. */
const STRETCH = 400;
/** Characters of scripts without blanks that {@link countWords} segments; the rest of a text is taken to be like them. */
const COUNTED = 20_000;

let segmenter: Intl.Segmenter | undefined;

/** A word, or a mark between two, at `[start, end)`. */
export interface Piece {
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
export function* segmentWords(text: string, from: number, to: number): Generator<Piece> {
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

/**
 * Number of words as a reader counts them: separated by white space, and in scripts without blanks as `Intl.Segmenter` finds
 * them. Exact up to 20,000 characters of such scripts, an estimate from their beginning beyond that.
 */
export function countWords(text: string): number {
  let n = 0;
  let inside = false;
  let unspaced = 0;
  let segmented = 0;
  let found = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c > 0xdff && wordKind(c) === UNSPACED) {
      let end = i + 1;
      while (end < text.length && wordKind(text.charCodeAt(end)) === UNSPACED) end++;
      unspaced += end - i;
      if (segmented < COUNTED) {
        const to = Math.min(end, i + COUNTED - segmented);
        for (const { isWord } of segmentWords(text, i, to)) if (isWord) found++;
        segmented += to - i;
      }
      i = end - 1;
      inside = false;
      continue;
    }
    const space = c <= 32 || c === 0xa0;
    if (!space && !inside) n++;
    inside = !space;
  }
  if (segmented > 0) n += unspaced > segmented ? Math.round((found * unspaced) / segmented) : found;
  return n;
}
