import { CLASS_COUNT, OPEN_CLASS } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';

/**
 * Weights of the sentence-border model, in tenths of log-odds: one row and one column a word class, in the order of
 * `borderClass`, then other words, other words with a verb's ending, and numbers. Fitted by logistic regression on
 * the sentence borders of punctuated meetings, debates and articles; it knows classes of words only, so it carries
 * over to languages it was not fitted on (area under the curve 0.82 to 0.83 for Spanish, Portuguese and Italian).
 */
const BIAS = -24;

/**
 * By how much more often the two words stand together in this text than chance would have it: bins of 2/3 of a natural
 * logarithm, from e^-2.7 to e^3.3. Words that belong together are no border.
 */
const TOGETHER = [14, 8, 7, 5, 1, -3, -10, -17, -14, -20];

/** Last word but one and last word before the border. */
const END_PAIR = [
  '6 -8 -17 -4 -6 -9 3 -8 -5 -9 -6 -1 -3 -5 1 12 -2 0 5 0',
  '5 -5 7 -9 -8 1 -16 -1 -8 -2 1 -9 -16 13 4 1 -10 2 0 -1',
  '8 -14 -17 -3 -4 -3 5 -6 -14 -4 1 1 -5 -10 -3 5 1 -5 -6 -10',
  '7 -9 -16 -5 -1 -18 -12 -13 -10 -7 -13 -12 -1 -7 -9 6 8 -3 -12 -7',
  '4 -18 -15 -11 -6 -23 -13 -12 -7 -11 -12 -12 1 5 5 3 -4 7 6 0',
  '8 -11 -10 3 -13 -3 4 -8 -20 -22 2 -7 -6 -2 7 -4 2 -2 0 -2',
  '0 -16 -17 -1 6 -10 5 -11 -11 -13 -18 -9 1 -14 -2 0 -2 -2 0 -1',
  '5 -5 -1 1 -14 -5 -11 4 -10 -7 1 -3 -7 -7 -3 3 -6 -1 2 -10',
  '3 -14 -12 4 -3 -14 -7 7 -1 -19 -3 -3 -2 1 3 -11 -3 2 3 30',
  '2 -16 9 -8 -7 -5 -1 2 -13 -9 11 2 0 9 1 3 21 6 6 10',
  '5 -8 -13 -1 -6 -4 -13 -8 -10 -7 -7 3 -1 -2 0 7 -6 4 -13 -5',
  '5 -10 -16 -5 -9 -17 -3 -23 -13 -10 -14 -1 -2 -5 2 6 0 1 -6 8',
  '2 -2 -3 -10 -14 3 5 1 -14 -3 3 3 -1 5 -8 3 13 8 4 -6',
  '6 -9 -11 -12 -10 -6 -12 -3 -14 -2 -14 0 2 -7 4 10 -9 -3 0 -3',
  '10 -2 -10 0 -9 -13 5 0 -7 -5 -10 4 1 0 1 7 -13 4 2 -3',
  '10 -11 -9 -9 -13 -17 -7 -3 -12 -5 -3 4 3 -6 10 8 -8 8 -3 -1',
  '6 -5 -15 -2 -9 -8 -7 -8 -13 -10 -19 -3 5 0 -8 5 -9 -4 3 0',
  '7 -11 1 -6 -16 -9 -2 4 -11 -6 -2 2 0 -3 4 9 -3 8 7 4',
  '4 -16 -10 -2 -27 -11 -1 6 -14 -6 -3 3 1 -4 -5 8 -4 6 5 -25',
  '-1 -6 -9 -12 -19 0 -6 -28 -19 -22 -9 7 -6 0 -3 -5 -1 10 6 -2',
];

