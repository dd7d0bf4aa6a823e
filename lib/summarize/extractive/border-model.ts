import { BIAS, END_PAIR, JOIN_PAIR, START_PAIR } from './border-weights.js';
import { OPEN_CLASS } from './lexicon.js';
import { type TokenTable } from './token-table.js';

const CLASSES = OPEN_CLASS + 1;

const weights = (rows: readonly string[]): Float64Array =>
  Float64Array.from(rows.flatMap((row) => row.split(' ').map((tenths) => Number(tenths) / 10)));

const end = weights(END_PAIR);
const join = weights(JOIN_PAIR);
const start = weights(START_PAIR);

/**
 * Log-odds that a sentence ends before token `at`, by the classes of the two words on either side.
 *
 * @param from first token that may be looked at
 * @param to token after the last
 */
export function borderEvidence(table: TokenTable, at: number, from: number, to: number): number {
  const a = classAt(table, at - 2, from, to);
  const b = classAt(table, at - 1, from, to);
  const x = classAt(table, at, from, to);
  const y = classAt(table, at + 1, from, to);
  return BIAS / 10 + end[a * CLASSES + b]! + join[b * CLASSES + x]! + start[x * CLASSES + y]!;
}

function classAt(table: TokenTable, i: number, from: number, to: number): number {
  return i < from || i >= to ? OPEN_CLASS : table.lexicon.classes[table.form[i]!]!;
}
