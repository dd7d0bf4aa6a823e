import { inOneUnit, isSameValue, isYear } from '../text/compare-values.js';
import type { Unit } from '../text/units.js';
import type { Value } from '../text/read-values.js';

/** What a value may be calculated from. */
export interface Operands {
  /** Values that are stated. */
  values: readonly Value[];
  /** Those of them that may be parts of a sum, in the order of the text. */
  parts: readonly Value[];
  /** Counts, multiples and fractions by which one of them may be multiplied: from the question and the quoted words. */
  factors: readonly Value[];
}

/** With more values than this, those of all pairs would cover every small number. */
const MOST_VALUES = 14;
/** A larger number is no count. */
const MOST_FACTOR = 1000;
const PERCENT: Unit = { dimension: 'share', factor: 1 };
const MINUTE: Unit = { dimension: 'time', factor: 60 };
const DAY = 1440;
const YEAR: Unit = { dimension: 'time', factor: 31_556_952 };

/**
 * Whether a claimed value follows from stated ones by one step of arithmetic: the sum of two, or of several in a row; a difference or share; a
 * multiple by a stated count; a time plus or minus a duration; the time between two times or years. Never from one value alone.
 */
export function isDerivedValue(claim: Value, { values, parts, factors }: Operands): boolean {
  if (claim.kind !== 'number' && claim.kind !== 'clock') return false;
  // "About" a result is its rounding: with more reach, some result of many values would always fit.
  const wanted = { ...claim, isRough: false };
  const isResult = (result: Value): boolean => isSameValue(wanted, result) && !result.unit === !claim.unit;
  const stated = distinct(values).slice(0, MOST_VALUES);
  const counts = distinct(factors).filter(
    (f) => !f.unit && f.kind === 'number' && f.readings[0]! <= MOST_FACTOR && !isYear(f),
  );
  return (
    sumsOf(parts.slice(0, 2 * MOST_VALUES)).some(isResult) ||
    stated.some((a) => stated.some((b) => a !== b && resultsOf(a, b, claim).some(isResult))) ||
    stated.some((a) => counts.some((count) => a !== count && multiplesOf(a, count).some(isResult)))
  );
}

/** Each value once: a value and its quotation are not two. */
function distinct(values: readonly Value[]): Value[] {
  const known = new Set<string>();
  return values.filter(({ kind, unit, readings }) => {
    const name = [kind, unit?.dimension, readings[0]! * (unit?.factor ?? 1)].join(' ');
    return (kind === 'number' || kind === 'clock') && !known.has(name) && known.add(name);
  });
}

/** The sums of three and more values of one unit that stand in a row. */
function sumsOf(values: readonly Value[]): Value[] {
  const numbers = values.filter(({ kind, unit }) => kind === 'number' && unit && unit.offset === undefined);
  return numbers.flatMap((first, i) => {
    const sums: Value[] = [];
    let sum = first.readings[0]!;
    for (let last = i + 1; last < numbers.length; last++) {
      const pair = inOneUnit(first, numbers[last]!);
      if (!pair) break;
      sum += pair[1];
      if (last > i + 1) sums.push(made(sum, first.unit));
    }
    return sums;
  });
}

function multiplesOf(value: Value, count: Value): Value[] {
  const [x, n] = [value.readings[0]!, count.readings[0]!];
  if (!value.unit || n === 0) return [];
  return [made(x * n, value.unit), made(x / n, value.unit)];
}

/** Values that two values can combine to. */
function resultsOf(a: Value, b: Value, claim: Value): Value[] {
  const [x, y] = [a.readings[0]!, b.readings[0]!];
  const [from, to] = [minutesOf(a, claim), minutesOf(b, claim)];
  if (from !== undefined) {
    // The later of two times may be one of the next day.
    if (to !== undefined && b.kind === 'clock')
      return [Math.abs(x - y), DAY - Math.abs(x - y)].map((minutes) => made(minutes, MINUTE));
    const minutes = b.unit?.dimension === 'time' ? (y * b.unit.factor) / 60 : undefined;
    return minutes === undefined ? [] : [from + minutes, from - minutes].map(clock);
  }
  if (b.kind === 'clock') return [];
  const results: Value[] = [];
  const pair = inOneUnit(a, b);
  if (pair) {
    const [own, other] = pair;
    // Years are not added up.
    const isTwoYears = isYear(a) && isYear(b);
    if (!isTwoYears || claim.unit?.dimension === 'time')
      results.push(made(own + other, a.unit), made(Math.abs(own - other), isTwoYears ? YEAR : a.unit));
    if (claim.isRough) results.push(made((own + other) / 2, a.unit));
    if (other !== 0) {
      const ratio = own / other;
      const times = claim.isMultiple && a.unit ? [made(ratio)] : [];
      results.push(...times, made(100 * ratio, PERCENT), made(Math.abs(100 * (ratio - 1)), PERCENT));
    }
  }
  if (a.unit?.dimension === PERCENT.dimension && b.unit?.dimension !== a.unit.dimension) {
    const part = (x / 100) * y;
    results.push(made(part, b.unit), made(y - part, b.unit), made(y + part, b.unit));
  }
  return results;
}

/** A time of day in minutes; a number of hours is one where a time is claimed: "21 h". */
function minutesOf({ kind, unit, readings }: Value, claim: Value): number | undefined {
  if (kind === 'clock') return readings[0]!;
  const isHour = claim.kind === 'clock' && unit?.dimension === 'time' && unit.factor === 3600;
  return isHour && readings[0]! <= 24 ? readings[0]! * 60 : undefined;
}

/** A value that nobody wrote. */
function made(value: number, unit?: Unit): Value {
  const base = {
    kind: 'number' as const,
    readings: [value],
    rounding: 0,
    isSpelled: false,
    text: '',
    start: 0,
    end: 0,
  };
  return unit ? { ...base, unit } : base;
}

function clock(minutes: number): Value {
  return { ...made((minutes + DAY) % DAY), kind: 'clock' };
}
