import type { Unit } from './units.js';
import type { Value } from './read-values.js';

/** A number that is not said to be approximate may be rounded by so much of itself. */
const MOST_ROUNDING = 0.05;
/** The range of a number after a word that bounds it, as shares of itself: "about 100" for 89, "less than 3" for 2.6. */
const REACH: Record<NonNullable<Value['bound']>, readonly [number, number]> = {
  about: [0.88, 1.12],
  least: [1, 1.3],
  most: [0.85, 1],
};
/** Numbers of different units were converted, which nobody does exactly. */
const CONVERTED = 0.03;
const HALF_DAY = 720;
const HOUR = 3600;
/** With more values than this the sums and differences of all pairs would cover every small number. */
const MOST_OPERANDS = 10;
const PERCENT: Unit = { dimension: 'share', factor: 1 };
const MINUTE: Unit = { dimension: 'time', factor: 60 };
const YEAR: Unit = { dimension: 'time', factor: 31_556_952 };

/** Whether `source` states what `claim` says: the same number, rounded or converted; the same time, month or day. */
export function isSameValue(claim: Value, source: Value): boolean {
  if (claim.kind === 'month' || claim.kind === 'weekday')
    return source.kind === claim.kind && some(claim, source, (a, b) => a === b);
  if (source.kind === 'month' || source.kind === 'weekday') return false;
  if (claim.kind === 'clock' || source.kind === 'clock') return isSameTime(claim, source);
  if (claim.years && !source.years) {
    const [from, to] = claim.years;
    return !source.unit && source.readings.some((year) => year >= from && year <= to);
  }
  // "Seventeen times" is not "17 metres".
  if (claim.unit && source.isMultiple) return false;
  if (!claim.unit || !source.unit) {
    // If one number lacks a unit, the two may count different things, so "about" does not make them equal.
    const strict = claim.unit || source.unit ? withoutBound(claim) : claim;
    return some(strict, source, (a, b) => isNear(a, b, strict));
  }
  const units = comparable(claim.unit, source.unit);
  if (!units) return false;
  const [own, other] = units;
  const isConverted = own.factor !== other.factor || own.offset !== other.offset;
  return some(claim, source, (a, b) => {
    if (!isConverted) return isNear(a, b, claim);
    const base = b * other.factor + (other.offset ?? 0);
    const converted = (base - (own.offset ?? 0)) / own.factor;
    return (
      isNear(a, converted, claim) ||
      Math.abs(a - converted) <= Math.max(claim.rounding, CONVERTED * Math.abs(converted))
    );
  });
}

/** Whether both are values of the same kind, so that one could stand for the other: two lengths, two prices, two months, two bare numbers. */
export function isSameKind(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind !== 'number') return true;
  if (!a.unit || !b.unit) return a.unit === b.unit;
  return comparable(a.unit, b.unit) !== undefined;
}

/**
 * Whether the claim follows from two stated values by one step of arithmetic: a sum, difference, product, quotient or share, a ratio ("1.5
 * times as much", "20 % less"), the time between two times or years.
 *
 * @param operands the values of the quoted sentences; only the first ten are used
 */
export function isDerivedValue(claim: Value, operands: readonly Value[]): boolean {
  if (claim.kind !== 'number') return false;
  const stated = operands.filter((v) => v.kind === 'number' || v.kind === 'clock').slice(0, MOST_OPERANDS);
  return stated.some((a) =>
    stated.some((b) => a !== b && resultsOf(a, b, claim).some((result) => isSameValue(claim, result))),
  );
}

/** Whether a claim such as "five times" is the ratio of two stated values, give or take a tenth. */
export function isRatio(claim: Value, stated: readonly Value[]): boolean {
  if (!claim.isMultiple) return false;
  const about: Value = claim.bound ? claim : { ...claim, bound: 'about' };
  return stated.some((a) =>
    stated.some((b) => {
      const pair = a !== b && a.kind === b.kind && a.unit && b.unit && inOneUnit(a, b);
      return pair && pair[1] !== 0 && isSameValue(about, bare(pair[0] / pair[1]));
    }),
  );
}

