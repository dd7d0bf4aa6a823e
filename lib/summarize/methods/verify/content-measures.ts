import { amountOf, numberAt } from '../../../core/text/number-words.js';
import { unitAt, type Unit } from '../../../core/text/units.js';
import { type Language } from '../../../core/text/languages.js';
import { lastNumber } from './spoken-number.js';
import type { Measure } from './stated-numbers.js';

/** Relative difference up to which two quantities in different units are equal, and up to which one may be rounded. */
const EQUAL = 0.005;
const ROUNDED = 0.02;
/** Half of the unit before it: `an hour and a half`. */
const HALF = 0.5;
/** More quantities than this are not kept of one dimension. */
const MOST_MEASURES = 2000;
/** A number of more words than this between two units does not belong to their quantity. */
const MOST_WORDS_OF_NUMBER = 4;
const ARTICLES = new Set(['a', 'an', 'eine', 'einer', 'einen', 'ein', 'une', 'un', 'una', 'uma', 'um']);
/** Amounts that are joined with their unit: `demi-heure`, `Viertelstunde`, `mezz'ora`, `half-hour`. */
const JOINED: readonly (readonly [begin: string, amount: number])[] = [
  ['dreiviertel', 0.75],
  ['viertel', 0.25],
  ['halb', 0.5],
  ['demi-', 0.5],
  ['half-', 0.5],
  ["mezz'", 0.5],
  ['mezz’', 0.5],
];

const units = new Map<string, { unit: Unit; amount?: number } | undefined>();
const MOST_UNITS = 20_000;

/** The quantities of a transcript, so that `half an hour` is found for `30 minutes`, and `five miles` for `8 km`. */
export class ContentMeasures {
  /** By dimension, each in its base unit with its place. */
  private readonly said = new Map<string, { value: number; at: number }[]>();

  /** `half an hour`, `two and a half hours`, `an hour and a half`, `one hour twenty minutes`: quantities in the base unit of their dimension. */
  add(words: readonly string[], from: number, language: Language): void {
    let last: { dimension: string; factor: number; value: number; end: number } | undefined;
    words.forEach((word, i) => {
      const found = unitOf(word);
      if (!found) return;
      const { unit, amount } = found;
      const counts = amount === undefined ? countsBefore(words, i, language) : [amount];
      if (counts.length === 0) return;
      const { dimension, factor, offset = 0 } = unit;
      for (const count of counts) {
        const value = count * factor + offset;
        this.put(dimension, value, from + i);
        if (dimension === 'degrees') {
          this.put('temperature', count, from + i);
          this.put('temperature', ((count - 32) * 5) / 9, from + i);
        }
        if (last?.dimension === dimension && factor < last.factor && i - last.end <= MOST_WORDS_OF_NUMBER)
          this.put(dimension, last.value + value, from + i);
      }
      const value = counts[0]! * factor;
      last = { dimension, factor, value, end: i };
      if (isHalfBehind(words, i, language)) this.put(dimension, value + HALF * factor, from + i);
      // "Eine Stunde zwanzig", "one hour twenty".
      const more = factor === 3600 ? numberAt(words, i + 1, language)?.value : undefined;
      if (more !== undefined && more < 60) this.put(dimension, value + more * 60, from + i);
    });
  }

  private put(dimension: string, value: number, at: number): void {
    const said = this.said.get(dimension);
    if (!said) this.said.set(dimension, [{ value, at }]);
    else if (said.length < MOST_MEASURES) said.push({ value, at });
  }

  /**
   * What the content says between two places of a quantity in any unit.
   * @param measures what the quantity may be; one of them is enough
   */
  support(measures: readonly Measure[], from: number, to: number): 'said' | 'near' | undefined {
    let best: 'said' | 'near' | undefined;
    for (const { dimension, value } of measures) {
      for (const said of this.said.get(dimension) ?? []) {
        if (said.at < from || said.at >= to) continue;
        const off = Math.abs(said.value - value) / Math.max(Math.abs(value), 1e-9);
        if (off <= EQUAL) return 'said';
        if (off <= ROUNDED) best = 'near';
      }
    }
    return best;
  }
}

/** The unit that a word of a transcript names, and how much of it where the word says that too. */
function unitOf(word: string): { unit: Unit; amount?: number } | undefined {
  if (units.has(word)) return units.get(word);
  const named = (name: string): Unit | undefined => {
    const found = name.length > 1 ? unitAt(` ${name}`, 0) : undefined;
    return found?.end === name.length + 1 ? found.unit : undefined;
  };
  const begin = JOINED.find(([start]) => word.startsWith(start));
  const joined = begin && named(word.slice(begin[0].length));
  const unit = joined ?? named(word.replace(/^[dl]['’]/, ''));
  const found = joined ? { unit: joined, amount: begin![1] } : unit && { unit };
  if (units.size < MOST_UNITS) units.set(word, found);
  return found;
}

/** The quantity before a unit: `two`, `half a`, `three quarters of an`, `two and a half`, `a`, digits with decimals. */
function countsBefore(words: readonly string[], i: number, language: Language): number[] {
  const counts: number[] = [];
  const number = lastNumber(words, i - 1, language);
  const [tens, ones] = [words[i - 2] ?? '', words[i - 1] ?? ''];
  if (/^\d{1,6}$/.test(tens) && /^\d{1,6}$/.test(ones)) {
    counts.push(Number(`${tens}.${ones}`));
    if (ones.length === 3) counts.push(Number(tens) * 1000 + Number(ones));
  }
  for (const back of [1, 2, 3]) {
    const amount = amountOf(words[i - back] ?? '', language);
    if (amount === undefined) continue;
    counts.push(amount);
    for (const more of [1, 2, 3]) {
      const before = lastNumber(words, i - back - more, language);
      if (before === undefined) continue;
      counts.push(before + amount, before * amount);
      break;
    }
    break;
  }
  if (number !== undefined) counts.push(number);
  else if (ARTICLES.has(ones)) counts.push(1);
  return counts;
}

/** True for `… and a half`, `… y media`, `… et demie` behind a unit. */
function isHalfBehind(words: readonly string[], i: number, language: Language): boolean {
  return (
    [2, 3].some((n) => amountOf(words[i + n] ?? '', language) === HALF) && JOINTS.has(words[i + 1] ?? '')
  );
}

const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
