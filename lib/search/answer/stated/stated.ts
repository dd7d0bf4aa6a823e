import type { Language } from '../../../core/text/index.js';
import { areParaphrases } from '../paraphrases.js';

/** A number with what it counts or measures. */
export interface StatedNumber {
  kind: 'number';
  /** Dimension and base unit (`length`), or what is counted, as stems. */
  of: string | readonly string[];
  /** In the base unit; both ends of a range. */
  low: number;
  high: number;
  /** Where it only bounds: "more than", "up to". */
  bound?: 'least' | 'most';
  /** How far another number may be off and still be the same one, rounded or converted; in the base unit. */
  tolerance: number;
}

/** A day, month, year, decade or century, as far as it is given. */
export interface StatedDate {
  kind: 'date';
  /** First and last year, negative before our era. */
  years?: readonly [number, number];
  /** 0..11. */
  month?: number;
  day?: number;
}

/** Parties or places that are named together. */
export interface StatedNames {
  kind: 'names';
  /** Words of the names in small letters. */
  words: ReadonlySet<string>;
  /** The last of them; of a person the surname. */
  last: string;
  /** Two other places cannot be compared, nor one with a country: one may lie in the other. Undefined of anything but a place. */
  places?: 'countries' | 'others';
}

/** What a sentence gives for an answer, as far as it can be compared with what another one gives. */
export type Stated = (StatedNumber | StatedDate | StatedNames) & {
  /** As it is written. */
  text: string;
  /** Index of its first word in the claim. */
  at: number;
};

/** Whether two values can be true of one fact; undefined where they cannot be compared. */
export function areCompatible(a: Stated, b: Stated, language: Language): boolean | undefined {
  if (a.kind === 'number' && b.kind === 'number') {
    if (!isSameKind(a.of, b.of, language)) return undefined;
    return overlap(a, b);
  }
  if (a.kind === 'date' && b.kind === 'date') {
    if (a.years && b.years && (a.years[0] > b.years[1] || b.years[0] > a.years[1])) return false;
    if (a.month !== undefined && b.month !== undefined && a.month !== b.month) return false;
    if (a.day !== undefined && b.day !== undefined && a.day !== b.day) return false;
    return (a.years && b.years) || (a.month !== undefined && b.month !== undefined) ? true : undefined;
  }
  if (a.kind === 'names' && b.kind === 'names') return areOneName(a, b);
  return undefined;
}

function areOneName(a: StatedNames, b: StatedNames): boolean | undefined {
  const [short, long] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  const shared = [...short].filter((word) => long.has(word)).length;
  if (shared === short.size) return true;
  // "John Smith" and "John Adams", "Saint George" and "Saint Michael": a word in common is no person in common.
  if (shared > 0) return a.last === b.last ? true : undefined;
  return a.places === b.places && a.places !== 'others' ? false : undefined;
}

function overlap(a: StatedNumber, b: StatedNumber): boolean {
  const tolerance = Math.max(a.tolerance, b.tolerance);
  // Two of the same bounds are compared as they are; beside another number it reaches to zero, or twice as far.
  const reach = (n: StatedNumber): [number, number] =>
    a.bound === b.bound || !n.bound
      ? [n.low, n.high]
      : n.bound === 'most'
        ? [0, n.high]
        : [n.low, 2 * n.high];
  const [fromA, toA] = reach(a);
  const [fromB, toB] = reach(b);
  return fromA <= toB + tolerance && fromB <= toA + tolerance;
}

function isSameKind(a: StatedNumber['of'], b: StatedNumber['of'], language: Language): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a.length === 0 || b.length === 0) return true;
  return a.some((x) => b.some((y) => x === y || areParaphrases(x, y, language)));
}
