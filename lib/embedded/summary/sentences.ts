import { SentenceFinder } from '../../text/sentences.js';
import { isEndMark, type Pause, TOKEN, type TokenTable } from './token-table.js';
import { BorderModel } from './border-model.js';
import { WORD } from './lexicon.js';

/** Sentences as spans of tokens, in order. */
export interface Sentences {
  count: number;
  /** First token. */
  from: Uint32Array;
  /** Token after the last. */
  to: Uint32Array;
  /** In captions without punctuation: how likely a clause ends before each token, 0..1. */
  border?: Float32Array;
  /** True when the words are speech and not writing. */
  spoken: boolean;
  /** True when the text carries no punctuation to speak of, as automatic captions do. */
  unpunctuated: boolean;
}

/** Fewer sentence ends per word than this and the text counts as unpunctuated. */
const PUNCTUATED = 1 / 70;
/** Share of private talk from which a text counts as speech. */
const SPOKEN = 0.035;
/** Silence that ends a sentence, in ms. */
const LONG_PAUSE = 1500;
/** Silence that makes a sentence end more likely, in ms. */
const SHORT_PAUSE = 500;

/**
 * Finds the sentences of a text: by its punctuation where it has any, else by pauses, changes of speaker and the words
 * with which sentences begin and end. A line break ends a sentence, except in captions, which are cut anywhere.
 *
 * @param verse true for a song: each line stands for itself
 */
export async function findSentences(table: TokenTable, pause: Pause, verse = false): Promise<Sentences> {
  let [words, stops, casual] = [0, 0, 0];
  for (let i = 0; i < table.count; i++) {
    if (table.mark[i]! & TOKEN.stop) stops++;
    if (table.form[i]) words++;
    if (table.lexicon.bits[table.form[i]!]! & (WORD.casual | WORD.hesitation)) casual++;
    if ((i & 0xffff) === 0) await pause();
  }
  const spoken = casual >= words * SPOKEN;
  const unpunctuated = !verse && stops < words * PUNCTUATED && !isThai(table);
  const lineBreaks = !unpunctuated && !isCutAnywhere(table);
  const breaks = verse ? 'all' : lineBreaks ? 'some' : 'none';
  const strong = await strongBorders(table, breaks, unpunctuated, pause);
  const starts: number[] = [];
  const border = unpunctuated ? await cutClauses(table, strong, starts, pause) : undefined;
  if (!unpunctuated) for (let i = 0; i < table.count; i++) if (i === 0 || strong[i]) starts.push(i);
  const bounds = Uint32Array.from([...starts, table.count]);
  return {
    count: starts.length,
    from: bounds,
    to: bounds.subarray(1),
    ...(border ? { border } : {}),
    spoken,
    unpunctuated,
  };
}

/** Thai has no marks at the ends of sentences: the finder takes blanks for them. */
function isThai({ source }: TokenTable): boolean {
  return (source.slice(0, 2000).match(/[\u0e01-\u0e4e]/g)?.length ?? 0) > Math.min(source.length, 2000) / 2;
}

/** Share of the lines that go on with a sentence, from which a text was cut anywhere. */
const CUT_ANYWHERE = 0.2;
/** A word that does not show the start of a sentence: in small letters, in capitals, or of a script that has neither. */
const NOT_CAPITALISED = /^[^\p{L}\p{N}]*(?:\p{Ll}|\p{Lo}|\p{Lu}{2})/u;

/** True for punctuated captions and for wrapped text: many lines go on where the line before has no end. */
function isCutAnywhere({ lineStarts, mark, source, start, end }: TokenTable): boolean {
  let [lines, goOn] = [0, 0];
  for (let l = 0; l + 1 < lineStarts.length; l++) {
    const i = lineStarts[l]!;
    if (i === lineStarts[l + 1]) continue;
    lines++;
    if (i === 0 || mark[i - 1]! & TOKEN.stop || mark[i]! & TOKEN.turn) continue;
    if (NOT_CAPITALISED.test(source.slice(start[i], Math.min(end[i]!, start[i]! + 20)))) goOn++;
  }
  return goOn > lines * CUT_ANYWHERE;
}

/** 1 at each token before which a sentence surely ends. */
async function strongBorders(
  table: TokenTable,
  lineBreaks: 'all' | 'some' | 'none',
  unpunctuated: boolean,
  pause: Pause,
): Promise<Uint8Array> {
  const strong = new Uint8Array(table.count + 1);
  const finder = new SentenceFinder(table.source, { language: table.lexicon.language, lineBreaks: false });
  let line = 0;
  let start = 0;
  for (let i = 1; i < table.count; i++) {
    const mark = table.mark[i]!;
    if (mark & TOKEN.lineStart) {
      while (line + 1 < table.lineStarts.length && table.lineStarts[line + 1]! <= i) line++;
      if (lineBreaks === 'all' || (lineBreaks === 'some' && !continuesLine(table, i))) strong[i] = 1;
      if (silenceBefore(table, line) >= LONG_PAUSE) strong[i] = 1;
    }
    if (mark & TOKEN.turn || finder.endsAtBlank(table.start[i]! - 1, table.start[start]!)) strong[i] = 1;
    else if (!unpunctuated || table.mark[i - 1]! & TOKEN.stop) {
      if (endsSentence(table, i - 1, start, finder)) strong[i] = 1;
    }
    if (strong[i]) start = i;
    if ((i & 1023) === 0) await pause();
  }
  return strong;
}

