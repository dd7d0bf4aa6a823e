import { afterNoteMarks } from './note-marks.js';

/** Where a sentence stands in its text: `[start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/** Abbreviations of the six languages after which a full stop does not end the sentence. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st sr sra srta jr vs etc approx ca cf e.g i.e eg ie fig figs no nos vol pp ed eds inc ltd co corp gen col lt capt sgt rev hon ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mt ave dept est al bzw usw ggf z.b d.h u.a nr str abb bd hr fr dott sig sigg ecc pag n.chr v.chr chr ' +
    'm mme mlle av apr.j.-c j.-c p.ex ex exmo pág núm art a.c d.c a.d b.c u.s u.k u.n lat sq ft'
  ).split(' '),
);

const MONTH = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert)/;
const ENDS = /[.!?…。！？]/;
const CLOSERS = /["'”’»)\]]/;
const OPENERS = /["'“‘«(¿¡[]/;

/**
 * Sentences of a plain text, in order, without the white space between them. Borders are full stops, question and
 * exclamation marks and line ends; abbreviations, initials and decimal points are none. One pass, linear.
 */
export function sentenceSpans(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Nearly every character is a letter or a blank, and indexing looks at all of them.
    if (code > 0x3f && code < 0x2026) continue;
    if (code === 0x0a) {
      push(spans, text, start, i);
      start = i + 1;
    } else if (ENDS.test(text[i]!)) {
      let end = i + 1;
      while (end < text.length && (ENDS.test(text[end]!) || CLOSERS.test(text[end]!))) end++;
      end = afterNoteMarks(text, end);
      if (isBorder(text, i, end)) {
        push(spans, text, start, end);
        start = end;
      }
      i = end - 1;
    }
  }
  push(spans, text, start, text.length);
  return spans;
}

/** The sentences themselves. */
export function sentencesOf(text: string): string[] {
  return sentenceSpans(text).map((s) => text.slice(s.start, s.end));
}

function isBorder(text: string, mark: number, end: number): boolean {
  if (end >= text.length) return true;
  if (/[。！？]/.test(text[mark]!)) return true;
  if (!/\s/.test(text[end]!)) return false;
  let next = end;
  while (next < text.length && (/\s/.test(text[next]!) || OPENERS.test(text[next]!))) next++;
  const following = text[next] ?? '';
  if (text[mark] !== '.') return !/\p{Ll}/u.test(following);
  if (/\s/.test(text[mark - 1] ?? '')) return true;
  let from = mark;
  while (from > 0 && mark - from < 12 && !/[\s("“«]/.test(text[from - 1]!)) from--;
  const word = text.slice(from, mark);
  if (/^\p{Lu}$/u.test(word)) {
    // "J. Smith" goes on, "vitamin C. It" does not: an initial stands before a name and after one or at the start.
    return (
      !/^\p{Lu}/u.test(following) ||
      /^(?:The|It|He|She|They|In|This|A|An|Its|But|At)\b/.test(text.slice(next, next + 6))
    );
  }
  if (ABBREVIATIONS.has(word.toLowerCase())) return false;
  // German writes dates as "am 15. August".
  if (/^\d{1,2}$/.test(word) && MONTH.test(text.slice(next, next + 10))) return false;
  return !/\p{Ll}/u.test(following);
}

function push(spans: Span[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  if (end > start) spans.push({ start, end });
}
