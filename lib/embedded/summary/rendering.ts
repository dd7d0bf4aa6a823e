import { UNSPACED, wordKind } from '../../text/each-word.js';
import { isKept } from './cleaning.js';
import { speakerOf, type TokenTable } from './token-table.js';
import { UNIT, type Unit } from './units.js';

/** Words up to which parts of captions are joined to a sentence. */
const LONGEST_RUN = 60;
/** How likely the border between two parts must be for a full stop. */
const FULL_STOP = 0.7;

/** Writes chosen units as sentences. */
export class SummaryWriter {
  /** @param named true when the transcript names its speakers: each sentence of another speaker then begins with the name */
  constructor(
    private readonly table: TokenTable,
    private readonly units: readonly Unit[],
    private readonly named: boolean,
  ) {}

  sentences(order: readonly number[]): string[] {
    const { table, units } = this;
    const out: string[] = [];
    let speaker: string | undefined;
    for (let k = 0; k < order.length; k++) {
      const { from, words } = units[order[k]!]!;
      // Nobody knows whether a clause ends between two parts of captions: then no full stop is invented.
      for (let run = words; order[k + 1] === order[k]! + 1; k++) {
        const next = units[order[k + 1]!]!;
        run += next.words;
        if (next.begins >= FULL_STOP || run > LONGEST_RUN) break;
      }
      const last = units[order[k]!]!;
      const sentence = capitalise(closed(this.words(from, last.to), last.flags));
      const by = this.named ? speakerOf(table, from) : undefined;
      out.push(by !== undefined && by !== speaker ? `${by}: ${sentence}` : sentence);
      speaker = by;
    }
    return out;
  }

  /** The sentences as one paragraph. */
  write(order: readonly number[]): string {
    return this.sentences(order).reduce(
      (text, sentence) => text + (text && !UNSPACED_END.test(text) ? ' ' : '') + sentence,
      '',
    );
  }

  /** The first words of the text, for a budget that its first sentence does not fit into. */
  beginning(maxWords: number): string {
    const { from, to, flags } = this.units[0]!;
    let end = from;
    for (let left = maxWords; end < to && left > 0; end++) if (isKept(this.table.tokens[end]!)) left--;
    const text = capitalise(this.words(from, end));
    return end < to ? `${text}…` : closed(text, flags);
  }

  private words(from: number, to: number): string {
    const { tokens, source, lexicon } = this.table;
    let text = '';
    let end = -1;
    for (const token of tokens.slice(from, to).filter(isKept)) {
      // Scripts without blanks have none between their words.
      if (text && token.start !== end) text += ' ';
      const written = source.slice(token.start, token.end);
      text += lexicon.language === 'en' ? written.replace(/^i(?=['’]|$)/, 'I') : written;
      end = token.end;
    }
    return trimmed(text);
  }
}

/** Sentences of a paragraph, on average. */
const SENTENCES = 3.5;

/**
 * Groups the sentences of a summary into paragraphs. A paragraph ends where most was left out, and never has one sentence only. In captions
 * each stretch of the text is a paragraph, so that nothing seems said together that was not.
 *
 * @param order chosen units in order of the text
 */
export function paragraphs(order: readonly number[], unpunctuated: boolean): number[][] {
  const gap = (k: number): number => order[k]! - order[k - 1]!;
  const places = order.map((_, k) => k).slice(1);
  const ends: number[] = [];
  if (unpunctuated) ends.push(...places.filter((k) => gap(k) > 1));
  else
    for (const k of places.slice(1, -1).sort((a, b) => gap(b) - gap(a)))
      if (ends.length + 1 < order.length / SENTENCES && ends.every((end) => Math.abs(end - k) > 1))
        ends.push(k);
  ends.sort((a, b) => a - b);
  return [...ends, order.length].map((end, k) => order.slice(ends[k - 1] ?? 0, end));
}

/** Ends after which no blank follows. */
const UNSPACED_END = /[。！？｡」』）]$/;
const LETTER = /[\p{L}\p{N}]/u;
/** Characters that start no sentence. */
const BEFORE = new Set(' \t,;:.!?…)]}>–—-');
/** Characters that end no sentence, before its full stop. */
const AFTER = new Set(' \t,;:([{–—-');
const CLOSERS = new Set('"\'»”’)]」』）');
const STOPS = new Set('.!?…。！？');

/** A sentence without loose signs at its ends. Loops and not expressions: those that look for the end of a run are quadratic in it. */
function trimmed(text: string): string {
  const s = dropLoneQuotes(text);
  let [from, to] = [0, s.length];
  while (from < to && BEFORE.has(s[from]!)) from++;
  while (to > from && AFTER.has(s[to - 1]!)) to--;
  return s.slice(from, to);
}

/** A sentence with its end: a full stop or a question mark where it has none, an ellipsis where nobody knows where it ends. */
function closed(text: string, flags: number): string {
  let end = text.length;
  while (end > 0 && CLOSERS.has(text[end - 1]!)) end--;
  if (end > 0 && STOPS.has(text[end - 1]!)) return text;
  if (flags & UNIT.unsure) return `${text}…`;
  if (wordKind(text.charCodeAt(text.length - 1)) === UNSPACED) return text;
  return text + (flags & UNIT.question ? '?' : '.');
}

/** The first letter in upper case, where the language has such. */
function capitalise(text: string): string {
  const first = text.search(LETTER);
  if (first < 0) return text;
  const letter = String.fromCodePoint(text.codePointAt(first)!);
  const upper = letter.toUpperCase();
  return upper.length === letter.length
    ? text.slice(0, first) + upper + text.slice(first + letter.length)
    : text;
}

/** Pairs of marks; one without its partner says nothing. */
const PAIRS = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
  ['(', ')'],
] as const;

function dropLoneQuotes(text: string): string {
  let s = text;
  for (const [open, close] of PAIRS) {
    // „…“ is German: its closing mark opens elsewhere.
    if (open === '“' && s.includes('„')) continue;
    const opened = s.split(open).length - 1;
    const closed = s.split(close).length - 1;
    if (open === close ? opened % 2 === 1 : opened !== closed)
      s = s.replaceAll(open, '').replaceAll(close, '').replace(/ {2,}/g, ' ');
  }
  return s;
}