/** Values that two values can combine to, such as a sum, if one of them could be the claimed value. */
function resultsOf(a: Value, b: Value, claim: Value): Value[] {
  const [x, y] = [a.readings[0]!, b.readings[0]!];
  if (a.kind === 'clock' || b.kind === 'clock')
    return a.kind === b.kind ? [bare(Math.abs(x - y), MINUTE)] : [];
  // "Half" of an amount; nothing else is made of a fraction.
  if (isFraction(a)) return b.unit && claim.unit ? [bare(x * y, b.unit)] : [];
  if (isFraction(b)) return [];
  const results: Value[] = [];
  const pair = inOneUnit(a, b);
  if (pair) {
    const [own, other] = pair;
    results.push(bare(own + other, a.unit), bare(Math.abs(own - other), a.unit));
    if (claim.bound === 'about') results.push(bare((own + other) / 2, a.unit));
    if (other !== 0) {
      const ratio = own / other;
      results.push(bare(ratio), bare(100 * ratio, PERCENT), bare(Math.abs(100 * (ratio - 1)), PERCENT));
    }
    // Two bare numbers may be years: "for 30 years".
    if (!a.unit && claim.unit?.dimension === 'time') results.push(bare(Math.abs(own - other), YEAR));
  }
  if (!a.unit && b.unit) {
    results.push(bare(x * y, b.unit), bare(x + y, b.unit));
    if (x !== 0) results.push(bare(y / x, b.unit));
  }
  if (a.unit?.dimension === PERCENT.dimension && b.unit !== a.unit) {
    const part = (x / 100) * y;
    results.push(bare(part, b.unit), bare(y - part, b.unit), bare(y + part, b.unit));
  }
  // Years are not added up, and a number of years is not a number of things.
  if (!claim.unit && isYear(a) && isYear(b)) return [];
  // A number without a unit is never the result of an amount with one: "4" is not "4 kg".
  return results.filter((r) => !r.unit === !claim.unit);
}

function isFraction({ unit, isSpelled, readings }: Value): boolean {
  return !unit && isSpelled && readings[0]! < 1;
}

/** A number that nobody wrote. */
function bare(value: number, unit?: Unit): Value {
  const base: Value = {
    kind: 'number',
    readings: [value],
    rounding: 0,
    isSpelled: false,
    text: '',
    start: 0,
    end: 0,
  };
  return unit ? { ...base, unit } : base;
}

/** Both numbers in the unit of the first one; undefined where they cannot be compared. */
export function inOneUnit(a: Value, b: Value): [number, number] | undefined {
  const [x, y] = [a.readings[0]!, b.readings[0]!];
  if (!a.unit && !b.unit) return [x, y];
  if (!a.unit || !b.unit) return undefined;
  const units = comparable(a.unit, b.unit);
  if (!units || units[0].offset !== units[1].offset) return undefined;
  return [x, (y * units[1].factor) / units[0].factor];
}

function isSameTime(claim: Value, source: Value): boolean {
  const minutes = (v: Value): number | undefined =>
    v.kind === 'clock'
      ? v.readings[0]
      : (!v.unit || (v.unit.dimension === 'time' && v.unit.factor === HOUR)) && v.readings[0]! <= 24
        ? v.readings[0]! * 60
        : undefined;
  const [a, b] = [minutes(claim), minutes(source)];
  return a !== undefined && b !== undefined && a % HALF_DAY === b % HALF_DAY;
}

/** Units that can be compared, as factors to a common base. A price a year and a price are compared as prices. */
function comparable(a: Unit, b: Unit): [Unit, Unit] | undefined {
  if (a.dimension === b.dimension) return [a, b];
  const degrees = new Set(['degrees', 'temperature']);
  if (degrees.has(a.dimension) && degrees.has(b.dimension)) return [a, a];
  const [ofA, perA] = a.dimension.split('/');
  const [ofB, perB] = b.dimension.split('/');
  if (ofA !== ofB || (perA && perB)) return undefined;
  // One of the rates does not say what it is per: only the numbers can be compared.
  return [
    { ...a, factor: 1 },
    { ...b, factor: 1 },
  ];
}

function some(a: Value, b: Value, test: (a: number, b: number) => boolean): boolean {
  return a.readings.some((x) => b.readings.some((y) => test(x, y)));
}

/** Whether `claimed` may be a rounding of `stated`, or bounds it. */
function isNear(claimed: number, stated: number, claim: Value): boolean {
  if (claimed === stated) return true;
  if (isYear(claim)) return false;
  const off = Math.abs(claimed - stated);
  const size = Math.abs(stated);
  if (off <= Math.min(claim.rounding, MOST_ROUNDING * size) + 1e-9 * size) return true;
  const [least, most] = claim.bound ? REACH[claim.bound] : [1, 1];
  return stated >= least * claimed && stated <= most * claimed;
}

function withoutBound({ bound: _, ...value }: Value): Value {
  return value;
}

/** Whether a value looks like a year, which is never rounded. */
export function isYear({ unit, text, readings }: Value): boolean {
  return !unit && /^\d{4}$/.test(text) && readings[0]! >= 1000 && readings[0]! <= 2100;
}
