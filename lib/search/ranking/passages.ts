import { countWords } from '../../core/text/index.js';
import { sentenceSpans, type Span } from './sentences.js';

/** Sizes of passages, in words. */
export interface PassageSize {
  /** A passage is closed at the first sentence border after this many words. */
  min: number;
  /** A sentence that would take a passage beyond this many words opens the next one. */
  max: number;
  /** Sentences that a passage repeats of the one before. */
  overlap: number;
}

/** What an answer rests on: small enough to be about one thing, large enough for a pronoun's antecedent. */
export const ANSWER_PASSAGE: PassageSize = { min: 120, max: 180, overlap: 1 };

/** Longest sentence that is taken whole, in characters; text without any full stop is cut at blanks. */
export const MAX_SENTENCE = 1200;

/** So many characters count as a word where there are fewer blanks: text without any must not make a passage without end. */
const LONG_WORD = 15;

/** Cuts a plain text at sentence borders. A text of at most `max` words is one passage. */
export function passageSpans(text: string, size: PassageSize): Span[] {
  // A word and its blank take two characters at least, so a text this short cannot have too many words.
  if (text.length > 0 && text.length <= 2 * size.max)
    return text.trim() === '' ? [] : [{ start: 0, end: text.length }];
  const sentences = sentenceSpans(text).flatMap((s) => cutAtBlanks(text, s, MAX_SENTENCE));
  const spans: Span[] = [];
  let first = 0;
  let count = 0;
  for (let i = 0; i < sentences.length; i++) {
    const sentence = sentences[i]!;
    const n = wordsOf(text.slice(sentence.start, sentence.end));
    const over = count > 0 && count + n > size.max;
    if (over || count >= size.min) {
      spans.push({ start: sentences[first]!.start, end: sentences[i - 1]!.end });
      first = Math.max(first + 1, i - size.overlap);
      const kept = sentences[first]!;
      count = first < i ? wordsOf(text.slice(kept.start, sentences[i - 1]!.end)) : 0;
    }
    count += n;
  }
  const last = sentences.at(-1);
  if (!last) return spans;
  const rest = { start: sentences[first]!.start, end: last.end };
  const before = spans.at(-1);
  // A short tail is part of the passage before it rather than a passage of its own.
  if (before && count < size.min / 3) before.end = rest.end;
  else spans.push(rest);
  return spans;
}

function wordsOf(text: string): number {
  return Math.max(countWords(text), Math.ceil(text.length / LONG_WORD));
}

/** Cuts a sentence of more than `max` characters at blanks: transcripts and tables may do without full stops. */
export function cutAtBlanks(text: string, sentence: Span, max: number): Span[] {
  const parts: Span[] = [];
  let start = sentence.start;
  while (sentence.end - start > max) {
    const blank = text.lastIndexOf(' ', start + max);
    let end = blank > start ? blank : start + max;
    // Never between the two halves of a surrogate pair.
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end--;
    parts.push({ start, end });
    start = text[end] === ' ' ? end + 1 : end;
  }
  parts.push({ start, end: sentence.end });
  return parts;
}