/** Silence before a line in ms; 0 when times are unknown or overlap. */
function silenceBefore(table: TokenTable, line: number): number {
  const gap = (table.lineStartMs[line] ?? NaN) - (table.lineEndMs[line - 1] ?? NaN);
  return gap > 0 ? gap : 0;
}

/** True when the end mark of a token ends a sentence and is no abbreviation's. */
function endsSentence(table: TokenTable, i: number, start: number, finder: SentenceFinder): boolean {
  if (!(table.mark[i]! & TOKEN.stop)) return false;
  const from = table.start[i]!;
  let mark = table.end[i]!;
  while (mark > from && !isEndMark(table.source.charCodeAt(mark - 1))) mark--;
  while (mark - 1 > from && isEndMark(table.source.charCodeAt(mark - 2))) mark--;
  return finder.endAt(mark - 1, table.start[start]!) >= 0;
}

/** True when a line goes on with the sentence of the line before: that has no end, and this begins with a small letter. */
function continuesLine(table: TokenTable, i: number): boolean {
  if (table.mark[i - 1]! & TOKEN.stop) return false;
  const letter = table.source.charAt(table.start[i]!);
  return letter !== letter.toUpperCase();
}

/** A border at least this likely cuts; a pause and a comma, in log-odds. */
const LIKELY = 0.35;
/** One less likely than this does not cut a piece without a verb off, and is no end of a sentence between two pieces that are shown. */
export const DOUBTFUL = 0.5;
/** Longest piece, in tokens. A longer one is cut at the likeliest border of its second half, so that no crumbs are left. */
const LONGEST_PIECE = 70;
const AT_PAUSE = 2.5;
const AT_COMMA = 1.5;

/**
 * Cuts unpunctuated words at likely borders. A piece without a verb belongs to the neighbour behind its less likely border.
 *
 * @returns see `Sentences.border`
 */
async function cutClauses(
  table: TokenTable,
  strong: Uint8Array,
  starts: number[],
  pause: Pause,
): Promise<Float32Array> {
  const { count, lexicon, form, lineStarts, mark } = table;
  const model = await BorderModel.of(table, pause);
  const border = new Float32Array(count + 1).fill(1);
  let [from, to, line] = [0, 0, 0];
  const cuts: { at: number; hasVerb: boolean }[] = [];
  let hasVerb = false;
  for (let i = 0; i <= count; i++) {
    if (i >= to) {
      from = to;
      for (to++; to < count && !strong[to];) to++;
    }
    if (i > from && i < to) {
      let evidence = model.evidence(i, from, to);
      if (mark[i]! & TOKEN.lineStart) {
        while (line + 1 < lineStarts.length && lineStarts[line + 1]! <= i) line++;
        if (silenceBefore(table, line) >= SHORT_PAUSE) evidence += AT_PAUSE;
      }
      if (mark[i - 1]! & TOKEN.comma) evidence += AT_COMMA;
      border[i] = 1 / (1 + Math.exp(-evidence));
    }
    const last = cuts.at(-1)?.at ?? 0;
    if (i - last >= LONGEST_PIECE) {
      const middle = last + LONGEST_PIECE / 2;
      const borders = border.subarray(middle, i + 1);
      cuts.push({ at: middle + borders.indexOf(Math.max(...borders)), hasVerb: true });
    }
    if (border[i]! >= LIKELY) {
      // The piece that ends here, and the one before it, whose end is only now known to be more likely or less.
      while (
        cuts.length > 0 &&
        !hasVerb &&
        lexicon.language &&
        border[cuts.at(-1)!.at]! < Math.min(border[i]!, DOUBTFUL) &&
        i - (cuts.at(-2)?.at ?? 0) < LONGEST_PIECE
      )
        hasVerb = cuts.pop()!.hasVerb;
      if (cuts.length === 0 || hasVerb || border[i]! >= DOUBTFUL || !lexicon.language) {
        cuts.push({ at: i, hasVerb });
        hasVerb = false;
      }
    }
    if (i < count && lexicon.bits[form[i]!]! & WORD.verb) hasVerb = true;
    if ((i & 1023) === 0) await pause();
  }
  for (const { at } of cuts.slice(0, -1)) starts.push(at);
  return border;
}
