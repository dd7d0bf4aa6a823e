import { amountOf, ordinalOf } from './number-words.js';
import { unitAt, type Unit } from './units.js';
import { type Language } from './languages.js';
import { readValues, type Value } from './read-values.js';

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;
const PERCENT = unitAt('%', 0)!.unit;
const FAHRENHEIT = unitAt('°F', 0)!.unit;
const CURRENCIES = new Set(['dollars', 'euros', 'pounds', 'francs', 'yen', 'mass']);
const HOUR = 3600;
/** "Four in ten", "9 out of 10", "neun von zehn", "nueve de cada diez", "un jeune sur quatre". */
const OUT_OF = /^\s(?:\p{L}+\s){0,2}(?:in|out of|of|von|aus|sur|de cada|su|em cada)\s$/u;
/** "De cada diez vecinos, siete": the whole comes first. */
const WHOLE_FIRST = /(?:^|\s)(?:out of|of|von|sur|de cada|su|em cada)\s$/iu;
/** Words between a whole and its part are no more than this, characters. */
const FAR = 30;
/** "One in a thousand"; larger numbers are no such share. */
const MOST_OUT_OF = 1000;
/** Between an amount and its unit or its multiplier: "half an hour", "un quart d'heure", "half a million". */
const OF = /^\s(?:(?:of\s)?(?:an?|the)(?=\s)|d['’]|de(?:\s(?:une?|um))?(?=\s)|di(?=\s)|un[ae]?(?=\s))?\s?/u;
/** Between a number and the fraction that is added to it: "one and a quarter". */
const AND_AN = / (?:and|und|et|y|e)(?: \p{L}{1,3})? $/iu;
/** Amounts that are joined with their unit: `demi-heure`, `Viertelstunde`, `mezz'ora`, `half-hour`. */
const JOINED = /^(dreiviertel|viertel|halb|demi-|half-|mezz['’])(?=\p{L})/iu;
const JOINED_AMOUNTS: Readonly<Record<string, number>> = { dreiviertel: 0.75, viertel: 0.25 };
/** Between two numbers that are said as one: "nineteen ninety nine", "twelve euros fifty", "nineteen oh five", "doce con cincuenta". */
const NEXT = /^,?[ \u00a0]?(?:(?:and|und|et|y|e|con|com|oh|o)[ \u00a0])?$/iu;
const OH = /^ oh? $/i;
/** An "m" right behind a number may be a million. */
const MAY_BE_MILLIONS = /\dm$/;
/** "£5.5 m". */
const MILLIONS_AFTER = /^[ \u00a0]m(?!\p{L})/u;

/**
 * Everything that a text may be taken to state, in every reading: its values, and in addition amounts in words ("half", "two thirds", "a
 * dozen"), ordinals, shares ("nine out of ten"), decades, and years, prices and times as they are spoken ("nineteen ninety nine", "twelve fifty"). For looking up what a sentence claims; too generous to charge a sentence with.
 */
export function statedValues(text: string, language: Language): Value[] {
  const values = readValues(text, language, true);
  return [
    ...values,
    ...values.flatMap(({ first }) => first ?? []),
    ...sharesOf(text, values),
    ...amountsIn(text, language, values),
    ...spokenAsOne(text, values),
    ...decadesIn(values),
    ...otherUnits(text, values),
  ];
}

/** "Nine out of ten" as a share of 90 %, from the first number to the second. */
export function sharesOf(text: string, values: readonly Value[]): Value[] {
  return values.flatMap((value, i) => {
    const next = values[i + 1];
    if (!next || value.kind !== 'number' || next.kind !== 'number') return [];
    const between = text.slice(value.end, next.start);
    const isReversed =
      between.length < FAR &&
      !/[.!?]/.test(between) &&
      WHOLE_FIRST.test(text.slice(0, value.start).slice(-10));
    if (!isReversed && (value.unit || !OUT_OF.test(between))) return [];
    const [first, second] = [value.readings[0]!, next.readings[0]!];
    const [part, whole] = isReversed ? [second, first] : [first, second];
    if (part > whole || whole > MOST_OUT_OF) return [];
    const bound = value.bound ?? 'about';
    const place = { ...value, bound, end: next.end, text: text.slice(value.start, next.end) };
    return [made((100 * part) / whole, PERCENT, place)];
  });
}

/** Fractions in words ("half", "two thirds") as bare numbers: what amounts may be multiplied by. */
export function fractionsIn(text: string, language: Language): Value[] {
  return amountsIn(text, language, readValues(text, language)).filter((v) => !v.unit && v.readings[0]! < 1);
}

/** Amounts and ordinals in words, alone and with the number before them: "half", "two thirds", "twenty first". */
function amountsIn(text: string, language: Language, values: readonly Value[]): Value[] {
  const found: Value[] = [];
  const numberEndingAt = new Map(values.map((v) => [v.end, v.kind === 'number' ? v.readings[0] : undefined]));
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const place = { start: match.index, end: match.index + match[0].length, text: match[0] };
    const before = numberEndingAt.get(match.index - 1);
    const ordinal = ordinalOf(word, language);
    if (ordinal !== undefined) {
      found.push(made(ordinal, undefined, place));
      if (before && before % 10 === 0) found.push(made(before + ordinal, undefined, place));
    }
    const joined = JOINED.exec(word);
    const joinedUnit = joined && unitAt(` ${match[0].slice(joined[0].length)}`, 0)?.unit;
    if (joinedUnit) found.push(made(JOINED_AMOUNTS[joined[0]] ?? 0.5, joinedUnit, place));
    const amount = amountOf(word, language);
    if (amount === undefined) continue;
    const [joint] = AND_AN.exec(text.slice(Math.max(0, match.index - 8), match.index)) ?? [];
    const whole = joint === undefined ? undefined : numberEndingAt.get(match.index - joint.length);
    const amounts = new Set([amount, (before ?? 1) * amount]);
    if (whole) amounts.add(whole + amount);
    const gap = OF.exec(text.slice(place.end, place.end + 14))?.[0].length ?? 0;
    // Behind "half", "an" is no French year.
    const unit = unitAt(text, place.end + gap) ?? unitAt(text, place.end);
    const times = values.find((v) => v.start - place.end <= Math.max(1, gap) && v.start > place.end);
    for (const value of amounts) {
      if (unit) {
        found.push(made(value, unit.unit, { ...place, end: unit.end }));
        continue;
      }
      found.push(made(value, undefined, place));
      if (value <= 1) found.push(made(100 * value, PERCENT, place));
      if (times && times.readings[0]! >= 100) found.push(made(value * times.readings[0]!, times.unit, place));
    }
  }
  return found;
}

/** Two numbers in a row that are said as one: a year, a count of hundreds, a price, hours and minutes. */
function spokenAsOne(text: string, values: readonly Value[]): Value[] {
  const found: Value[] = [];
  values.forEach((second, i) => {
    const first = values[i - 1];
    const between = first ? text.slice(first.end, second.start) : '';
    const isNext = first && first.end <= second.start && NEXT.test(between);
    const [a, b] = [first?.readings[0] ?? NaN, second.readings[0]!];
    if (!first || !Number.isInteger(b)) return;
    const place = { start: first.start, end: second.end, text: text.slice(first.start, second.end) };
    if (!isNext || second.kind !== 'number') return;
    const isPair = b < 100 && (b >= 10 || OH.test(between));
    if (first.kind === 'clock') {
      if (b < 60) found.push(clock(a + b, place));
    } else if (first.unit) {
      if (first.unit.factor === HOUR && b < 60) found.push(made(a + b / 60, first.unit, place));
      if (CURRENCIES.has(first.unit.dimension) && isPair) found.push(made(a + b / 100, first.unit, place));
    } else if (isPair && Number.isInteger(a) && a >= 1 && a < 100) {
      found.push(made(a * 100 + b, second.unit, place), made(a + b / 100, second.unit, place));
      if (a <= 24 && b < 60) found.push(clock(a * 60 + b, place));
    }
  });
  return found;
}

/** "The 90s", "1990er": the number alone, and that of each century. */
function decadesIn(values: readonly Value[]): Value[] {
  return values.flatMap((value) => {
    const [years] = value.readings;
    if (value.kind !== 'number' || !/\d(?:['’]?s|er)$/.test(value.text) || years! % 10 !== 0) return [];
    const readings =
      years! < 100 ? [years!, ...[1900, 1800, 1700].map((c) => c + years!)] : [years!, years! % 100];
    return [{ ...value, readings }];
  });
}

/** An "m" that may be a million, and degrees that may be Fahrenheit. */
function otherUnits(text: string, values: readonly Value[]): Value[] {
  const isMoney = ({ unit, end }: Value): boolean =>
    CURRENCIES.has(unit?.dimension ?? '') && MILLIONS_AFTER.test(text.slice(end, end + 3));
  const millions = values
    .filter((v) => isMoney(v) || (v.unit?.dimension === 'length' && MAY_BE_MILLIONS.test(v.text)))
    .map(({ unit, ...v }) => ({
      ...v,
      ...(unit?.dimension === 'length' ? {} : { unit }),
      readings: v.readings.map((r) => r * 1e6),
      rounding: v.rounding * 1e6,
    }));
  const degrees = values.filter((v) => v.unit?.dimension === 'degrees');
  return [...millions, ...degrees.map((v) => ({ ...v, unit: FAHRENHEIT }))];
}

type Place = Pick<Value, 'start' | 'end' | 'text' | 'bound'>;

function made(value: number, unit: Unit | undefined, { start, end, text, bound }: Place): Value {
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

function clock(minutes: number, place: Place): Value {
  return { ...made((minutes + 1440) % 1440, undefined, place), kind: 'clock' };
}
