import { Lexicon } from './lexicon.js';
import { segmentWords } from '../../text/count-words.js';
import { UNSPACED, wordKind } from '../../text/each-word.js';

/** Called inside long loops; gives way to other work when the slice of time is used up. */
export type Pause = () => Promise<void> | undefined;

/** A stretch of text, with its time where one is known. */
export interface TimedText {
  text: string;
  /** Milliseconds; NaN when no time is known. */
  startMs: number;
  endMs: number;
  /** The speaker, if the transcript names speakers. */
  speaker?: string | undefined;
  /** See `TranscriptSegment`. */
  startsLine?: boolean | undefined;
}

/** Properties of a token, as bits. */
export const TOKEN = {
  /** First token of a line or cue. */
  lineStart: 1 << 0,
  /** Ends with `.`, `!`, `?` or `…`. */
  stop: 1 << 1,
  /** Ends with `?`. */
  question: 1 << 2,
  /** Ends with a comma, semicolon, colon or dash. */
  comma: 1 << 3,
  /** Starts with a capital letter. */
  capital: 1 << 4,
  /** A new speaker, a list item or a heading starts here. */
  turn: 1 << 5,
  /** Not part of what was said: `[Music]`, a bullet. */
  mute: 1 << 6,
  /** Deleted by the cleaning. */
  dropped: 1 << 7,
} as const;

/**
 * A text as columns: one row a run of non-space characters. A row costs 13 bytes; no string is kept but the source.
 */
export interface TokenTable {
  source: string;
  lexicon: Lexicon;
  count: number;
  /** Offsets into `source`, punctuation included; `end` is exclusive. */
  start: Uint32Array;
  end: Uint32Array;
  /** Form id in the lexicon; 0 for tokens without letters and digits. */
  form: Uint32Array;
  /** `TOKEN` bits. */
  mark: Uint8Array;
  /** First token of each line, and the count at the end. */
  lineStarts: Uint32Array;
  /** Times of each line in ms, NaN when unknown. */
  lineStartMs: Float64Array;
  lineEndMs: Float64Array;
  /** The lines as they were given. */
  lines: readonly TimedText[];
}

/** The speaker of a token, if the transcript names speakers. */
export const speakerOf = (table: TokenTable, token: number): string | undefined =>
  table.lines[lineOf(table, token)]?.speaker;

