import { HOUR, isYear } from './compare-values.js';
import type { Language } from './languages.js';
import { amountOf, calendarWord, multiplierOf, numberWordAt, ONE, ordinalOf } from './number-words.js';
import { CURRENCIES, currencyBefore, unitAround, unitAt, type Unit } from './units.js';
import { functionWords, wordList } from './word-lists.js';

/** A number, time of day, month or day of the week that a text states. */
export interface Value {
  kind: 'number' | 'clock' | 'month' | 'weekday';
  /**
   * What it may be as a number: more than one where a separator has two readings (`1.120` in English). A clock in minutes, a month or weekday from 1.
   * In the unit as written.
   */
  readings: readonly number[];
  /** The unit as written; undefined for a bare number. */
  unit?: Unit;
  /** Half of the last digit that counts: how far a rounded number may be off, in the unit as written. */
  rounding: number;
  /** The same where zeros at the end are digits too: 0.5 for `200`, 500,000 for `3 million`. */
  lastDigit: number;
  /** Behind "about", "more than", "less than" or the like. "At least" and "up to" name the exact number. */
  isRough?: boolean;
  /** The exact number lies above ("over", "more than") or below it ("under"). */
  bound?: 'over' | 'under' | undefined;
  /** The day of a date, or a place in an order: counts nothing, so it is no evidence for an amount with a unit. */
  isOrdinal?: boolean;
  /** A bare number before the word for what it counts: "10 slices". */
  isCounting?: boolean;
  /** What a word behind its digits multiplies them by: "27 million". */
  scale?: number;
  /** Written in words. */
  isSpelled: boolean;
  /** "Five times", "3x": says how often, not how much. */
  isMultiple?: boolean;
  /** As written, with its unit. */
  text: string;
  /** Where it stands, `[start, end)`. */
  start: number;
  end: number;
}

