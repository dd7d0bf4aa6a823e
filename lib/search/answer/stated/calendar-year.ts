import { isYear } from '../answer-type.js';
import type { ClaimWord } from '../claim.js';

/** What a year is followed by that it does not count: "in 1912 added". */
const FOLLOWS_YEAR = /(?:ed|ing|ly)$/;

/** A year and no number of anything. */
export function isCalendarYear(words: readonly ClaimWord[], at: number): boolean {
  const word = words[at]!;
  if (!isYear(word)) return false;
  const next = words[at + 1];
  if (/^(?:BC|BCE|AD|CE)$/.test(next?.text ?? '') || words[at - 1]?.text === 'AD') return true;
  if (!/^\d{4}$/.test(word.text)) return false;
  return !next?.adjacent || next.name || next.number || FOLLOWS_YEAR.test(next.lower);
}