/** Line that holds a token, by bisection. */
export function lineOf(table: TokenTable, token: number): number {
  let low = 0;
  let high = table.lineStarts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (table.lineStarts[middle]! <= token) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** A line up to this long is a caption cue: its own start is the right place to jump to. */
const CUE_MS = 12_000;

/** When a token was said, in ms: its cue's start, or, in a longer stretch, in proportion to the words before it. */
export function timeOf(table: TokenTable, token: number): number {
  const line = lineOf(table, token);
  const start = table.lineStartMs[line] ?? NaN;
  const end = table.lineEndMs[line] ?? NaN;
  if (Number.isNaN(start)) return 0;
  if (!(end - start > CUE_MS)) return Math.max(0, Math.floor(start));
  const first = table.lineStarts[line] ?? 0;
  const next = table.lineStarts[line + 1] ?? table.count;
  return Math.max(0, Math.floor(start + ((end - start) * (token - first)) / Math.max(1, next - first)));
}

const isSpace = (c: number): boolean => c <= 32 || (c >= 0xa0 && /\s/.test(String.fromCharCode(c)));

const isWordCharacter = (c: number): boolean =>
  c < 128
    ? (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57)
    : /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(String.fromCharCode(c));

const codes = (characters: string): ReadonlySet<number> =>
  new Set([...characters].map((one) => one.charCodeAt(0)));
const END_MARKS = codes('.!?…。！？');
const PAUSES = codes(',;:–—，、');
const CLOSERS = codes('"\')]»”’“」』）');

/** Whether a character ends a sentence, wherever it stands. */
export const isEndMark = (c: number): boolean => END_MARKS.has(c);

/** Characters of a script without blanks that are cut into words at once. */
const LONGEST_RUN = 5000;

const isUpper = (character: string): boolean => character !== character.toLowerCase();

/**
 * Reads lines into a token table. Linear in the text.
 *
 * @param lines lines or cues in order
 * @param language ISO 639-1 code, where one is known
 * @param pause called every few hundred lines; what it returns is awaited
 */
export async function tokenize(
  lines: readonly TimedText[],
  language: string | undefined,
  pause: Pause,
): Promise<TokenTable> {
  const source = lines.map((l) => l.text).join('\n');
  const lexicon = new Lexicon(language);
  const capacity = await countTokens(source, pause);
  const table: TokenTable = {
    source,
    lexicon,
    count: 0,
    start: new Uint32Array(capacity),
    end: new Uint32Array(capacity),
    form: new Uint32Array(capacity),
    mark: new Uint8Array(capacity),
    lineStarts: new Uint32Array(lines.length + 1),
    lineStartMs: new Float64Array(lines.length),
    lineEndMs: new Float64Array(lines.length),
    lines,
  };
  let offset = 0;
  for (let l = 0; l < lines.length; l++) {
    const line = lines[l];
    if (!line) continue;
    table.lineStarts[l] = table.count;
    table.lineStartMs[l] = line.startMs;
    table.lineEndMs[l] = line.endMs;
    const stop = offset + line.text.length;
    let first = true;
    let brackets = false;
    let i = offset;
    const turns = l > 0 && line.speaker !== lines[l - 1]?.speaker;
    while (i < stop) {
      while (i < stop && isSpace(source.charCodeAt(i))) i++;
      if (i >= stop) break;
      const from = i;
      let unspaced = false;
      for (; i < stop && !isSpace(source.charCodeAt(i)) && !(unspaced && i - from > LONGEST_RUN); i++)
        unspaced ||= source.charCodeAt(i) > 0xdff && wordKind(source.charCodeAt(i)) === UNSPACED;
      if (unspaced) await addUnspaced(table, from, i, first, pause);
      else brackets = addToken(table, from, i, first, brackets);
      first = false;
      if (unspaced || (table.count & 1023) === 0) await pause();
    }
    if (turns && !first) table.mark[table.lineStarts[l]!]! |= TOKEN.turn;
    offset = stop + 1;
    if ((l & 255) === 0) await pause();
  }
  table.lineStarts[lines.length] = table.count;
  return table;
}

/** Counting first lets every column be made in its size: growing them would leave twice as much behind as is used. */
async function countTokens(source: string, pause: Pause): Promise<number> {
  let count = 0;
  let length = 0;
  let unspaced = false;
  for (let i = 0; i <= source.length; i++) {
    const c = i < source.length ? source.charCodeAt(i) : 32;
    if (isSpace(c)) {
      // A run of a script without blanks has at most a word a character.
      if (length > 0) count += unspaced ? length : 1;
      length = 0;
      unspaced = false;
    } else {
      length++;
      unspaced ||= c > 0xdff && wordKind(c) === UNSPACED;
    }
    if ((i & 0xffff) === 0xffff) await pause();
  }
  return count;
}

/** Longest `[stage direction]` in characters. */
const LONGEST_DIRECTION = 60;

const closes = (source: string, from: number, to: number): boolean => source.slice(from, to).includes(']');

/** Marks that belong to the word behind them. */
const OPENING = new Set('「『（《【〈“‘(["');

/** Appends the words of a run of a script without blanks, each with the marks behind it. */
async function addUnspaced(
  table: TokenTable,
  from: number,
  to: number,
  first: boolean,
  pause: Pause,
): Promise<void> {
  const { source } = table;
  let start = from;
  let last = -1;
  const push = (): void => {
    if (last > start) addToken(table, start, last, first && start === from, false);
  };
  for (const { start: at, end, isWord } of segmentWords(source, from, to)) {
    // A mark that opens keeps its place until its word has come.
    const opened = last === at && OPENING.has(source[last - 1]!) && isWord;
    if (last > 0 && (isWord || OPENING.has(source[at]!)) && !opened) {
      push();
      start = at;
      if ((table.count & 255) === 0) await pause();
    }
    last = end;
  }
  push();
}

/** Appends one token; returns whether a stage direction goes on after it. */
function addToken(table: TokenTable, from: number, to: number, first: boolean, brackets: boolean): boolean {
  const { source, lexicon } = table;
  let a = from;
  let b = to;
  while (a < b && !isWordCharacter(source.charCodeAt(a))) a++;
  while (b > a && !isWordCharacter(source.charCodeAt(b - 1))) b--;
  let mark = first ? TOKEN.lineStart : 0;
  const opened = source.charCodeAt(from) === 91 && closes(source, from, from + LONGEST_DIRECTION);
  const open = (brackets || opened) && !closes(source, from, to);
  if (brackets || opened) mark |= TOKEN.mute;
  if (a === b) {
    const c = source.charCodeAt(from);
    if (c === 62 || (first && (c === 45 || c === 0x2013 || c === 0x2014 || c === 0x2022 || c === 42)))
      mark |= TOKEN.turn | TOKEN.mute;
    else if (c === 0x266a || c === 0x266b || c === 35) mark |= TOKEN.mute;
  } else {
    if (source.charCodeAt(from) === 62 && source.charCodeAt(from + 1) === 62) mark |= TOKEN.turn;
    if (isUpper(source[a] ?? '')) mark |= TOKEN.capital;
  }
  let tail = to;
  const body = a === b ? from : b;
  while (tail > body && CLOSERS.has(source.charCodeAt(tail - 1))) tail--;
  const last = tail > body ? source.charCodeAt(tail - 1) : 0;
  if (isEndMark(last)) {
    mark |= TOKEN.stop;
    for (let k = tail - 1; k >= body && isEndMark(source.charCodeAt(k)); k--)
      if (source.charCodeAt(k) === 63 || source.charCodeAt(k) === 0xff1f) mark |= TOKEN.question;
  } else if (PAUSES.has(last) || (a === b && last === 45)) mark |= TOKEN.comma;
  const n = table.count++;
  table.start[n] = from;
  table.end[n] = to;
  table.form[n] = a === b ? 0 : lexicon.intern(source, a, b);
  table.mark[n] = mark;
  return open;
}
