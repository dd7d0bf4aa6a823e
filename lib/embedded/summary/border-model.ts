import { BIAS, END_PAIR, JOIN_PAIR, TOGETHER } from './border-weights.js';
import { CLASS_COUNT, OPEN_CLASS, WORD, type Word } from './lexicon.js';
import { type Pause, type Token, type TokenTable } from './token-table.js';

const weights = (rows: readonly string[]): number[] =>
  rows.flatMap((row) => row.split(' ').map((tenths) => Number(tenths) / 10));

const end = weights(END_PAIR);
const join = weights(JOIN_PAIR);
const together = TOGETHER.map((tenths) => tenths / 10);

/** Words between the whole and the rest of a number. */
const DECIMAL_MARKS = new Set(['point', 'comma', 'komma', 'coma', 'punto', 'virgule', 'vírgula', 'virgola']);
/** Words inside a number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e', ...DECIMAL_MARKS]);

/**
 * Judges where clauses end in words without punctuation, by the words on either side: logistic regression on classes of words and on single
 * function words, so that it knows nothing of subjects. See README.md for how it is fitted.
 */
export async function borderModel({ tokens }: Pick<TokenTable, 'tokens'>, pause: Pause) {
  /** How often two words of the text stand together. */
  const pairs = new Map<string, number>();
  for (let i = 1; i < tokens.length; i++) {
    const pair = pairAt(tokens, i);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    if ((i & 1023) === 0) await pause();
  }

  /** By how much more often the two words around a border stand together than chance would have it: an index of `TOGETHER`. */
  function bin(at: number): number {
    const others = pairs.get(pairAt(tokens, at))! - 1;
    const expected = ((tokens[at - 1]!.word?.count ?? 0) * (tokens[at]!.word?.count ?? 0)) / tokens.length;
    const ratio = Math.log((others + 0.5) / (expected + 0.5));
    return Math.max(0, Math.min(together.length - 1, Math.round(ratio * 1.5) + 4));
  }

  /** Log-odds that a clause ends before token `at`, by the tokens `from`..`to`; -Infinity inside a number, and between a number and its noun. */
  function evidence(at: number, from: number, to: number): number {
    const near = [-2, -1, 0, 1].map((k) =>
      at + k < from || at + k >= to ? undefined : tokens[at + k]?.word,
    );
    if (isInNumber(near)) return -Infinity;
    const [a, b, x] = near.map((word) => word?.class ?? OPEN_CLASS) as [number, number, number];
    const words = (near[1]?.endBias ?? 0) + (near[2]?.startBias ?? 0);
    const classes = end[a * CLASS_COUNT + b]! + join[b * CLASS_COUNT + x]!;
    return BIAS / 10 + words + classes + together[bin(at)]!;
  }

  return { bin, evidence };
}

const pairAt = (tokens: readonly Token[], at: number): string =>
  `${tokens[at - 1]!.word?.form ?? ''} ${tokens[at]!.word?.form ?? ''}`;

/** Whether a border between the second and the third of four words would tear a number, or a number from its noun. */
function isInNumber([before, last, next, after]: readonly (Word | undefined)[]): boolean {
  const isNumeral = (word: Word | undefined): boolean => ((word?.bits ?? 0) & WORD.numeral) > 0;
  if (JOINTS.has(last?.form ?? '')) return isNumeral(before) && isNumeral(next);
  if (!isNumeral(last)) return false;
  const isDecimal = DECIMAL_MARKS.has(next?.form ?? '') && isNumeral(after);
  return isNumeral(next) || isDecimal || (next?.class ?? OPEN_CLASS) >= OPEN_CLASS;
}
