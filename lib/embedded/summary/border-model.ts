import { BIAS, END_PAIR, JOIN_PAIR, START_PAIR, TOGETHER } from './border-weights.js';
import { CLASS_COUNT, OPEN_CLASS, WORD } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';

const weights = (rows: readonly string[]): Float64Array =>
  Float64Array.from(rows.flatMap((row) => row.split(' ').map((tenths) => Number(tenths) / 10)));

const end = weights(END_PAIR);
const join = weights(JOIN_PAIR);
const start = weights(START_PAIR);
const together = TOGETHER.map((tenths) => tenths / 10);

/** Counters of neighbouring words, by hash: a text has too many pairs to count each, and a shared counter does no harm. */
const COUNTERS = 1 << 18;
const MOST = 0xffff;

const slot = (a: number, b: number): number =>
  (Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)) >>> (32 - 18);

/** Words between the whole and the rest of a number. */
const DECIMAL_MARKS = new Set(['point', 'comma', 'komma', 'coma', 'punto', 'virgule', 'vírgula', 'virgola']);
/** Words inside a number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e', ...DECIMAL_MARKS]);

/**
 * Judges where clauses end in words without punctuation, by the words on either side: logistic regression on classes of words and on single
 * function words, so that it knows nothing of subjects. See README.md for how it is fitted.
 */
export class BorderModel {
  /** Number of bins of {@link bin}. */
  static readonly BINS = TOGETHER.length;

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
   * Log-odds that a clause ends before token `at`; -Infinity inside a number, and between a number and its noun.
   *
   * @param from first token that may be looked at
   * @param to token after the last
   */
  evidence(at: number, from: number, to: number): number {
    if (this.isInNumber(at, from, to)) return -Infinity;
    const { lexicon, form } = this.table;
    const a = this.classAt(at - 2, from, to);
    const b = this.classAt(at - 1, from, to);
    const x = this.classAt(at, from, to);
    const y = this.classAt(at + 1, from, to);
    const words = lexicon.endBias[form[at - 1]!]! + lexicon.startBias[form[at]!]!;
    const classes = end[a * CLASS_COUNT + b]! + join[b * CLASS_COUNT + x]! + start[x * CLASS_COUNT + y]!;
    return BIAS / 10 + words + classes + together[this.bin(at)]!;
  }

  /** By how much more often the two words around a border stand together than chance would have it. */
  bin(at: number): number {
    const { form, count, lexicon } = this.table;
    const [a, b] = [form[at - 1]!, form[at]!];
    const others = this.pairs[slot(a, b)]! - 1;
    const expected = (lexicon.counts[a]! * lexicon.counts[b]!) / count;
    const ratio = Math.log((others + 0.5) / (expected + 0.5));
    return Math.max(0, Math.min(together.length - 1, Math.round(ratio * 1.5) + 4));
  }

  private classAt(i: number, from: number, to: number): number {
    return i < from || i >= to ? OPEN_CLASS : this.table.lexicon.classes[this.table.form[i]!]!;
  }

  private isInNumber(at: number, from: number, to: number): boolean {
    const { lexicon, form } = this.table;
    const isNumeral = (i: number): boolean =>
      i >= from && i < to && (lexicon.bits[form[i]!]! & WORD.numeral) > 0;
    if (JOINTS.has(lexicon.forms[form[at - 1]!]!)) return isNumeral(at - 2) && isNumeral(at);
    if (!isNumeral(at - 1)) return false;
    const isDecimal = DECIMAL_MARKS.has(lexicon.forms[form[at]!]!) && isNumeral(at + 1);
    return isNumeral(at) || isDecimal || lexicon.classes[form[at]!]! >= OPEN_CLASS;
  }
}
