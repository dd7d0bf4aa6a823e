import { clockOf, HALF_DAY, isSameValue, minutesOf } from '../text/compare-values.js';
import type { Value } from '../text/read-values.js';

/** Values whose sizes differ by more than this factor are never the same, however they are rounded. */
const APART = Math.log(1.35);
/** Of a size with more different values any counts as stated; a plain bound. */
const MOST_ALIKE = 2000;
/** A number that was heard may be rounded by this share, where its last digit that counts allows it; set by hand. */
const MOST_ROUNDED = 0.1;

/** The values that a text states, to look a claimed one up in. A look-up compares only values of about the same size. */
export class ValueIndex {
  private readonly known = new Map<string, Value>();
  /** Times of day are written as only 24 hours have them. */
  private has24Hours = false;
  private readonly bySize = new Map<string, Value[]>();

  add(value: Value): void {
    const { kind, readings, unit, isRough, isMultiple, scale } = value;
    const name = [kind, ...readings, unit?.dimension, unit?.factor, isRough, isMultiple, scale].join(' ');
    if (this.known.has(name)) return;
    this.known.set(name, value);
    this.has24Hours ||= kind === 'clock' && clockOf(value.text).clock === 'day';
    for (const key of new Set(keysOf(value))) {
      const alike = this.bySize.get(key);
      if (!alike) this.bySize.set(key, [value]);
      else if (alike.length < MOST_ALIKE) alike.push(value);
    }
  }

  /** Each value once. */
  get list(): Value[] {
    return [...this.known.values()];
  }

  /**
   * Whether the text states the value: the same number, rounded or converted; the same time, month or day.
   * @param isSpoken what is counted is not compared, numbers may be rounded, years may lack the century and times the minutes: "quarter to
   *   nine" is heard as nine
   */
  has(claim: Value, isSpoken = false): boolean {
    // "About" excuses nothing in speech, because a long talk has a number near any other.
    const wanted = isSpoken ? { ...claim, isRough: false } : claim;
    if (this.some(keysOf(wanted, 1), (value) => isSameValue(wanted, value, this.has24Hours))) return true;
    if (!isSpoken) return false;
    const keys = claim.readings.flatMap((reading) =>
      claim.kind === 'clock'
        ? [0, 1].map((more) => `hour ${(Math.floor(reading / 60) + more) % 12}`)
        : [reading, reading % 100].flatMap((n) => sizes('number', n)),
    );
    return this.some(keys, (value) => isHeardAs(claim, value));
  }

  /** The values that have exactly this number, whatever their unit. */
  withNumber(number: number): readonly Value[] {
    return this.bySize.get(`is ${number}`) ?? [];
  }

  private some(keys: readonly string[], test: (value: Value) => boolean): boolean {
    return [...new Set(keys)].some((key) => {
      const alike = this.bySize.get(key) ?? [];
      return alike.length === MOST_ALIKE || alike.some(test);
    });
  }
}

/** Under which names a value is found. @param reach for a claim 1: also the sizes above and below */
function keysOf({ kind, readings, unit }: Value, reach: 0 | 1 = 0): string[] {
  if (kind === 'month' || kind === 'weekday') return readings.map((reading) => `${kind} ${reading}`);
  return readings.flatMap((reading) => {
    const minutes = minutesOf({ kind, unit, readings: [reading] });
    const times =
      minutes === undefined ? [] : [`clock ${minutes % HALF_DAY}`, `hour ${Math.floor(minutes / 60) % 12}`];
    if (kind === 'clock') return times;
    const base = unit && !/^(?:temperature|degrees)$/.test(unit.dimension) ? reading * unit.factor : 0;
    const measured = unit
      ? sizes(unit.dimension.split('/')[0]!.replace('degrees', 'temperature'), base, reach)
      : [];
    // The same number is found at once. Only a rounded or converted one is compared with all of its size.
    return [`is ${reading}`, ...times, ...sizes('number', reading, reach), ...measured];
  });
}

function sizes(name: string, amount: number, reach: 0 | 1 = 1): string[] {
  const size = amount === 0 ? 0 : Math.round(Math.log(Math.abs(amount)) / APART);
  return (reach === 0 ? [size] : [size - 1, size, size + 1]).map((n) => `${name} ${n}`);
}

function isHeardAs(claim: Value, said: Value): boolean {
  if (claim.kind === 'clock') {
    const [stated, heard] = [claim, said].map((value) => Math.floor((minutesOf(value) ?? NaN) / 60));
    return (heard! - stated! + 24) % 12 <= 1;
  }
  if (claim.kind !== said.kind) return false;
  return claim.readings.some((a) =>
    said.readings.some((b) => {
      if (a === b) return true;
      // "The 90s" may be the 1990s.
      if (!claim.unit && /^[12]\d{3}(?:['’]?s|er)?$/.test(claim.text)) return b > 12 && b === a % 100;
      return Math.abs(a - b) <= Math.min(claim.rounding, Math.abs(a) * MOST_ROUNDED);
    }),
  );
}
