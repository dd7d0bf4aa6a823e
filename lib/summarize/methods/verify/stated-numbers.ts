import { NUMBER_PHRASES, NUMBER_SUFFIXES } from '../../../core/text/number-phrases.js';
import { numberAt } from '../../../core/text/number-words.js';
import { unitAt } from '../../../core/text/units.js';
import { words as wordsOf } from '../../../core/text/tokens.js';
import { type Language } from '../../../core/text/languages.js';

/** A number as a statement writes it. */
export interface StatedNumber {
  /** `percent`: a share of a hundred; `clock`: a time of day, as minutes after midnight. */
  kind: 'plain' | 'percent' | 'clock';
  /** Possible values, the likeliest first: `12.500` is 12,500 in German and 12.5 in English. */
  values: number[];
  /** The number before its multiplier: 25 of `25 million`. */
  base?: number;
  /** False when it is written in words, which are read less surely. */
  inDigits: boolean;
  /** What it measures where a unit follows: 30 of `30 minutes`, and of `1 hour 30 minutes` also both together. */
  measures?: Measure[];
}

/** A quantity in the base unit of its dimension. */
export interface Measure {
  dimension: string;
  value: number;
}

/** A group of digits with separators between thousands and before decimals. A blank separates thousands only between groups of three. */
const DIGITS = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.,])|\d+(?:[.,'’]\d+)*/gu;
const LETTERS_AFTER = /^[-\u00a0\u202f ]?(\p{L}{1,9})\b\.?/u;
/** `1.4.1893`, `1. 4. 1893`, `3/14/2017`, `2017-03-14`: of a date, day and year are looked up, for months are said by name. */
const DATE =
  /(?<![\d.,/-])(?:(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})|(\d{4})-(\d{1,2})-(\d{1,2}))(?![\d/-]|[.,]\d)/g;
/** Between a number and the unit that it shares with the next: `90–120 seconds`. */
const TO_NEXT = /^\s?(?:[-–—/]|to|or|and|bis|oder|und|à|ou|et|a|o|y|e)\s?\d[\d.,]*/iu;
/** Between the parts of one quantity: `1 hour and 20 minutes`. */
const JOINT = /^(?:,?\s?(?:and|und|et|y|e)?\s)?$/iu;
const PERCENT_AFTER =
  /^[\s\u00a0\u202f]?(?:%|per ?cent\b|percent|prozent|pour[ -]?cent\b|por ?(?:ciento|cento)\b|per cento\b)/iu;
const CLOCK =
  /(?<![\d:.,])([01]?\d|2[0-4])(?::|h|\.(?=\d\d\s?(?:uhr|h|a\.?m|p\.?m)))([0-5]\d)(?![\d:.,]\d|\d)/giu;

/**
 * The numbers of a statement: in digits, and in words where they are above twelve and the language is known. Digits inside of a name
 * (`GPT-4`, `COVID-19`, `B2`) are none.
 */
export function statedNumbers(statement: string, language: Language | undefined): StatedNumber[] {
  const found: StatedNumber[] = [];
  const quantities: Quantity[] = [];
  let rest = statement.replace(CLOCK, (_whole, hours: string, minutes: string) => {
    found.push({ kind: 'clock', values: [Number(hours) * 60 + Number(minutes)], inDigits: true });
    return ' ';
  });
  rest = rest.replace(DATE, (...groups: (string | undefined)[]) => {
    const [, first, sign, second, year, isoYear, , isoDay] = groups;
    // In English the month comes first when its parts are joined by slashes, or the day: either may be said.
    const days = isoDay ? [isoDay] : sign === '/' ? [first, second] : [first];
    found.push({ kind: 'plain', values: [Number(year ?? isoYear)], inDigits: true });
    found.push({ kind: 'plain', values: days.map(Number), inDigits: true });
    return ' ';
  });
  for (const match of rest.matchAll(DIGITS)) {
    const before = rest.slice(Math.max(0, match.index - 2), match.index);
    if (/[\p{L}_]$|\p{L}[-–]$/u.test(before)) continue;
    const after = rest.slice(match.index + match[0].length, match.index + match[0].length + 16);
    const number = withSuffix(match[0], after, language);
    if (!number) continue;
    const stated: StatedNumber = { ...number, inDigits: true };
    found.push(stated);
    quantities.push(quantityOf(stated, rest, match.index, match.index + match[0].length));
  }
  joinQuantities(quantities, rest);
  if (language) found.push(...inWords(rest, language));
  return found;
}

/** A stated number with its place in the text and its unit. */
interface Quantity {
  stated: StatedNumber;
  start: number;
  end: number;
  dimension?: string;
  factor?: number;
}

function quantityOf(stated: StatedNumber, text: string, start: number, end: number): Quantity {
  const next = TO_NEXT.exec(text.slice(end, end + 24))?.[0].length ?? 0;
  const found = unitAt(text, end) ?? (next > 0 ? unitAt(text, end + next) : undefined);
  if (!found) return { stated, start, end };
  const { dimension, factor, offset = 0 } = found.unit;
  stated.measures = stated.values.map((value) => ({ dimension, value: value * factor + offset }));
  return { stated, start, end: found.end, dimension, factor };
}

/** `1 h 30` and `1 hour 20 minutes` may be said as one number of minutes. */
function joinQuantities(quantities: readonly Quantity[], text: string): void {
  quantities.forEach((second, i) => {
    const first = quantities[i - 1];
    if (first?.dimension === undefined || !JOINT.test(text.slice(first.end, second.start))) return;
    const isMinutes = second.dimension === undefined && first.factor === 3600;
    if (!isMinutes && !(second.dimension === first.dimension && second.factor! < first.factor!)) return;
    const part = isMinutes ? second.stated.values[0]! * 60 : second.stated.measures![0]!.value;
    const whole = { dimension: first.dimension, value: first.stated.measures![0]!.value + part };
    for (const { stated } of [first, second]) stated.measures = [...(stated.measures ?? []), whole];
  });
}

function withSuffix(
  digits: string,
  after: string,
  language: Language | undefined,
): Omit<StatedNumber, 'inDigits'> | undefined {
  const values = valuesOf(digits);
  if (PERCENT_AFTER.test(after)) return { kind: 'percent', values };
  const letters = LETTERS_AFTER.exec(after)?.[1]?.toLowerCase();
  if (!letters) return { kind: 'plain', values };
  const attached = /^\p{L}/u.test(after);
  // "3D", "5G", "747s"
  if (
    attached &&
    /^\p{Lu}$/u.test(after.slice(0, 1)) &&
    letters.length === 1 &&
    !NUMBER_SUFFIXES.has(letters)
  )
    return undefined;
  if (attached && /^(?:s|er|ers|ern)$/.test(letters)) {
    return {
      kind: 'plain',
      values: values.flatMap((value) => (value >= 1000 ? [value, value % 100] : [value])),
    };
  }
  const suffix = attached || letters.length > 1 ? NUMBER_SUFFIXES.get(letters) : undefined;
  const spoken = language && numberAt([letters], 0, language)?.value;
  const multiplier = suffix ?? (spoken && spoken >= 1000 ? spoken : undefined);
  if (!multiplier) return { kind: 'plain', values };
  const base = values[0]!;
  const products = values.map((value) => rounded(value * multiplier));
  // "5 m" may be metres.
  return { kind: 'plain', values: letters.length <= 2 ? [...products, ...values] : products, base };
}

/** Possible values of digits with separators: `1.500` is 1500 or 1.5, `12,50` 12.5, `25 000` 25,000. */
function valuesOf(digits: string): number[] {
  const plain = digits.replace(/[ \u00a0\u202f'’]/g, '');
  const parts = plain.split(/[.,]/);
  const all = Number(parts.join(''));
  if (parts.length === 1) return [all];
  const decimal = Number(`${parts.slice(0, -1).join('')}.${parts.at(-1)}`);
  const thousands = parts.slice(1).every((part) => part.length === 3);
  const mixed = new Set(plain.replace(/\d/g, '')).size > 1;
  if (mixed) return [rounded(decimal)];
  if (parts.length > 2) return thousands ? [all] : [all, rounded(decimal)];
  return thousands ? [all, rounded(decimal)] : [rounded(decimal)];
}

function inWords(statement: string, language: Language): StatedNumber[] {
  const found: StatedNumber[] = [];
  const words = wordsOf(statement);
  for (let i = 0; i < words.length; i++) {
    if (/^\d/.test(words[i]!)) {
      i++;
      continue;
    }
    const number = numberAt(words, i, language);
    if (!number) continue;
    const bare = number.length === 1 && Math.log10(number.value) % 1 === 0;
    if (number.value > 12 && !bare && Number.isInteger(number.value)) {
      const kind = NUMBER_PHRASES[language].percent.has(words[i + number.length] ?? '') ? 'percent' : 'plain';
      found.push({ kind, values: [number.value], inDigits: false });
    }
    i += number.length - 1;
  }
  return found;
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
