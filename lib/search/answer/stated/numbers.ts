import type { Claim } from '../claim.js';
import { quantityOf, type Quantity } from '../units.js';
import { boundOf, isInexact, RANGE } from './bounds.js';
import { isCalendarYear } from './calendar-year.js';
import type { Stated, StatedNumber } from './stated.js';

/** Of "3 × 10^8" a number is only a part. */
const PART_BEFORE = /[×^]\s*$/;
const PART_BEHIND = /^\s*(?:[×^]|x\s*\d)|^[\u00b2\u00b3\u00b9\u2070-\u2079]/;
/** "Five metres longer than …" is no length. */
const COMPARED = /^\s*(?:\p{L}+er|more|less|fewer)\s+than\b|^\s*(?:times|mal|veces|vezes|volte|fois)\b/iu;

/** All numbers of a sentence that the question has not itself, in order; those that can be read only in part are left out. */
export function numbersIn(claim: Claim, asked: ReadonlySet<string>): (Stated & StatedNumber)[] {
  const { text, words } = claim;
  const found: (Stated & StatedNumber)[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.number || asked.has(word.term) || isCalendarYear(words, at)) continue;
    const second = words[at + 1];
    const isRange = !!second?.number && RANGE.test(text.slice(word.end, second.at));
    const last = isRange ? at + 1 : at;
    const { of, factor, end, rest, next } = restAdded(claim, last, quantityOf(words, last));
    const isPart = PART_BEFORE.test(text.slice(0, word.at)) || PART_BEHIND.test(text.slice(words[last]!.end));
    const values = [Number(word.term), Number(words[last]!.term)].map((v) => v * factor + rest);
    if (isPart || COMPARED.test(text.slice(end)) || !values.every(Number.isFinite)) {
      at = next - 1;
      continue;
    }
    const bound = boundOf(text, word.at);
    found.push({
      kind: 'number',
      of,
      low: Math.min(...values),
      high: Math.max(...values),
      ...(bound ? { bound } : {}),
      tolerance: toleranceOf(word.term, factor, isInexact(text, word.at), typeof of === 'string'),
      text: text.slice(word.at, end),
      at,
    });
    at = next - 1;
  }
  return found;
}

/** The quantity at `at` with what a smaller unit behind it adds: "2 hours 30 minutes", "3 kilograms and 400 grams". */
function restAdded(
  { text, words }: Claim,
  at: number,
  quantity: Quantity,
): Quantity & {
  /** In the base unit. */
  rest: number;
  /** Index of the first word that is not of it. */
  next: number;
} {
  const whole = { ...quantity, rest: 0, next: at + 1 };
  const small = words.findIndex((w, i) => i > at && w.at >= quantity.end);
  const second = words[small];
  if (typeof quantity.of !== 'string' || !second?.number) return whole;
  if (!/^\s*(?:,?\s*(?:and|und|e|y|et))?\s*$/.test(text.slice(quantity.end, second.at))) return whole;
  const more = quantityOf(words, small);
  // What is left over is less than one of the larger unit.
  if (more.of !== quantity.of || Number(second.term) * more.factor >= quantity.factor) return whole;
  return { ...quantity, end: more.end, rest: Number(second.term) * more.factor, next: small + 1 };
}

/**
 * Half of the last digit that is no closing zero, which is how far a rounded number is off, from two such digits on; a fiftieth of a measure
 * for conversions; of an inexact number a tenth, or half of its last digit.
 */
function toleranceOf(digits: string, factor: number, isInexact: boolean, isMeasure: boolean): number {
  const value = Number(digits);
  const [whole = '', fraction] = digits.split('.');
  const significant = fraction ?? whole.replace(/0+$/, '');
  const places = fraction ? -fraction.length : whole.length - significant.length;
  const rounding = 10 ** places / 2;
  const isRounded = fraction !== undefined || significant.length > 1;
  const fits = isMeasure || value >= 100;
  const exact = fits ? Math.max(isRounded ? rounding : 0, isMeasure ? value / 50 : 0) : 0;
  return factor * (isInexact ? Math.max(exact, value / 10, rounding) : exact);
}
