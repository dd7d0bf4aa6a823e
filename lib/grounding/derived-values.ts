import { inOneUnit, isSameValue, isYear, minutesOf } from '../text/compare-values.js';
import type { Unit } from '../text/units.js';
import { valueOf, type Value } from '../text/read-values.js';

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
  // Of multiples there are fewer: only values with a unit have a ratio.
  const wanted = claim.isMultiple ? claim : { ...claim, isRough: false };
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
      if (last > i + 1) sums.push(valueOf(sum, first.unit));
    }
    return sums;
  });
}

function multiplesOf(value: Value, count: Value): Value[] {
  const [x, n] = [value.readings[0]!, count.readings[0]!];
  if (!value.unit || n === 0) return [];
  return [valueOf(x * n, value.unit), valueOf(x / n, value.unit)];
}

/** Values that two values can combine to. */
function resultsOf(a: Value, b: Value, claim: Value): Value[] {
  const [x, y] = [a.readings[0]!, b.readings[0]!];
  const from = a.kind === 'clock' || claim.kind === 'clock' ? minutesOf(a) : undefined;
  if (from !== undefined) {
    // The later of two times may be one of the next day.
    if (b.kind === 'clock')
      return [Math.abs(x - y), DAY - Math.abs(x - y)].map((minutes) => valueOf(minutes, MINUTE));
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
      results.push(valueOf(own + other, a.unit), valueOf(Math.abs(own - other), isTwoYears ? YEAR : a.unit));
    if (claim.isRough) results.push(valueOf((own + other) / 2, a.unit));
    if (other !== 0) {
      const ratio = own / other;
      const times = claim.isMultiple && a.unit ? [valueOf(ratio)] : [];
      results.push(...times, valueOf(100 * ratio, PERCENT), valueOf(Math.abs(100 * (ratio - 1)), PERCENT));
    }
  }
  if (a.unit?.dimension === PERCENT.dimension && b.unit?.dimension !== a.unit.dimension) {
    const part = (x / 100) * y;
    results.push(valueOf(part, b.unit), valueOf(y - part, b.unit), valueOf(y + part, b.unit));
  }
  return results;
}

function clock(minutes: number): Value {
  return { ...valueOf((minutes + DAY) % DAY), kind: 'clock' };
}
