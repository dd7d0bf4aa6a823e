import type { Unit } from './units.js';
import type { Value } from './read-values.js';

/** A number that is not said to be approximate may be rounded by so much of itself; set by hand. */
const MOST_ROUNDING = 0.05;
/** Behind "about" or "more than" a number may be off by these factors: "about 100" for 89, "over 25" for 28. */
const ROUGHLY = [0.86, 1.15] as const;

export const HALF_DAY = 720; // minutes
export const HOUR = 3600; // seconds

/**
 * Whether `source` states what `claim` says: the same number, rounded or converted; the same time, month or day.
 *
 * @param has24Hours the text of `source` writes times as only 24 hours have them: its 10:00 is in the morning
 */
export function isSameValue(claim: Value, source: Value, has24Hours = false): boolean {
  if (claim.kind === 'month' || claim.kind === 'weekday')
    return source.kind === claim.kind && some(claim, source, (a, b) => a === b);
  if (source.kind === 'month' || source.kind === 'weekday') return false;
  if (claim.kind === 'clock' || source.kind === 'clock') return isSameTime(claim, source, has24Hours);
  // "Seventeen times" is not "17 metres", the 14th of June is no 14 seconds, and 10 slices are no 10 ounces.
  if (claim.unit && (source.isMultiple || source.isOrdinal || source.isCounting)) return false;
  if (!claim.unit || !source.unit) {
    // If one number lacks a unit, the two may count different things, so "about" does not make them equal.
    const strict = claim.unit || source.unit ? { ...claim, isRough: false } : claim;
    return some(strict, source, (a, b) => isNear(a, b, strict));
  }
  for (const unit of othersOf(claim.unit)) if (isSameValue({ ...claim, unit }, source)) return true;
  for (const unit of othersOf(source.unit)) if (isSameValue(claim, { ...source, unit })) return true;
  const units = comparable(claim.unit, source.unit);
  if (!units || claim.unit.isPoints !== source.unit.isPoints) return false;
  const [own, other] = units;
  const isConverted = own.factor !== other.factor || own.offset !== other.offset;
  return some(claim, source, (a, b) => {
    if (!isConverted) return isNear(a, b, claim);
    const base = b * other.factor + (other.offset ?? 0);
    return isRoundedTo(claim, a, (base - (own.offset ?? 0)) / own.factor);
  });
}

/** Results of arithmetic and conversions are rounded by at most so much of themselves where round numbers end in zeros; set by hand. */
const MOST_ZEROS = 0.025;
/** "More than ten times" may be 12.7 times; set by hand. */
const MOST_BEYOND = 0.25;

/**
 * Whether a number states an exact result: it is off by at most half of its last digit. Zeros at its end count as digits unless they hide a small part of
 * the result. Behind "over" or "under" the result lies on that side, by less than a whole digit.
 */
export function isRoundedTo(
  { rounding, lastDigit, bound, isRough }: Value,
  stated: number,
  exact: number,
): boolean {
  const size = Math.abs(exact);
  const error = 1e-9 * size;
  const hidden = Math.min(rounding, (isRough ? 2 : 1) * MOST_ZEROS * size);
  const reach = Math.max(lastDigit, hidden) + error;
  if (!bound) return Math.abs(exact - stated) <= reach;
  const beyond = bound === 'over' ? exact - stated : stated - exact;
  return beyond >= -error && beyond <= Math.max(2 * lastDigit, Math.min(2 * rounding, MOST_BEYOND * size));
}

function isSameTime(claim: Value, source: Value, has24Hours: boolean): boolean {
  const [a, b] = [minutesOf(claim), minutesOf(source)];
  if (a === undefined || b === undefined) return false;
  // One of them may lack the seconds.
  const isWhole = Number.isInteger(a) || Number.isInteger(b);
  const off = isWhole ? Math.floor(a) - Math.floor(b) : a - b;
  const clocks = [claim, source].map(({ kind, text }) =>
    kind === 'clock' ? clockOf(text).clock : undefined,
  );
  const isSure = clocks[0] !== 'digits' && clocks.every((one) => one && (has24Hours || one !== 'digits'));
  return off % (isSure ? 2 * HALF_DAY : HALF_DAY) === 0;
}

/** How a time of day is written: with its half of the day, as only 24 hours have it, or in digits that either clock has. */
export type Clock = 'half' | 'day' | 'digits';

/** "3 o'clock" and "3 Uhr" may be of either half of the day. */
export function clockOf(text: string): { clock?: Clock } {
  if (/[ap]\.?\s?m\b/i.test(text)) return { clock: 'half' };
  if (/^(?:0|1[3-9]|2\d)/.test(text)) return { clock: 'day' };
  return /\d\D+\d/.test(text) ? { clock: 'digits' } : {};
}

/** A time of day in minutes. A number from 1 to 24, bare or of hours, may be one. */
export function minutesOf({
  kind,
  unit,
  readings: [reading = 0],
}: Pick<Value, 'kind' | 'unit' | 'readings'>): number | undefined {
  if (kind === 'clock') return reading;
  const isOfHours = !unit || (unit.dimension === 'time' && unit.factor === HOUR);
  return kind === 'number' && isOfHours && reading >= 1 && reading <= 24 ? reading * 60 : undefined;
}

/** Another meaning of the word for a unit, of the same dimension. */
export function othersOf({ dimension, other }: Unit): Unit[] {
  return other?.dimension === dimension ? [other] : [];
}

/** Units that can be compared, as factors to a common base. A price a year and a price are compared as prices. */
export function comparable(a: Unit, b: Unit): [Unit, Unit] | undefined {
  if (a.dimension === b.dimension) return [a, b];
  if (a.other || b.other) {
    const { other: otherA, ...ownA } = a;
    const { other: otherB, ...ownB } = b;
    return (
      (otherB && comparable(ownA, otherB)) ??
      (otherA && (comparable(otherA, ownB) ?? (otherB && comparable(otherA, otherB)))) ??
      comparable(ownA, ownB)
    );
  }
  const degrees = new Set(['degrees', 'temperature']);
  if (degrees.has(a.dimension) && degrees.has(b.dimension)) return [a, a];
  // A rate that does not say what it is per.
  if (a.rate && !b.dimension.includes('/')) return comparable(a.rate.of, b);
  if (b.rate && !a.dimension.includes('/')) return comparable(a, b.rate.of);
  return undefined;
}

/** The sign counts for temperatures: "a fall of 5 %" is minus five. */
function some(a: Value, b: Value, test: (a: number, b: number) => boolean): boolean {
  const isSigned = [a, b].some(({ unit }) => unit && /^(?:temperature|degrees)$/.test(unit.dimension));
  const sizeOf = isSigned ? (n: number): number => n : Math.abs;
  return a.readings.some((x) => b.readings.some((y) => test(sizeOf(x), sizeOf(y))));
}

/** Whether `claimed` may be a rounding of `stated`, or bounds it. */
function isNear(claimed: number, stated: number, claim: Value): boolean {
  if (claimed === stated) return true;
  if (isYear(claim)) return false;
  const off = Math.abs(claimed - stated);
  const size = Math.abs(stated);
  if (off <= Math.min(claim.rounding, MOST_ROUNDING * size) + 1e-9 * size) return true;
  const [least, most] = ROUGHLY;
  return claim.isRough === true && stated >= least * claimed && stated <= most * claimed;
}

/** Whether a value looks like a year, which is never rounded. */
export function isYear({ unit, text, readings }: Value): boolean {
  return !unit && /^\d{4}$/.test(text) && readings[0]! >= 1000 && readings[0]! <= 2100;
}
