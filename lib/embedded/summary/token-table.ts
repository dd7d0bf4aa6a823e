import { type TranscriptSegment } from '../../content/content-source.js';
import { segmentWords } from '../../text/count-words.js';
import { UNSPACED, wordKind } from '../../text/each-word.js';
import { Lexicon, type Word } from './lexicon.js';

/** Called inside long loops; gives way to other work when the slice of time is used up. */
export type Pause = () => Promise<void> | undefined;

/** A stretch of text; its times are NaN when they are not known. */
export type TimedText = Omit<TranscriptSegment, 'nonSpeech'>;

/** Properties of a token, as bits. */
export const TOKEN = {
  /** First token of a line or cue. */
  lineStart: 1 << 0,
  /** Ends with `.`, `!`, `?` or `…`. */
  stop: 1 << 1,
  question: 1 << 2,
  /** Ends with a comma, semicolon, colon or dash. */
  comma: 1 << 3,
  /** A new speaker or a list item starts here. */
  turn: 1 << 5,
  /** Deleted by the cleaning. */
  dropped: 1 << 6,
} as const;

/** A run of non-space characters, in scripts without blanks a word. */
export interface Token {
  /** Offsets into the source, punctuation included; `end` is exclusive. */
  start: number;
  end: number;
  /** Absent for tokens without letters and digits. */
  word?: Word;
  /** `TOKEN` bits. */
  mark: number;
}

export interface TokenTable {
  source: string;
  lexicon: Lexicon;
  tokens: Token[];
  /** First token of each line, and the count at the end. */
  lineStarts: number[];
  lines: readonly TimedText[];
}

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
  const { startMs, endMs } = table.lines[line]!;
  if (Number.isNaN(startMs)) return 0;
  if (!(endMs - startMs > CUE_MS)) return Math.max(0, Math.floor(startMs));
  const first = table.lineStarts[line]!;
  const next = table.lineStarts[line + 1]!;
  return Math.max(0, Math.floor(startMs + ((endMs - startMs) * (token - first)) / Math.max(1, next - first)));
}

/** What is not said: `[stage directions]`, signs of music. */
const UNSAID = /\[[^\]\n]{0,60}\]|[♪♫]|(?<!\S)#(?!\S)/g;
/** Signs of a new speaker, and of an item of a list at the start of a line. */
const SPEAKER = /^(?:>>+|>$)/;
const ITEM = /^[-–—•*]$/;
/** Characters of a text without blanks that are read at once. */
const RUNS = /\S{1,5000}/g;

/**
 * Reads lines into a token table. Linear in the text.
 *
 * @param lines lines or cues in order
 * @param language ISO 639-1 code, where one is known
 */
export async function tokenize(
  lines: readonly TimedText[],
  language: string | undefined,
  pause: Pause,
): Promise<TokenTable> {
  const texts = lines.map(({ text }) => text.replace(UNSAID, (unsaid) => ' '.repeat(unsaid.length)));
  const table: TokenTable = {
    source: texts.join('\n'),
    lexicon: new Lexicon(language),
    tokens: [],
    lineStarts: [],
    lines,
  };
  let offset = 0;
  for (const [l, text] of texts.entries()) {
    table.lineStarts.push(table.tokens.length);
    let marks: number = TOKEN.lineStart;
    if (l > 0 && lines[l]!.speaker !== lines[l - 1]!.speaker) marks |= TOKEN.turn;
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      const arrows = SPEAKER.exec(run)?.[0].length ?? 0;
      if (arrows > 0 || (marks & TOKEN.lineStart && ITEM.test(run))) marks |= TOKEN.turn;
      if (arrows === run.length || (marks & TOKEN.lineStart && ITEM.test(run))) continue;
      const from = offset + index + arrows;
      for (const [start, end] of piecesOf(table.source, from, offset + index + run.length)) {
        addToken(table, start, end, marks);
        marks = 0;
        if ((table.tokens.length & 255) === 0) await pause();
      }
    }
    offset += text.length + 1;
    if ((l & 255) === 0) await pause();
  }
  table.lineStarts.push(table.tokens.length);
  return table;
}

/** Marks that belong to the word behind them. */
const OPENING = new Set('「『（《【〈“‘(["');

/** A run of characters without blanks as one piece; in scripts without blanks its words, each with the marks behind it. */
function* piecesOf(source: string, from: number, to: number): Generator<[start: number, end: number]> {
  let isUnspaced = false;
  for (let i = from; i < to && !isUnspaced; i++)
    isUnspaced = source.charCodeAt(i) > 0xdff && wordKind(source.charCodeAt(i)) === UNSPACED;
  let start = from;
  let last = isUnspaced ? -1 : to;
  for (const { start: at, end, isWord } of isUnspaced ? segmentWords(source, from, to) : []) {
    // A mark that opens keeps its place until its word has come.
    const opened = last === at && OPENING.has(source[last - 1]!) && isWord;
    if (last > 0 && (isWord || OPENING.has(source[at]!)) && !opened) {
      yield [start, last];
      start = at;
    }
    last = end;
  }
  yield [start, last];
}

const isWordCharacter = (character: string): boolean => /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(character);
const END_MARKS = new Set('.!?…。！？');
const PAUSES = new Set(',;:–—，、');
const CLOSERS = new Set('"\')]»”’“」』）');

/** Whether a character ends a sentence, wherever it stands. */
export const isEndMark = (character: string): boolean => END_MARKS.has(character);

function addToken(table: TokenTable, from: number, to: number, given: number): void {
  const { source, lexicon, tokens } = table;
  let [a, b, mark] = [from, to, given];
  while (a < b && !isWordCharacter(source[a]!)) a++;
  while (b > a && !isWordCharacter(source[b - 1]!)) b--;
  const isWord = a < b;
  let tail = to;
  const body = isWord ? b : from;
  while (tail > body && CLOSERS.has(source[tail - 1]!)) tail--;
  const last = tail > body ? source[tail - 1]! : '';
  if (isEndMark(last)) {
    mark |= TOKEN.stop;
    if (/[?？]/.test(source.slice(body, tail))) mark |= TOKEN.question;
  } else if (PAUSES.has(last) || (!isWord && last === '-')) mark |= TOKEN.comma;
  tokens.push({
    start: from,
    end: to,
    mark,
    ...(isWord ? { word: lexicon.add(source.slice(a, b)) } : {}),
  });
}
