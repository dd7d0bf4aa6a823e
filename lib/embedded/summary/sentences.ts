import { SentenceFinder } from '../../text/sentences.js';
import { isEndMark, lineOf, type Pause, TOKEN, type TokenTable } from './token-table.js';
import { BorderModel } from './border-model.js';
import { WORD } from './lexicon.js';

/** Sentences as spans of tokens, in order. */
export interface Sentences {
  count: number;
  /** First token. */
  from: Uint32Array;
  /** Token after the last. */
  to: Uint32Array;
  /** Probability that a sentence starts at a token, 0..1: 1 and 0 where there is punctuation, else the border model's. */
  border: Float32Array;
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
  const border = Float32Array.from(strong);
  border[0] = border[table.count] = 1;
  const starts: number[] = [];
  let model: BorderModel | undefined;
  let from = 0;
  for (let i = 1; i <= table.count; i++) {
    if (i < table.count && !strong[i]) continue;
    if (unpunctuated) {
      model ??= await BorderModel.of(table, pause);
      await cutSpan(table, from, i, model, border, starts, pause);
    } else starts.push(from);
    from = i;
    if ((starts.length & 255) === 0) await pause();
  }
  const bounds = new Uint32Array(starts.length + 1);
  bounds.set(starts);
  bounds[starts.length] = table.count;
  return { count: starts.length, from: bounds, to: bounds.subarray(1), border, spoken, unpunctuated };
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

/** Fewest and most words of a sentence that the border model makes. */
const SHORTEST = 3;
const LONGEST = 40;
/** The length that sentences tend to, and how fast the others become unlikely. */
const TYPICAL = Math.log(12);
const SPREAD = 0.65;
/** Added to the evidence: a border too many costs less than two sentences run together. */
const EAGERNESS = 1;
const LENGTH_COST = Float64Array.from({ length: LONGEST + 1 }, (_, n) =>
  n < SHORTEST ? 6 : ((Math.log(n) - TYPICAL) / SPREAD) ** 2 / 2,
);
/** Words that are cut in one go; bounds the working memory. */
const STRETCH = 4000;

/**
 * Cuts unpunctuated words into the likeliest sentences: dynamic programming over the evidence at each border and the
 * usual length of a sentence. Linear in the words, times the longest sentence.
 */
async function cutSpan(
  table: TokenTable,
  from: number,
  to: number,
  model: BorderModel,
  border: Float32Array,
  starts: number[],
  pause: Pause,
): Promise<void> {
  for (let begin = from; begin < to;) {
    const end = Math.min(to, begin + STRETCH);
    const n = end - begin;
    const best = new Float64Array(n + 1);
    const back = new Uint32Array(n + 1);
    let line = lineOf(table, begin);
    for (let j = 1; j <= n; j++) {
      const at = begin + j;
      let evidence = 0;
      if (at < to) {
        evidence = model.evidence(at, from, to);
        if (table.mark[at]! & TOKEN.lineStart) {
          while (line + 1 < table.lineStarts.length && table.lineStarts[line + 1]! <= at) line++;
          if (silenceBefore(table, line) >= SHORT_PAUSE) evidence += 2.5;
        }
        if (table.mark[at - 1]! & TOKEN.comma) evidence += 1.5;
        border[at] = 1 / (1 + Math.exp(-evidence));
        evidence += EAGERNESS;
      }
      let top = -Infinity;
      let choice = j - 1;
      for (let k = Math.max(0, j - LONGEST); k < j; k++) {
        const score = best[k]! - LENGTH_COST[j - k]!;
        if (score > top) {
          top = score;
          choice = k;
        }
      }
      best[j] = top + evidence;
      back[j] = choice;
      if ((j & 1023) === 0) await pause();
    }
    const cuts: number[] = [];
    for (let j = n; j > 0; j = back[j]!) cuts.push(j);
    cuts.reverse();
    // The last piece of a stretch is cut again with what follows it.
    const keep = end < to && cuts.length > 1 ? cuts.length - 1 : cuts.length;
    let last = 0;
    for (let k = 0; k < keep; k++) {
      starts.push(begin + last);
      last = cuts[k]!;
    }
    begin += last;
  }
}
