import { isSameValue, minutesOf } from '../text/compare-values.js';
import type { Value } from '../text/read-values.js';

/** A number that is heard may be off by this share: "almost four thousand"; by its last digit that counts, by more. */
const ROUNDED = 0.02;
const MOST_ROUNDED = 0.1;
/** "Twenty five" may be short for 25 million, and 401k is no number of thousands. */
const SHORT_FOR = [1, 1e3, 1e6, 1e9];

/** The values that a text states, each once. */
export class ValueIndex {
  private readonly values = new Map<string, Value>();

  add(value: Value): void {
    const { kind, readings, unit, isRough, isMultiple } = value;
    const name = [kind, ...readings, unit?.dimension, unit?.factor, isRough, isMultiple].join(' ');
    if (!this.values.has(name)) this.values.set(name, value);
  }

  get list(): Value[] {
    return [...this.values.values()];
  }

  /**
   * Whether the text states the value: the same number, rounded or converted; the same time, month or day.
   * @param isSpoken what is counted is not compared, numbers may be rounded or shortened, years may lack the century and times the minutes: "quarter to nine" is heard as nine
   */
  has(claim: Value, isSpoken = false): boolean {
    // "About" excuses nothing in speech, because a long talk has a number near any other.
    const wanted = isSpoken ? { ...claim, isRough: false } : claim;
    for (const value of this.values.values())
      if (isSameValue(wanted, value) || (isSpoken && isHeardAs(claim, value))) return true;
    return false;
  }
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
      const off = Math.min(claim.rounding, Math.abs(a) * MOST_ROUNDED);
      const isShort = SHORT_FOR.some((n) => Math.abs(a - b * n) <= off || Math.abs(a * n - b) <= off * n);
      return isShort || Math.abs(a - b) <= Math.abs(a) * ROUNDED;
    }),
  );
}
