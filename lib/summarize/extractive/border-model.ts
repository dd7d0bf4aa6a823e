import { BIAS, END_PAIR, JOIN_PAIR, START_PAIR, TOGETHER } from './border-weights.js';
import { BORDER_CLASSES, CLASS_COUNT, OPEN_CLASS } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';

const weights = (rows: readonly string[]): Float64Array =>
  Float64Array.from(rows.flatMap((row) => row.split(' ').map((tenths) => Number(tenths) / 10)));

const end = weights(END_PAIR);
const join = weights(JOIN_PAIR);
const start = weights(START_PAIR);
const together = TOGETHER.map((tenths) => tenths / 10);

/** Log-odds of set beginnings, which the fitted texts had too few of. */
const STARTER = 2.5;
/** Log-odds against a border that leaves a verb at the start, in languages that do not do so in statements. */
const ORPHAN = -1;
const VERB_FIRST = new Set<string | undefined>(['de', 'es', 'pt', 'it', undefined]);
const [VERB, ADVERB, DEGREE] = (['verbs', 'adverbs', 'degrees'] as const).map((name) =>
  BORDER_CLASSES.indexOf(name),
);

/** True when the words after a border are a verb without its subject. */
const leavesVerb = (x: number, y: number): boolean =>
  x === VERB || (y === VERB && (x === ADVERB || x === DEGREE));

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
    const known = lexicon.phraseAt('starters', form, at, to) > 0 ? STARTER : 0;
    const orphan = VERB_FIRST.has(lexicon.language) || !leavesVerb(x, y) ? 0 : ORPHAN;
    return known + orphan + BIAS / 10 + words + classes + together[this.bin(form[at - 1]!, form[at]!)]!;
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