/** Digits with their separators; groups of three may be parted by a blank. */
const DIGITS = /(?<![\p{L}\p{N}_])(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,'’]\d+)*/gu;
/** A time that was measured to parts of a second: `5:38.42`, `1:02:03,5`. */
const MEASURED_TIME = /^(?:(\d{1,2}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?![\d:])/;
/** `5 ft 6 in`, `5'6"`, `5′ 6″`. */
const FEET_AND_INCHES =
  /^(\d{1,2})\s?(?:ft\.?|feet|foot|['’′])\s?(\d{1,2}(?:[.,]\d)?)\s?(?:in(?![\p{L}\p{N}])|inch(?:es)?(?!\p{L})|["”″]|['’′]{2})/u;
const [SECOND, INCH] = ['s', '″'].map((sign) => unitAt(sign, 0)!.unit) as [Unit, Unit];
/** A sign before a number; between two numbers it is none. */
const MINUS = /(?:(?<![\d\p{L}]\s?|[\d\p{L}])[-−–]|(?<!\d\s)(?<!\p{L})(?:minus|moins|menos|meno)\s)$/iu;
const CLOCK =
  /^(\d{1,2})(?::|\s?[hH]\s?(?=\d)|\.(?=\d{2}\s?(?:[Uu]hr|[ap]\.?\s?m\b)))(\d{2})(?::(\d{2}))?(?!\d|\s?min)/;
const HALF_OF_DAY = /^[ \u00a0\u202f]?([ap])\.?\s?m\b\.?/i;
const OCLOCK = /^[ \u00a0\u202f]?(?:[Uu]hr|o['’]clock|h(?![\p{L}\p{N}]))/u;
const ORDINAL_SUFFIX = /^(?:st|nd|rd|th|er|ère|re|e|ème|º|ª|°)(?![\p{L}\p{N}])/u;
const DECADE_SUFFIX = /^(?:['’]?s|er)(?![\p{L}\p{N}])/u;
const SHORT_MULTIPLIER =
  /^[ \u00a0\u202f]?(?:(k|[Tt]sd)|([Mm]io|Mill|mn|M(?=[€$£]))|([Mm]rd|bn|(?<! )b|Mds?|[Mm]ld))(?![\p{L}\p{N}])\.?/u;
/** Behind a price an "m" is no metre, and behind another number it may be none. */
const MILLION = /^[ \u00a0]?m(?![\p{L}\p{N}])/u;
const CENTURY_SUFFIX =
  /^(?:st|nd|rd|th|\.|e|ème)?[ \u00a0-](?:century|centuries|Jahrhunderts?|siècles?)(?!\p{L})/u;
/** "An hour and a half". */
const AND_A_HALF = /^ (?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao])(?!\p{L})/u;
/** Before the last two digits of a year. */
const OTHER_YEAR = /(?<!\d)(1\d|20)(\d{2})[/–-]$/;
const NUMERIC_DATE = /(?<![\d./-])(\d{1,2})[./](\d{1,2})[./](\d{4})(?![\d/])/g;
/** Words, and what parts them. */
const WORDS = /[\p{L}\p{M}]+|[^\s-]/gu;
/** Words before a number that is not exact, in the six languages. */
const roughWords = (words: string, signs: string): RegExp =>
  new RegExp(`(?:(?<!\\p{L})(?:${words})\\.?\\s*|[${signs}]\\s?)(?:US\\$|[$€£¥]|[A-Z]{3}\\s)?$`, 'iu');
const ABOUT = roughWords(
  'about|around|some|roughly|approximately|nearly|almost|circa|close to|cerca de|aproximadamente|unos|unas|alrededor de|casi|quasi|quase|' +
    'etwa|rund|ungefähr|fast|environ|près de|presque|vers|ca|c',
  '~≈',
);
const OVER = roughWords(
  'over|more than|above|más del?|oltre|più d(?:i|el)|mais d[eo]|über|mehr als|gut|plus de',
  '>≥',
);
const UNDER = roughWords(
  "less than|fewer than|below|under|menos d(?:el?|o)|meno d(?:i|el)|knapp|weniger als|unter|moins de|moins d['’]",
  '<≤',
);
const TIMES = /^[ \u00a0-]?(?:times|fold|mal|fach|fois|veces|vezes|volte|[x×])(?![\p{L}\p{N}])/u;
const ISO_DATE = /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
/** How far before a value a word such as "about" may begin, and its sign, characters; set by hand. */
const BEFORE = 18;
const SIGN = 9;
const EXACT = { rounding: 0, lastDigit: 0 };
/** More values than this are not read from one text; a plain bound. */
const MOST_VALUES = 400;

/**
 * All values that a text states, in order: numbers in digits and words with their units, times of day, months and days of the week. Numbers
 * that are part of a name (`IPv6`, `CO2`, `A4`) are left out. Linear.
 *
 * @param language of the text, for numbers and dates in words
 */
export function readValues(text: string, language: Language): Value[] {
  return composed(text, singleValues(text, language, false));
}

/**
 * Everything that a text may be taken to state, in every reading: its values, each part of those in two units, zero and words that are as often something
 * else (`one`, French `neuf`), and in addition amounts in words ("half", "two thirds", "a dozen"), ordinals, and years, prices and times as they are
 * spoken ("nineteen ninety nine", "twelve fifty"). For looking up what a sentence claims; too generous to charge a sentence with.
 */
export function statedValues(text: string, language: Language): Value[] {
  const values = singleValues(text, language, true);
  const millions = values
    .filter((value) => /\dm$/.test(value.text))
    .map((value) => made(value.readings[0]! * 1e6, undefined, value));
  return [
    ...new Set([...values, ...composed(text, values)]),
    ...millions,
    ...amountsIn(text, language, values),
    ...spokenAsOne(text, values),
  ];
}

/** @param takesAll also zero and words that are as often something else */
function singleValues(text: string, language: Language, takesAll: boolean): Value[] {
  const values: Value[] = writtenDates(text);
  const dates = [...values];
  let end = 0;
  for (const match of text.matchAll(DIGITS)) {
    if (dates.some((d) => match.index >= d.start && match.index < d.end)) continue;
    const value = inDigits(text, match.index, match[0], language);
    if (value && value.start >= end) {
      values.push(value);
      end = value.end;
    }
    if (values.length >= MOST_VALUES) break;
  }
  values.push(...inWords(text, language, values, takesAll));
  values.sort((a, b) => a.start - b.start);
  return withSharedUnits(text, withDays(text, values))
    .slice(0, MOST_VALUES)
    .map((value) => (countsAt(text, value, language) ? { ...value, isCounting: true } : value))
    .map((value) =>
      TIMES.test(text.slice(value.end, value.end + 8)) ? { ...value, isMultiple: true } : value,
    );
}

function inDigits(text: string, start: number, raw: string, language: Language): Value | undefined {
  const valueOf = (end: number, value: Pick<Value, 'kind' | 'readings'> & Partial<Value>): Value => {
    const from = value.start ?? start;
    return {
      ...EXACT,
      isSpelled: false,
      ...roughBefore(text, start),
      ...value,
      text: text.slice(from, end),
      start: from,
      end,
    };
  };
  let end = start + raw.length;
  const isShort = /^\d{1,2}$/.test(raw);
  const measured = MEASURED_TIME.exec(text.slice(start, start + 14));
  if (measured) {
    const [whole, hours = 0, minutes, seconds, parts = ''] = measured;
    const reading = Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${parts}`);
    const rounding = 0.5 * 10 ** -parts.length;
    const precision = { rounding, lastDigit: rounding };
    return valueOf(start + whole.length, { kind: 'number', readings: [reading], ...precision, unit: SECOND });
  }
  const [length, feet, inches = ''] = FEET_AND_INCHES.exec(text.slice(start, start + 24)) ?? [];
  if (length) {
    const reading = 12 * Number(feet) + Number(inches.replace(',', '.'));
    const precision = { rounding: 0.5, lastDigit: 0.5 };
    return valueOf(start + length.length, { kind: 'number', readings: [reading], ...precision, unit: INCH });
  }
  const time = clockAt(text, start, raw, isShort);
  if (time) return valueOf(time.end, { kind: 'clock', readings: [time.minutes] });
  // A text may name the century of a year, and the other way round.
  if (isShort && CENTURY_SUFFIX.test(text.slice(end, end + 24))) return undefined;
  const [, century, year = ''] = OTHER_YEAR.exec(text.slice(Math.max(0, start - 6), start)) ?? [];
  // "2017/18": the second is a year, too.
  if (isShort && century && raw > year)
    return valueOf(end, { kind: 'number', readings: [Number(century + raw)] });
  let readings = readingsOf(raw, language);
  let { rounding, lastDigit } = roundingOf(raw);
  const behind = text.slice(end, end + 12);
  const suffix = DECADE_SUFFIX.exec(behind) ?? ORDINAL_SUFFIX.exec(behind);
  if (suffix && !/^°/.test(suffix[0])) end += suffix[0].length;
  const times =
    multiplierAt(text, end, language) ??
    (currencyBefore(text, start) && MILLION.test(text.slice(end, end + 3))
      ? { factor: 1e6, end: text.indexOf('m', end) + 1 }
      : undefined);
  if (times) {
    readings = readings.map((r) => r * times.factor);
    rounding *= times.factor;
    lastDigit *= times.factor;
    end = times.end;
  }
  const unit = unitAround(text, start, end);
  // "4K", "2x", "1990er": letters that are no unit belong to a name.
  const isName =
    /^[\p{L}_]/u.test(text.slice(end, end + 1)) && !suffix && !times && !TIMES.test(text.slice(end, end + 8));
  if (!unit && isName) return undefined;
  const from = unit?.start ?? start;
  const minus = MINUS.exec(text.slice(Math.max(0, from - SIGN), from));
  return valueOf(unit?.end ?? end, {
    kind: 'number',
    readings: minus ? readings.map((reading) => -reading) : readings,
    rounding,
    lastDigit,
    ...(unit ? { unit: unit.unit } : {}),
    ...(times ? { scale: times.factor } : {}),
    ...(suffix && !times && /^(?!['’]?s)/.test(suffix[0]) ? { isOrdinal: true } : {}),
    start: minus ? from - minus[0].length : from,
  });
}

/** `8:30`, `18.30 Uhr`, `9 h 30`, `6 p.m.`, `8 Uhr`: a time of day in minutes. */
function clockAt(
  text: string,
  start: number,
  raw: string,
  isShort: boolean,
): { minutes: number; end: number } | undefined {
  const clock = CLOCK.exec(text.slice(start, start + 14));
  const end = start + (clock?.[0].length ?? raw.length);
  const behind = text.slice(end, end + 12);
  const half = clock || isShort ? HALF_OF_DAY.exec(behind) : null;
  const oclock = !clock && !half && isShort ? OCLOCK.exec(behind) : null;
  const isHour = oclock && Number(raw) <= 24 && !/^[ \u00a0\u202f]?h/.test(oclock[0]);
  if (!clock && !half && !isHour) return undefined;
  const minutes = clock
    ? Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60
    : Number(raw) * 60;
  const isAfternoon = half?.[1]!.toLowerCase() === 'p';
  const hours = clock && !half && unitAt(text, end);
  if (hours && hours.unit.factor === HOUR && hours.unit.dimension === 'time')
    return { minutes, end: hours.end };
  return {
    minutes: half ? (minutes % 720) + (isAfternoon ? 720 : 0) : minutes,
    end: end + ((half ?? oclock)?.[0].length ?? 0),
  };
}

function inWords(text: string, language: Language, known: readonly Value[], takesAll: boolean): Value[] {
  const values: Value[] = [];
  const matches = [...text.matchAll(WORDS)];
  const lower = matches.map((m) => m[0].toLowerCase());
  const endOf = (i: number): number => matches[i]!.index + matches[i]![0].length;
  for (let i = 0; i < matches.length && values.length < MOST_VALUES; i++) {
    const start = matches[i]!.index;
    const calendar = calendarWord(lower[i]!, language);
    // "May" and "March" inside an English sentence are months.
    const isCapital =
      language === 'en' &&
      /^\p{Lu}/u.test(matches[i]![0]) &&
      /[\p{L},] $/u.test(text.slice(0, start).slice(-2));
    if (calendar && (calendar.sure || isCapital || isBesideNumber(text, start, endOf(i), language))) {
      const { kind, value } = calendar;
      const end = endOf(i);
      const word = { isSpelled: true, ...EXACT };
      values.push({ ...word, kind, readings: [value], text: text.slice(start, end), start, end });
      continue;
    }
    const isOne =
      (ONE.has(lower[i]!) || (takesAll && /^an?$/.test(lower[i]!))) &&
      (unitAt(text, endOf(i)) ?? AND_A_HALF.exec(text.slice(endOf(i), endOf(i) + 14)));
    const spoken =
      decimalAt(lower, i, language) ??
      numberWordAt(lower, i, language, takesAll) ??
      (isOne ? { value: 1, length: 1 } : undefined);
    if (!spoken || (spoken.value === 0 && !takesAll)) continue;
    const last = i + spoken.length - 1;
    // A multiplier behind digits was read with them.
    if (known.some((v) => v.start < endOf(last) && v.end > start)) continue;
    const amount = withHalf(text, spoken.value, endOf(last), language);
    const unit = unitAround(text, start, amount.end);
    const half = unit && AND_A_HALF.exec(text.slice(unit.end, unit.end + 14));
    const end = (unit?.end ?? amount.end) + (half?.[0].length ?? 0);
    const number = amount.value + (half ? 0.5 : 0);
    values.push({
      kind: 'number',
      readings: [number],
      ...(unit ? { unit: unit.unit } : {}),
      ...(thousandsOf(number) > 1 ? { scale: thousandsOf(number) } : {}),
      ...roundingInWords(number),
      ...roughBefore(text, start),
      isSpelled: true,
      text: text.slice(start, end),
      start,
      end,
    });
    while (i + 1 < matches.length && matches[i + 1]!.index < end) i++;
  }
  return values;
}

/** "Three point one four", "drei Komma fünf Millionen". */
function decimalAt(
  words: readonly string[],
  at: number,
  language: Language,
): { value: number; length: number } | undefined {
  const whole = numberWordAt(words, at, language, true);
  const sign = at + (whole?.length ?? 0);
  if (!whole || !wordList(language, 'decimalSigns').has(words[sign] ?? '')) return undefined;
  let [decimals, end] = ['', sign + 1];
  for (; end < sign + 6; end++) {
    const digit = numberWordAt(words.slice(end, end + 1), 0, language, true)?.value;
    if (digit === undefined || digit >= 100) break;
    decimals += String(digit);
  }
  if (decimals === '') return undefined;
  const times = multiplierOf(words[end] ?? '', language);
  return { value: Number(`${whole.value}.${decimals}`) * (times ?? 1), length: end - at + (times ? 1 : 0) };
}

/** "Two and a half thousand", "deux millions et demi", "thirty five k": the half is of what the number counts. */
function withHalf(
  text: string,
  value: number,
  end: number,
  language: Language,
): { value: number; end: number } {
  const half = AND_A_HALF.exec(text.slice(end, end + 14));
  const counted = [1e12, 1e9, 1e6, 1000, 100].find((m) => value >= m && value % m === 0) ?? 1;
  const amount = value + (half ? counted / 2 : 0);
  const behind = end + (half?.[0].length ?? 0);
  const times = multiplierAt(text, behind, language);
  return times ? { value: amount * times.factor, end: times.end } : { value: amount, end: behind };
}

/**
 * `2025-03-26`, `26.3.2025`, `26/03/2025`: a year, a month and a day. Which of the first two is the month is not sure below 13 but in the ISO
 * form.
 */
function writtenDates(text: string): Value[] {
  const iso = [...text.matchAll(ISO_DATE)].map((m) => ({ m, year: m[1]!, months: [m[2]!], days: [m[3]!] }));
  const numeric = [...text.matchAll(NUMERIC_DATE)].map((m) => {
    const parts = [m[2]!, m[1]!];
    const months = parts.filter((n) => Number(n) <= 12);
    // The day stands first in most countries.
    const days = months.length === 1 ? parts.filter((n) => n !== months[0]) : [m[1]!, m[2]!];
    return { m, year: m[3]!, months, days };
  });
  return [...iso, ...numeric]
    .filter(({ months, days }) => months.length > 0 && days.every((d) => Number(d) <= 31))
    .slice(0, MOST_VALUES / 4)
    .flatMap(({ m, year, months, days }) => {
      const value = (kind: Value['kind'], digits: readonly string[]): Value => ({
        kind,
        readings: digits.map(Number),
        ...EXACT,
        isSpelled: false,
        text: m[0],
        start: m.index,
        end: m.index + m[0].length,
      });
      return [value('number', [year]), value('month', months), { ...value('number', days), isOrdinal: true }];
    });
}

/**
 * "1 h 02 min 47 s", "two hours and thirty minutes", "5 ft 3": one value in the smallest unit, which replaces its parts. So do "12 mil 500" and
 * "3 millions 200 mille". Parts of a price have no comma between them: "30 euros, 20 cents less".
 */
function composed(text: string, values: readonly Value[]): Value[] {
  const result: Value[] = [];
  for (const value of values) {
    const last = result.at(-1);
    const isPart =
      last?.unit &&
      value.unit &&
      last.unit.dimension === value.unit.dimension &&
      last.unit.factor > value.unit.factor &&
      value.readings[0]! * value.unit.factor < last.unit.factor &&
      /^,?\s*(?:(?:and|und|et|y|e)\s+)?$/u.test(text.slice(last.end, value.start)) &&
      !(CURRENCIES.has(value.unit.dimension) && text[last.end] === ',');
    const times = isPart ? last.unit!.factor / value.unit!.factor : scaleBetween(text, last, value);
    if (!last || times === undefined) {
      result.push(value);
      continue;
    }
    result[result.length - 1] = {
      ...value,
      readings: [last.readings[0]! * times + value.readings[0]!],
      ...(last.isRough ? { isRough: true } : {}),
      text: text.slice(last.start, value.end),
      start: last.start,
    };
  }
  return result;
}

/** What the first of two parts of one number counts in: of "3 millones 200 mil" ones, of "12 mil 500 millones" millions. */
function scaleBetween(text: string, first: Value | undefined, second: Value): number | undefined {
  const joint = first ? text.slice(first.end, second.start) : '';
  if (!first?.scale || first.unit || !/^ (?:e )?$/.test(joint)) return undefined;
  const { scale = 1, readings } = second;
  const isBelow = scale > 1 ? scale < first.scale : /^\d{3}(?!\d)/.test(second.text);
  if (isBelow && readings[0]! < first.scale) return 1;
  return joint === ' ' && scale > first.scale && readings[0]! / scale < first.scale ? scale : undefined;
}

/** Whether a bare number stands before a word that is none of the language's function words. */
function countsAt(text: string, value: Value, language: Language): boolean {
  const { kind, unit, end } = value;
  if (kind !== 'number' || unit || isYear(value)) return false;
  const word = /^[ \u00a0](\p{L}{3,})/u.exec(text.slice(end, end + 30))?.[1];
  if (word === undefined || functionWords(language).has(word.toLowerCase())) return false;
  // "7 travel days": the unit stands behind a further word.
  return !unitAt(text, end + 1 + word.length);
}

/** "14 June", "June 14": the number is a day. */
function withDays(text: string, values: Value[]): Value[] {
  return values.map((value, i) => {
    if (value.kind !== 'number' || value.unit || value.readings[0]! > 31) return value;
    const [before, after] = [values[i - 1], values[i + 1]];
    const isBefore =
      after?.kind === 'month' && /^\.?\s?(?:of\s|de\s)?$/.test(text.slice(value.end, after.start));
    const isBehind =
      before?.kind === 'month' && /^\.?\s(?:the\s)?$/.test(text.slice(before.end, value.start));
    return isBefore || isBehind ? { ...value, isOrdinal: true } : value;
  });
}

/** "Two to three weeks", "5, 10 and 20 km": the first of two numbers has the unit of the second; of "two to three million" also the scale. */
function withSharedUnits(text: string, values: Value[]): Value[] {
  for (let i = values.length - 2; i >= 0; i--) {
    const [value, next] = [values[i]!, values[i + 1]!];
    const isOfDate = value.isOrdinal || (isYear(value) && isPartOfDate(values[i - 1]));
    if (value.kind !== 'number' || next.kind !== 'number' || isOfDate) continue;
    const [, joint] = SHARING.exec(text.slice(value.end, next.start)) ?? [];
    if (joint === undefined) continue;
    const isSpan =
      !/^(?:[,+]|and|und|et|y|e)$/.test(joint) || BETWEEN.test(text.slice(0, value.start).slice(-9));
    const { scale = 1 } = next;
    const times = isSpan && !value.scale && value.readings[0]! * scale < next.readings[0]! ? scale : 1;
    values[i] = {
      ...value,
      ...(value.unit || !next.unit ? {} : { unit: next.unit }),
      ...(times > 1 ? { scale: times } : {}),
      readings: value.readings.map((reading) => reading * times),
      rounding: value.rounding * times,
      lastDigit: value.lastDigit * times,
    };
  }
  return values;
}

/** Between two numbers that share their unit; a line may begin an item of a list. */
const SHARING = /^(?!\s*\n[-–—+])\s*([-–—,+]|to|or|and|bis|oder|und|à|ou|et|a|o|y|e)\s*(?:US\$|[$€£¥])?$/u;
const BETWEEN = /(?:between|zwischen|entre|tra|fra) $/i;

const isPartOfDate = (value: Value | undefined): boolean =>
  value?.kind === 'month' || value?.isOrdinal === true;

/** `1,120` and `1.120` have two readings; `1.120,5` and `1,234,567` have one. */
function readingsOf(raw: string, language: Language): number[] {
  const digits = raw.replace(/[ \u00a0\u202f'’]/g, '');
  const marks = digits.match(/[.,]/g) ?? [];
  if (marks.length === 0) return [Number(digits)];
  const last = digits.search(/[.,](?=\d+$)/);
  const decimal = Number(`${digits.slice(0, last).replace(/[.,]/g, '')}.${digits.slice(last + 1)}`);
  const whole = Number(digits.replace(/[.,]/g, ''));
  const isGrouped = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(digits) && new Set(marks).size === 1;
  if (marks.length > 1 && new Set(marks).size > 1) return [decimal];
  if (!isGrouped) return [marks.length > 1 ? whole : decimal];
  if (marks.length > 1) return [whole];
  const grouping = language === 'en' ? ',' : '.';
  return marks[0] === grouping ? [whole] : [decimal, whole];
}

/** Half of the last digit that is not a closing zero: 5 for `20`, 0.05 for `3.5`, 0.5 for `63`. */
function roundingOf(raw: string): Pick<Value, 'rounding' | 'lastDigit'> {
  const digits = raw.replace(/[ \u00a0\u202f'’]/g, '');
  const fraction = /[.,](\d+)$/.exec(digits);
  if (fraction && fraction[1]!.length !== 3) {
    const rounding = 0.5 * 10 ** -fraction[1]!.length;
    return { rounding, lastDigit: rounding };
  }
  const whole = digits.replace(/[.,]/g, '');
  const zeros = /0{0,60}$/.exec(whole)![0].length;
  return { rounding: 0.5 * 10 ** Math.min(zeros, Math.max(0, whole.length - 1)), lastDigit: 0.5 };
}

/** How far a number in words may be off. "Two and a half" is exact to a quarter. */
function roundingInWords(value: number): Pick<Value, 'rounding' | 'lastDigit'> {
  if (!Number.isInteger(value)) return { rounding: 0.25, lastDigit: 0.25 };
  return { rounding: roundingOf(String(value)).rounding, lastDigit: 0.5 * thousandsOf(value) };
}

/** The multiplier that a whole number in words ends with; 1 for none. */
const thousandsOf = (value: number): number =>
  [1e12, 1e9, 1e6, 1000].find((m) => value >= m && value % m === 0) ?? 1;

function multiplierAt(
  text: string,
  at: number,
  language: Language,
): { factor: number; end: number } | undefined {
  const short = SHORT_MULTIPLIER.exec(text.slice(at, at + 8));
  if (short) {
    const factor = short[1] ? 1000 : short[2] ? 1e6 : 1e9;
    return { factor, end: at + short[0].length };
  }
  let [factor, end] = [1, at];
  // "12 mil millones", "2 mila miliardi": the greater one multiplies the smaller.
  for (const word of text.slice(at, at + 30).matchAll(/[ \u00a0\u202f](\p{L}+)/guy)) {
    const value = multiplierOf(word[1]!.toLowerCase(), language) ?? 0;
    if (value <= factor) break;
    factor *= value;
    end += word[0].length;
  }
  return end > at ? { factor, end } : undefined;
}

function roughBefore(text: string, at: number): Pick<Value, 'isRough' | 'bound'> {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  const bound = OVER.test(before) ? 'over' : UNDER.test(before) ? 'under' : undefined;
  return bound ? { isRough: true, bound } : ABOUT.test(before) ? { isRough: true } : {};
}

/** Whether a word that may be a month stands next to a day or a year. */
function isBesideNumber(text: string, start: number, end: number, language: Language): boolean {
  const before = /(?<!\d)(\d{1,2})(st|nd|rd|th|er|º|\.)?\s(?:of\s|de\s)?$/.exec(
    text.slice(Math.max(0, start - 10), start),
  );
  const isDay = before !== null && Number(before[1]) >= 1 && Number(before[1]) <= 31;
  // "Up to 12 may attend": no month in English, where months have a capital.
  const isVerb = language === 'en' && !before?.[2] && /^\p{Ll}.*\s\p{L}/su.test(text.slice(start, end + 3));
  return (isDay && !isVerb) || /^\.?\s(?:de\s)?\d/.test(text.slice(end, end + 6));
}

/** Between an amount and its unit: "half an hour", "un quart d'heure". */
const OF = /^\s(?:(?:of\s)?(?:an?|the)(?=\s)|d['’]|de(?:\s(?:une?|um))?(?=\s)|di(?=\s)|un[ae]?(?=\s))?\s?/u;
/** Between a number and the fraction that is added to it: "one and a quarter". */
const AND_AN = / (?:and|und|et|y|e)(?: \p{L}{1,3})? $/iu;
export const PERCENT = unitAt('%', 0)!.unit;

/** Amounts and ordinals in words, alone and with the number before them: "half", "two thirds", "twenty first". */
function amountsIn(text: string, language: Language, values: readonly Value[]): Value[] {
  const found: Value[] = [];
  const numberEndingAt = new Map(values.map((v) => [v.end, v.kind === 'number' ? v.readings[0] : undefined]));
  for (const match of text.matchAll(WORDS)) {
    const word = match[0].toLowerCase();
    const place = { start: match.index, end: match.index + match[0].length, text: match[0] };
    const before = numberEndingAt.get(match.index - 1);
    const ordinal = ordinalOf(word, language);
    if (ordinal !== undefined) {
      const places = [ordinal, ...(before && before % 10 === 0 ? [before + ordinal] : [])];
      found.push(...places.map((n) => ({ ...made(n, undefined, place), isOrdinal: true })));
    }
    const amount = amountOf(word, language);
    if (amount === undefined) continue;
    const [joint] = AND_AN.exec(text.slice(Math.max(0, match.index - 8), match.index)) ?? [];
    const whole = joint === undefined ? undefined : numberEndingAt.get(match.index - joint.length);
    const amounts = new Set([amount, (before ?? 1) * amount, ...(whole ? [whole + amount] : [])]);
    const gap = OF.exec(text.slice(place.end, place.end + 14))?.[0].length ?? 0;
    // Behind "half", "an" is no French year.
    const unit = unitAt(text, place.end + gap) ?? unitAt(text, place.end);
    for (const value of amounts) {
      found.push(made(value, unit?.unit, place));
      if (value <= 1 && !unit) found.push(made(100 * value, PERCENT, place));
    }
  }
  return found;
}

/** Between two numbers that are said as one: "nineteen ninety nine", "twelve euros fifty", "nineteen oh five", "doce con cincuenta". */
const NEXT = /^,?[ \u00a0]?(?:(?:and|und|et|y|e|con|com|oh|o)[ \u00a0])?$/iu;

/** Two numbers in a row that are said as one: a year, a count of hundreds, a price, hours and minutes. */
function spokenAsOne(text: string, values: readonly Value[]): Value[] {
  return values.flatMap((second, i): Value[] => {
    const first = values[i - 1];
    const between = first ? text.slice(first.end, second.start) : '-';
    const [a, b] = [first?.readings[0] ?? NaN, second.readings[0]!];
    const isNext = first && first.end <= second.start && second.kind === 'number' && NEXT.test(between);
    if (!isNext || !Number.isInteger(b) || b >= 100) return [];
    const place = { start: first.start, end: second.end, text: text.slice(first.start, second.end) };
    const clock = (minutes: number): Value[] =>
      b < 60 ? [{ ...made(minutes + b, undefined, place), kind: 'clock' }] : [];
    if (first.kind === 'clock') return clock(a);
    if (first.unit?.factor === 3600) return b < 60 ? [made(a + b / 60, first.unit, place)] : [];
    if (b < 10 && !/o/i.test(between)) return [];
    if (first.unit) return CURRENCIES.has(first.unit.dimension) ? [made(a + b / 100, first.unit, place)] : [];
    if (!Number.isInteger(a) || a < 1 || a >= 100) return [];
    const both = [a * 100 + b, a + b / 100].map((value) => made(value, second.unit, place));
    return a <= 24 ? [...both, ...clock(a * 60)] : both;
  });
}

function made(value: number, unit: Unit | undefined, place: Pick<Value, 'start' | 'end' | 'text'>): Value {
  const { start, end, text } = place;
  return { ...valueOf(value, unit), isSpelled: true, text, start, end };
}

/** A number that nobody wrote. */
export function valueOf(number: number, unit?: Unit): Value {
  const base = { kind: 'number' as const, readings: [number], ...EXACT, isSpelled: false };
  return { ...base, ...(unit ? { unit } : {}), text: String(number), start: 0, end: 0 };
}
