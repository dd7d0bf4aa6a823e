import { amountOf, numberAt, ordinalOf } from '../../../core/text/number-words.js';
import { unitAt, type Unit } from '../../../core/text/units.js';
import { type Language } from '../../../core/text/languages.js';
import { readValues, type Value } from './read-values.js';

const WORD = /[\p{L}\p{M}]+/gu;
const PERCENT: Unit = { dimension: 'share', factor: 1 };
/** "Four in ten", "9 out of 10", "neun von zehn", "nueve de cada diez". */
const OUT_OF = /^\s(?:in|out of|of|von|aus|sur|de cada|su|em cada)\s$/;
/** "One in a thousand"; larger numbers are no such share. */
const MOST_OUT_OF = 1000;
/** Between an amount and its unit: "half an hour", "un quart d'heure". */
const OF = /^\s(?:(?:of\s)?(?:an?|the)(?=\s)|d['’]|de(?:\s(?:une?|um))?(?=\s)|di(?=\s)|un[ae]?(?=\s))?\s?/u;
/** An "m" right behind a number may be a million. */
const MAY_BE_MILLIONS = /\dm$/;
/** More words than this are not read. */
const MOST_WORDS = 2000;

/**
 * Everything that a text may be taken to state: its values, and in addition amounts in words ("half", "two thirds", "a dozen"), ordinals, and
 * shares such as "nine out of ten". For looking up what a sentence claims; too generous to charge a sentence with.
 */
export function statedValues(text: string, language: Language): Value[] {
  const values = readValues(text, language);
  return [...values, ...sharesOf(text, values), ...amountsIn(text, language, values), ...millionsIn(values)];
}

/** "Nine out of ten" as a share of 90 %, from the first number to the second. */
export function sharesOf(text: string, values: readonly Value[]): Value[] {
  return values.flatMap((value, i) => {
    const next = values[i + 1];
    const isPair =
      next &&
      value.kind === 'number' &&
      next.kind === 'number' &&
      !value.unit &&
      OUT_OF.test(text.slice(value.end, next.start));
    const [part, whole] = [value.readings[0]!, next?.readings[0] ?? 0];
    if (!isPair || part > whole || whole > MOST_OUT_OF) return [];
    const share = (100 * part) / whole;
    const bound = value.bound ?? 'about';
    return [
      made(share, PERCENT, { ...value, bound, end: next.end, text: text.slice(value.start, next.end) }),
    ];
  });
}

/** Fractions in words ("half", "two thirds") as bare numbers: what amounts may be multiplied by. */
export function fractionsIn(text: string, language: Language): Value[] {
  return amountsIn(text, language, readValues(text, language)).filter((v) => !v.unit && v.readings[0]! < 1);
}

function amountsIn(text: string, language: Language, values: readonly Value[]): Value[] {
  const found: Value[] = [];
  const words = [...text.matchAll(WORD)].slice(0, MOST_WORDS);
  words.forEach((match, i) => {
    const word = match[0].toLowerCase();
    const place = { start: match.index, end: match.index + match[0].length, text: match[0] };
    const ordinal = ordinalOf(word, language);
    if (ordinal !== undefined) found.push(made(ordinal, undefined, place));
    const amount = amountOf(word, language);
    if (amount === undefined) return;
    const before = words[i - 1]?.[0].toLowerCase();
    const digits = values.find((v) => v.kind === 'number' && v.end === match.index - 1);
    const count = digits?.readings[0] ?? (before ? numberAt([before], 0, language)?.value : undefined) ?? 1;
    const gap = OF.exec(text.slice(place.end, place.end + 14))?.[0].length ?? 0;
    const unit = unitAt(text, place.end) ?? unitAt(text, place.end + gap);
    for (const value of new Set([amount, count * amount])) {
      if (unit) {
        found.push(made(value, unit.unit, { ...place, end: unit.end }));
        continue;
      }
      found.push(made(value, undefined, place));
      if (value <= 1) found.push(made(100 * value, PERCENT, place));
    }
  });
  return found;
}

function millionsIn(values: readonly Value[]): Value[] {
  return values
    .filter((v) => v.unit?.dimension === 'length' && MAY_BE_MILLIONS.test(v.text))
    .map(({ unit: _, ...value }) => ({
      ...value,
      readings: value.readings.map((r) => r * 1e6),
      rounding: value.rounding * 1e6,
    }));
}

function made(
  value: number,
  unit: Unit | undefined,
  { start, end, text, bound }: Pick<Value, 'start' | 'end' | 'text' | 'bound'>,
): Value {
  return {
    kind: 'number',
    readings: [value],
    rounding: 0,
    isSpelled: true,
    ...(unit ? { unit } : {}),
    ...(bound ? { bound } : {}),
    text,
    start,
    end,
  };
}
