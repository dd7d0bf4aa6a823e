import { SentenceFinder } from '../../text/sentences.js';
import { borderModel } from './border-model.js';
import { WORD } from './lexicon.js';
import { isEndMark, lineOf, type Pause, TOKEN, type TokenTable } from './token-table.js';

export interface Sentences {
  /** The first token of each, and the number of tokens at the end. */
  bounds: number[];
  /** In captions without punctuation: how likely a clause ends before each token, 0..1. */
  border?: number[];
  /** True when the words are speech and not writing. */
  spoken: boolean;
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
  const { tokens } = table;
  let [words, stops, casual] = [0, 0, 0];
  for (const [i, { word, mark }] of tokens.entries()) {
    if (mark & TOKEN.stop) stops++;
    if (word) words++;
    if (word && word.bits & (WORD.casual | WORD.hesitation)) casual++;
    if ((i & 0xffff) === 0) await pause();
  }
  const spoken = casual >= words * SPOKEN;
  const unpunctuated = !verse && stops < words * PUNCTUATED && !isThai(table);
  const lineBreaks = !unpunctuated && !isCutAnywhere(table);
  const breaks = verse ? 'all' : lineBreaks ? 'some' : 'none';
  const strong = await strongBorders(table, breaks, unpunctuated, pause);
  if (unpunctuated) return { ...(await cutClauses(table, strong, pause)), spoken };
  const starts = [...tokens.keys()].filter((i) => i === 0 || strong[i]);
  return { bounds: [...starts, tokens.length], spoken };
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
function isCutAnywhere({ lineStarts, tokens, source }: TokenTable): boolean {
  const starts = lineStarts.slice(0, -1).filter((i, l) => i < lineStarts[l + 1]!);
  const goOn = starts.filter((i) => {
    if (i === 0 || tokens[i - 1]!.mark & TOKEN.stop || tokens[i]!.mark & TOKEN.turn) return false;
    const { start, end } = tokens[i]!;
    return NOT_CAPITALISED.test(source.slice(start, Math.min(end, start + 20)));
  });
  return goOn.length > starts.length * CUT_ANYWHERE;
}

/** True at each token before which a sentence surely ends. */
async function strongBorders(
  table: TokenTable,
  lineBreaks: 'all' | 'some' | 'none',
  unpunctuated: boolean,
  pause: Pause,
): Promise<boolean[]> {
  const { source, tokens, lexicon } = table;
  const strong = [false];
  const finder = new SentenceFinder(source, { language: lexicon.language, lineBreaks: false });
  let start = 0;
  for (let i = 1; i < tokens.length; i++) {
    const { mark, start: at } = tokens[i]!;
    const begin = tokens[start]!.start;
    const isBreak =
      (mark & TOKEN.lineStart) > 0 &&
      (lineBreaks === 'all' ||
        (lineBreaks === 'some' && !continuesLine(table, i)) ||
        silenceBefore(table, i) >= LONG_PAUSE);
    strong[i] =
      isBreak ||
      (mark & TOKEN.turn) > 0 ||
      finder.endsAtBlank(at - 1, begin) ||
      ((!unpunctuated || (tokens[i - 1]!.mark & TOKEN.stop) > 0) &&
        endsSentence(table, i - 1, begin, finder));
    if (strong[i]) start = i;
    if ((i & 1023) === 0) await pause();
  }
  return strong;
}

/** Silence before the first token of a line in ms; 0 when times are unknown or overlap. */
function silenceBefore(table: TokenTable, i: number): number {
  const line = lineOf(table, i);
  const gap = table.lines[line]!.startMs - (table.lines[line - 1]?.endMs ?? NaN);
  return gap > 0 ? gap : 0;
}

/** True when the end mark of a token ends a sentence and is no abbreviation's. */
function endsSentence(
  { tokens, source }: TokenTable,
  i: number,
  begin: number,
  finder: SentenceFinder,
): boolean {
  const { mark, start, end } = tokens[i]!;
  if (!(mark & TOKEN.stop)) return false;
  let at = end - 1;
  while (at > start && !isEndMark(source[at]!)) at--;
  while (at > start && isEndMark(source[at - 1]!)) at--;
  return finder.endAt(at, begin) >= 0;
}

/** True when a line goes on with the sentence of the line before: that has no end, and this begins with a small letter. */
function continuesLine({ tokens, source }: TokenTable, i: number): boolean {
  if (tokens[i - 1]!.mark & TOKEN.stop) return false;
  const letter = source[tokens[i]!.start]!;
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

/** Cuts unpunctuated words at likely borders. A piece without a verb belongs to the neighbour behind its less likely border. */
async function cutClauses(
  table: TokenTable,
  strong: readonly boolean[],
  pause: Pause,
): Promise<{ bounds: number[]; border: number[] }> {
  const { lexicon, tokens } = table;
  const count = tokens.length;
  const model = await borderModel(table, pause);
  const border = new Array<number>(count + 1).fill(1);
  let [from, to] = [0, 0];
  const cuts: { at: number; hasVerb: boolean }[] = [];
  let hasVerb = false;
  for (let i = 0; i <= count; i++) {
    if (i >= to) {
      from = to;
      for (to++; to < count && !strong[to];) to++;
    }
    if (i > from && i < to) {
      let evidence = model.evidence(i, from, to);
      if (tokens[i]!.mark & TOKEN.lineStart && silenceBefore(table, i) >= SHORT_PAUSE) evidence += AT_PAUSE;
      if (tokens[i - 1]!.mark & TOKEN.comma) evidence += AT_COMMA;
      border[i] = 1 / (1 + Math.exp(-evidence));
    }
    const last = cuts.at(-1)?.at ?? 0;
    if (i - last >= LONGEST_PIECE) {
      const middle = last + LONGEST_PIECE / 2;
      const borders = border.slice(middle, i + 1);
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
    if ((tokens[i]?.word?.bits ?? 0) & WORD.verb) hasVerb = true;
    if ((i & 1023) === 0) await pause();
  }
  return { bounds: [...cuts.slice(0, -1).map(({ at }) => at), count], border };
}