/** Last word before and first word after the border. */
const JOIN_PAIR = [
  '7 -1 1 9 11 5 8 8 2 9 5 2 9 -6 9 1 2 8 9 0',
  '-1 -1 2 -4 12 -11 -7 -12 -14 -10 5 -22 -19 -10 -19 -17 -2 -19 -23 -5',
  '7 5 -3 3 -4 -5 -2 -17 -4 -13 -3 -4 -13 -2 -4 13 6 -6 -24 -3',
  '4 -15 -11 4 12 0 -10 -10 -9 -6 -18 -7 -3 -10 -2 2 3 2 -6 -4',
  '5 -13 -9 -13 -1 -16 -12 -16 -18 -15 -19 -5 -11 -15 -11 -2 7 -13 -10 -12',
  '6 -13 -14 6 13 -17 -3 -6 -16 -8 -20 -3 -7 -21 -17 3 -4 -14 -8 -3',
  '2 -6 -14 11 0 18 0 -25 -9 9 -2 1 -5 -10 -8 5 15 -16 -30 -2',
  '8 1 -4 5 -2 -4 -6 -12 -3 -5 -2 0 -8 -20 -6 -1 7 -4 -12 1',
  '1 -2 -2 4 5 -5 -1 1 -3 -8 0 -7 -10 -6 -17 -3 -9 -22 -19 -22',
  '7 12 0 6 2 -5 -14 -5 -18 3 -19 5 -11 -17 -20 12 -2 -16 -21 -19',
  '10 -3 0 6 -1 -4 -2 -8 1 -6 -9 4 -4 -15 -8 7 9 -9 -1 -7',
  '9 -5 -6 1 3 -4 -2 -5 -3 -9 -5 -1 -3 -13 1 1 -5 0 -3 -3',
  '15 12 6 1 -1 -6 -1 -12 -7 -9 -3 9 -9 -12 -6 8 -4 -11 -21 1',
  '16 8 -2 1 -2 -8 -3 -8 -1 -11 6 5 -22 -2 -5 7 7 0 -5 -6',
  '12 7 3 6 -7 10 7 -5 3 -10 1 8 5 14 -2 13 12 -16 -20 -8',
  '18 2 6 5 9 4 2 8 9 -2 6 -2 5 -1 10 0 -1 6 7 -7',
  '4 -1 -1 7 -2 -5 1 -5 -2 -12 -11 -8 7 0 -1 3 1 8 5 0',
  '12 8 9 6 -7 3 2 -4 4 -4 6 10 3 1 4 11 9 -6 -5 -2',
  '10 14 9 9 -4 4 6 -7 -3 -5 4 8 -6 0 -2 4 12 -7 -3 2',
  '-4 14 15 16 -16 3 9 -6 8 -9 19 4 1 0 2 5 4 4 -16 -24',
];

/** First and second word after the border. */
const START_PAIR = [
  '9 9 9 18 14 11 6 5 5 -1 6 10 6 7 1 11 15 0 1 0',
  '1 -1 6 8 6 -3 14 -3 1 0 5 5 5 7 3 -1 7 -1 -2 -12',
  '-5 2 3 -13 -15 -13 -9 8 -9 -11 -10 1 3 -2 -6 -2 2 3 6 -17',
  '7 4 6 7 5 3 8 8 4 2 4 -1 0 -2 0 16 0 0 -3 -12',
  '10 4 6 12 0 7 -2 -7 -8 -4 4 8 -7 1 -10 -7 12 -13 -17 -15',
  '-1 -1 1 9 -2 1 2 6 -1 -4 -3 -1 1 3 1 1 2 0 4 2',
  '3 -1 -6 10 -9 7 10 3 -12 -3 -1 -14 -6 -2 2 2 9 -3 -10 -6',
  '-8 -10 8 -6 -23 -25 -3 -16 -10 -10 3 -16 -20 -7 -12 -12 -11 -14 -23 -12',
  '-3 6 -9 -4 -8 -18 -9 -3 -12 -16 -3 0 -16 -26 1 -7 -4 -3 -3 -2',
  '-7 -7 -1 -1 -11 -3 -2 -7 -4 -1 3 -17 -2 -6 -5 -15 -20 -5 -5 -2',
  '-7 -8 -1 -12 -14 -32 -2 10 -8 -20 -8 0 7 11 -4 -3 -2 2 5 -6',
  '-4 4 8 -4 -6 -6 -7 11 0 -6 6 -5 -6 9 -9 -6 4 -1 7 6',
  '-3 0 -1 -7 -16 -6 -10 -13 0 -6 4 5 -5 2 0 -5 -6 -8 -3 -7',
  '-9 -2 1 -15 -17 -12 -16 -2 -12 -28 -3 -7 3 0 -8 3 -4 -4 -4 -3',
  '-1 1 2 -16 -4 -3 -11 2 -2 -6 0 -2 -16 -1 -2 -7 -5 -3 2 -10',
  '6 9 7 10 8 6 7 2 5 -7 -3 -1 -6 10 6 12 14 -1 -11 8',
  '3 10 8 0 -5 3 4 4 6 1 5 6 0 0 3 2 1 1 -9 0',
  '-3 -1 -3 -6 -19 -5 -13 2 -10 -13 -8 -9 -8 -16 -6 -2 -3 -8 -5 1',
  '-5 -3 1 -22 -15 -3 -8 -7 -8 -13 -8 -10 -4 -11 -17 -12 5 -13 -8 -12',
  '-10 -9 -22 -10 -30 -23 -9 16 -12 -7 -13 -16 -16 0 6 -2 0 -6 4 -15',
];

