import { UNSPACED, wordKind } from '../../text/each-word.js';
import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Evidence } from './selection.js';
import { speakerOf, TOKEN, type TokenTable } from './token-table.js';
import { UNIT, type Units } from './units.js';

/** Words up to which parts of captions are joined to a sentence. */
const LONGEST_RUN = 60;
/** How likely the border between two parts must be for a full stop. */
const FULL_STOP = 0.7;

/** Writes chosen units as sentences. */
export class SummaryWriter {
  /**
   * @param names words that have a capital letter, by their lower-case form
   * @param named true when the transcript names its speakers: each sentence of another speaker then begins with the name
   */
  constructor(
    private readonly evidence: Evidence,
    private readonly names?: ReadonlyMap<string, string>,
    private readonly named = false,
  ) {}

  /**
   * The sentences of a paragraph, in order. A sentence that follows its neighbour in the text keeps its "But" or "So".
   */
  sentences(order: readonly number[]): string[] {
    const { table, units } = this.evidence;
    const out: string[] = [];
    let speaker: string | undefined;
    for (let k = 0; k < order.length; k++) {
      const u = order[k]!;
      const before = order[k - 1];
      const follows = before !== undefined && isNext(table, units.to[before]!, units.begin[u]!);
      const from = follows ? units.begin[u]! : units.from[u]!;
      // Nobody knows whether a clause ends between two parts of captions: then no full stop is invented.
      for (let words = units.words[u]!; order[k + 1] === order[k]! + 1; k++) {
        const next = order[k + 1]!;
        words += units.words[next]!;
        if (units.begins[next]! >= FULL_STOP || words > LONGEST_RUN) break;
      }
      const last = order[k]!;
      const sentence = closed(this.words(from, units.to[last]!), units.flags[last]!);
      const by = this.named ? speakerOf(table, units.from[u]!) : undefined;
      const changes = by !== undefined && by !== speaker;
      speaker = by;
      out.push(changes ? `${by}: ${capitalise(sentence)}` : capitalise(sentence));
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

  /** The first words of a unit, for a budget that it does not fit into. */
  beginning(u: number, maxWords: number): string {
    const { table, units } = this.evidence;
    let to = units.from[u]!;
    for (let left = maxWords; to < units.to[u]! && left > 0; to++) if (isKept(table, to)) left--;
    const text = capitalise(this.words(units.from[u]!, to));
    return to < units.to[u]! ? `${text}…` : closed(text, units.flags[u]!);
  }

  /** The kept tokens of a stretch, as the text has them. */
  private words(from: number, to: number): string {
    const { table, units } = this.evidence;
    let text = '';
    let last = -1;
    for (let i = from; i < to; i++) {
      if (!isKept(table, i)) continue;
      // Scripts without blanks have none between their words.
      const glued = last === i - 1 && table.start[i] === table.end[last];
      text += (text && !glued ? ' ' : '') + wordOf(table, units, i, this.names);
      last = i;
    }
    return trimmed(text);
  }
}

/** Sentences of a paragraph, on average. */
const SENTENCES = 3.5;

/**
 * Groups the sentences of a summary into paragraphs: breaks where most was left out between two of them, and leaves
 * no sentence alone. In captions each stretch of the text is a paragraph, so that nothing seems said together that was not.
 *
 * @param order chosen units in order of the text
 */
export function paragraphs(evidence: Evidence, order: readonly number[]): number[][] {
  const { units } = evidence;
  if (units.unpunctuated) {
    const stretches: number[][] = [];
    for (const u of order)
      if (stretches.at(-1)?.at(-1) === u - 1) stretches.at(-1)!.push(u);
      else stretches.push([u]);
    return stretches;
  }
  const wanted = Math.max(1, Math.round(order.length / SENTENCES));
  const gaps = order.slice(1).map((u, k) => ({ at: k + 1, gap: units.from[u]! - units.to[order[k]!]! }));
  gaps.sort((a, b) => b.gap - a.gap || a.at - b.at);
  const breaks = [0, order.length];
  for (const { at } of gaps) {
    if (breaks.length > wanted) break;
    if (breaks.every((b) => Math.abs(b - at) >= 2)) breaks.push(at);
  }
  breaks.sort((a, b) => a - b);
  return breaks
    .slice(1)
    .map((to, k) => order.slice(breaks[k], to))
    .filter((group) => group.length > 0);
}

/** Ends after which no blank follows. */
const UNSPACED_END = /[。！？｡」』）]$/;

/** Whether nothing that is kept stands between two tokens. */
function isNext(table: TokenTable, from: number, to: number): boolean {
  if (to < from) return false;
  for (let i = from; i < to; i++) if (isKept(table, i) && table.form[i]) return false;
  return true;
}

function wordOf(table: TokenTable, units: Units, i: number, names?: ReadonlyMap<string, string>): string {
  const text = table.source.slice(table.start[i], table.end[i]);
  if (!units.unpunctuated || table.mark[i]! & TOKEN.capital) return text;
  const form = table.form[i]!;
  const { lexicon } = table;
  // "US" in the description says nothing about an "us": function words are not names.
  const named = lexicon.bits[form]! & WORD.stop ? undefined : names?.get(lexicon.forms[form]!);
  const proper = lexicon.capitalised(form) ?? named;
  if (proper === undefined) return text;
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain === proper.toLowerCase() ? proper : text;
}

const LETTER = /[\p{L}\p{N}]/u;
/** Words that start no sentence. */
const BEFORE = new Set(' \t,;:.!?…)]}>–—-');
/** Words that end no sentence, before its full stop. */
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
export function capitalise(text: string): string {
  const first = text.search(LETTER);
  if (first < 0) return text;
  const letter = String.fromCodePoint(text.codePointAt(first) ?? 0);
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
