import { BIAS, END_PAIR, JOIN_PAIR, START_PAIR } from './border-weights.js';
import { CLASS_COUNT, OPEN_CLASS } from './lexicon.js';
import { type TokenTable } from './token-table.js';

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
  const words = table.lexicon.endBias[table.form[at - 1]!]! + table.lexicon.startBias[table.form[at]!]!;
  return (
    words + BIAS / 10 + end[a * CLASS_COUNT + b]! + join[b * CLASS_COUNT + x]! + start[x * CLASS_COUNT + y]!
  );
}

function classAt(table: TokenTable, i: number, from: number, to: number): number {
  return i < from || i >= to ? OPEN_CLASS : table.lexicon.classes[table.form[i]!]!;
}