const weights = (rows: readonly string[]): Float64Array =>
  Float64Array.from(rows.flatMap((row) => row.split(' ').map((tenths) => Number(tenths) / 10)));

const end = weights(END_PAIR);
const join = weights(JOIN_PAIR);
const start = weights(START_PAIR);
const together = TOGETHER.map((tenths) => tenths / 10);

/** Counters of neighbouring words, by hash: a text has too many pairs to keep each, and a shared counter does no harm. */
const COUNTERS = 1 << 18;
const MOST = 0xffff;

const slot = (a: number, b: number): number =>
  (Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)) >>> (32 - 18);

/** Judges where sentences end in words without punctuation, by the words on either side. */
export class BorderModel {
  private constructor(
    private readonly table: TokenTable,
    private readonly pairs: Uint16Array,
  ) {}

  /** Counts which words of the text stand together. */
  static async of(table: TokenTable, pause: Pause): Promise<BorderModel> {
    const pairs = new Uint16Array(COUNTERS);
    for (let i = 1; i < table.count; i++) {
      const k = slot(table.form[i - 1]!, table.form[i]!);
      if (pairs[k]! < MOST) pairs[k]!++;
      if ((i & 4095) === 0) await pause();
    }
    return new BorderModel(table, pairs);
  }

  /**
   * Log-odds that a sentence ends before token `at`.
   *
   * @param from first token that may be looked at
   * @param to token after the last
   */
  evidence(at: number, from: number, to: number): number {
    const { lexicon, form } = this.table;
    const a = this.classAt(at - 2, from, to);
    const b = this.classAt(at - 1, from, to);
    const x = this.classAt(at, from, to);
    const y = this.classAt(at + 1, from, to);
    const words = lexicon.endBias[form[at - 1]!]! + lexicon.startBias[form[at]!]!;
    const classes = end[a * CLASS_COUNT + b]! + join[b * CLASS_COUNT + x]! + start[x * CLASS_COUNT + y]!;
    return BIAS / 10 + words + classes + together[this.bin(form[at - 1]!, form[at]!)]!;
  }

  private classAt(i: number, from: number, to: number): number {
    return i < from || i >= to ? OPEN_CLASS : this.table.lexicon.classes[this.table.form[i]!]!;
  }

  private bin(a: number, b: number): number {
    const { counts } = this.table.lexicon;
    const others = this.pairs[slot(a, b)]! - 1;
    const expected = (counts[a]! * counts[b]!) / this.table.count;
    const ratio = Math.log((others + 0.5) / (expected + 0.5));
    return Math.max(0, Math.min(together.length - 1, Math.round(ratio * 1.5) + 4));
  }
}
