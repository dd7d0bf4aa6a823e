import { amountOf, numberAt, ordinalOf, spokenNumbers } from '../../../core/text/number-words.js';
import { NUMBER_PHRASES, PRICE_WORDS, NUMBER_SUFFIXES } from '../../../core/text/number-phrases.js';
import { type Language } from '../../../core/text/languages.js';
import { ContentMeasures } from './content-measures.js';
import { lastNumber, single } from './spoken-number.js';
import type { StatedNumber } from './stated-numbers.js';

/** How the content supports a number. */
export type NumberSupport =
  /** It is said, in digits or in words. */
  | 'said'
  /** A near one is, or a part of it: it may be rounded, converted or misheard. */
  | 'near'
  | 'absent';

const MINUTES_A_DAY = 24 * 60;
const HALF_DAY = 12 * 60;
/** Counting up to here is a model's own ("three reasons") and proves nothing. */
const OWN_COUNTING = 10;
/** Relative difference up to which a number may be another one rounded. */
const ROUNDED = 0.02;
/** Half of the number before it: `two hours and a half`, `dos millones y medio`. */
const HALF = 0.5;

/**
 * The numbers of a transcript, each with the places where it is said, in every reading of its words: digits with any separators, words,
 * years, decades, prices, fractions, dozens, shares and times of day.
 */
export class ContentNumbers {
  private readonly plain = new Map<number, number[]>();
  private readonly percents = new Map<number, number[]>();
  private readonly clocks = new Map<number, number[]>();
  private readonly measures = new ContentMeasures();
  /** All values, ascending; made when it is first asked for. */
  private sorted: number[] | undefined;

  constructor(private readonly language: Language | undefined) {}

  /**
   * Adds the numbers of a run of words.
   * @param from index of the first word among all words
   */
  add(words: readonly string[], from: number): void {
    words.forEach((word, i) => {
      if (/^\d/.test(word)) this.addDigits(words, i, from);
    });
    if (this.language) this.addSpoken(words, from, this.language);
    this.sorted = undefined;
  }

  /** What the content says about a number between two places. Words that cannot be read as a number leave every number possible. */
  support(stated: StatedNumber, from = 0, to = Infinity): NumberSupport {
    const { kind, values, base } = stated;
    const [main] = values;
    if (main === undefined || (kind !== 'clock' && Math.abs(main) <= OWN_COUNTING)) return 'said';
    const map = kind === 'clock' ? this.clocks : this.plain;
    if (values.some((value) => hasBetween(map.get(value), from, to))) return 'said';
    if (kind === 'percent' && values.some((value) => this.hasPercent(value, from, to))) return 'said';
    if (kind === 'clock') {
      const hour = Math.floor(main / 60);
      const pair = (hour % 12 || 12) * 100 + (main % 60);
      const day = hour * 100 + (main % 60);
      if ([pair, day].some((value) => hasBetween(this.plain.get(value), from, to))) return 'said';
      return [hour, hour % 12].some((value) => hasBetween(this.plain.get(value), from, to))
        ? 'near'
        : this.missing();
    }
    const measured = this.measures.support(stated.measures ?? [], from, to);
    if (measured === 'said') return 'said';
    // "Baujahr dreiundsiebzig", "in ninety two"
    const short = main % 100;
    const isShortYear =
      isYear(main) && main >= 1900 && short > OWN_COUNTING && hasBetween(this.plain.get(short), from, to);
    const isPart = base !== undefined && hasBetween(this.plain.get(base), from, to);
    if (
      measured ||
      isShortYear ||
      isPart ||
      values.some((value) => this.isNear(value, from, to)) ||
      this.isSpan(main, from, to)
    )
      return 'near';
    return this.missing();
  }

  /** Numbers that are spoken in a language that is not known cannot be missed. */
  private missing(): NumberSupport {
    return this.language ? 'absent' : 'near';
  }

  /** True when a value is said anywhere, in digits or in words. */
  has(value: number): boolean {
    return value > OWN_COUNTING && this.plain.has(value);
  }

  private hasPercent(value: number, from: number, to: number): boolean {
    for (const near of [value, Math.round(value), Math.floor(value), Math.ceil(value)])
      if (hasBetween(this.percents.get(near), from, to)) return true;
    return false;
  }

  /** True when the content has a number that this one may be rounded from, or that is rounded from this one. */
  private isNear(value: number, from: number, to: number): boolean {
    const sorted = (this.sorted ??= [...this.plain.keys()].sort((a, b) => a - b));
    const unit = stepOf(value);
    const reach = Math.max(Math.abs(value) * ROUNDED, Math.min(unit / 2, Math.abs(value) * 0.1));
    for (let i = firstFrom(sorted, value - reach); i < sorted.length && sorted[i]! <= value + reach; i++)
      if (hasBetween(this.plain.get(sorted[i]!), from, to) && !(Number.isInteger(value) && isYear(value)))
        return true;
    return false;
  }

  /** True for the years between two years that are named. */
  private isSpan(value: number, from: number, to: number): boolean {
    if (!Number.isInteger(value) || value > 500) return false;
    for (const [year, places] of this.plain) {
      if (!isYear(year) || !hasBetween(places, from, to)) continue;
      if (isYear(year + value) && hasBetween(this.plain.get(year + value), from, to)) return true;
    }
    return false;
  }

  /** A number in digits, with the tokens that follow it as its decimals, thousands, minutes or multiplier. */
  private addDigits(words: readonly string[], i: number, from: number): void {
    const word = words[i]!.replace(/(?<=\d)['’](?=\d)/g, '');
    const match = /^(\d{1,15})(\p{L}{0,5})$/u.exec(word);
    if (!match) {
      // `1999-2005`
      for (const part of word.split('-'))
        if (/^\d{1,15}$/.test(part)) this.put(this.plain, Number(part), from + i);
      return;
    }
    const [, digits, letters] = match;
    const value = Number(digits);
    const at = from + i;
    this.put(this.plain, value, at);
    this.withSuffix(value, letters!, at);
    if (letters !== '') return;
    this.withMultiplier([value], words[i + 1], at);
    let joined = value;
    for (let n = i + 1; n < i + 6; n++) {
      const next = /^(\d{1,15})(\p{L}{0,5})$/u.exec(words[n] ?? '');
      if (!next) break;
      const [, more, end] = next;
      if (n === i + 1) {
        const decimal = value + Number(more) / 10 ** more!.length;
        const readings =
          more!.length === 2 && value < 100 ? [decimal, value * 100 + Number(more)] : [decimal];
        for (const reading of readings) {
          this.put(this.plain, reading, at);
          this.withSuffix(reading, end!, at);
        }
        this.withMultiplier([decimal], words[n + 1], at);
        if (value < 24 && more!.length === 2 && Number(more) < 60)
          this.putClock(value * 60 + Number(more), at);
      }
      if (more!.length !== 3 || digits!.length > 3) break;
      joined = joined * 1000 + Number(more);
      this.put(this.plain, joined, at);
      if (end !== '') break;
    }
  }

  /** `90s`, `1990er`, `21st`, `1.5k`: what the letters after a number say. */
  private withSuffix(value: number, letters: string, at: number): void {
    const multiplier = NUMBER_SUFFIXES.get(letters);
    if (multiplier) this.put(this.plain, value * multiplier, at);
    if (/^(?:e?r?s|er|ern)$/.test(letters)) this.putDecade(value, at);
  }

  private withMultiplier(values: readonly number[], next: string | undefined, at: number): void {
    if (!next) return;
    const spoken = this.language && numberAt([next], 0, this.language)?.value;
    const multiplier =
      spoken && spoken >= 100 && Math.log10(spoken) % 1 === 0 ? spoken : NUMBER_SUFFIXES.get(next);
    if (multiplier) for (const value of values) this.put(this.plain, value * multiplier, at);
    if (this.language && NUMBER_PHRASES[this.language].percent.has(next))
      for (const value of values) this.put(this.percents, value, at);
  }

  private addSpoken(words: readonly string[], from: number, language: Language): void {
    const phrases = NUMBER_PHRASES[language];
    for (const { index, value } of spokenNumbers(words, language)) this.put(this.plain, value, from + index);
    words.forEach((word, i) => {
      const at = from + i;
      const decade = phrases.decades?.get(word);
      if (decade !== undefined) this.putDecade(decade, at);
      if (phrases.decadesAfter?.has(word))
        for (const { value } of spokenNumbers(words.slice(i + 1, i + 4), language))
          if (value >= 20 && value < 100 && value % 10 === 0) this.putDecade(value, at + 1);
      // Words of two numbers in a row are read as one above.
      const strict = numberAt(words, i, language);
      if (strict) this.put(this.plain, strict.value, at);
      if (PRICE_WORDS.has(word)) this.addPrice(words, i, from, language);
      const amount = amountOf(word, language);
      if (amount !== undefined) this.addAmount(amount, words, i, from, language);
      const ordinal = ordinalOf(word, language);
      const tens = ordinal !== undefined && lastNumber(words, i - 1, language);
      // "twenty first"
      if (tens && tens % 10 === 0) this.put(this.plain, tens + ordinal, at);
      if (phrases.decimalSign.has(word)) this.addDecimals(words, i, from, language);
      if (phrases.shareOf.has(word)) this.addShare(words, i, from, language);
      if ((word === 'oh' || word === 'o' || word === 'zero') && i > 0) {
        const before = single(words[i - 1]!, language);
        const after = single(words[i + 1] ?? '', language);
        if (before !== undefined && after !== undefined && before < 100 && after < 10)
          this.put(this.plain, before * 100 + after, at - 1);
      }
      // "oh nine"
      const year = word === 'oh' || word === 'o' ? single(words[i + 1] ?? '', language) : undefined;
      if (year !== undefined && year > 0 && year < 10)
        for (const century of [1900, 2000]) this.put(this.plain, century + year, at);
    });
    this.addDigitByDigit(words, from, language);
    this.addClocks(words, from, language);
    this.measures.add(words, from, language);
  }

  /** `null drei fünf`: digits that are said one by one, as of codes and telephone numbers. */
  private addDigitByDigit(words: readonly string[], from: number, language: Language): void {
    let digits = '';
    words.forEach((word, i) => {
      const value = word.length > 1 ? single(word, language) : undefined;
      const isDigit = value !== undefined && Number.isInteger(value) && value >= 0 && value < 10;
      digits = isDigit ? digits + String(value) : '';
      if (digits.length > 1 && digits.length < 13)
        this.put(this.plain, Number(digits), from + i - digits.length + 1);
    });
  }

  /** `two thirds`, `half a million`, `two dozen`, `one and a half million`. */
  private addAmount(
    amount: number,
    words: readonly string[],
    i: number,
    from: number,
    language: Language,
  ): void {
    const at = from + i;
    const before =
      lastNumber(words, i - 1, language) ??
      lastNumber(words, i - 2, language) ??
      lastNumber(words, i - 3, language);
    const readings = [amount, ...withAmountBefore(amount, words, i, language)];
    if (before !== undefined) readings.push(before + amount, before * amount);
    for (const reading of readings) {
      this.put(this.plain, reading, at);
      if (amount < 1 && reading <= 1)
        for (const share of around(reading * 100)) this.put(this.percents, share, at);
      for (const next of [1, 2, 3]) this.withMultiplier([reading], words[i + next], at);
    }
  }

  /** `three point one four`, `drei Komma fünf Millionen`. */
  private addDecimals(words: readonly string[], i: number, from: number, language: Language): void {
    const whole = lastNumber(words, i - 1, language);
    if (whole === undefined) return;
    let decimals = '';
    let next = i + 1;
    for (; next < i + 6; next++) {
      const digit = single(words[next] ?? '', language);
      if (digit === undefined || digit >= 100) break;
      decimals += String(digit);
    }
    if (decimals === '') return;
    const value = Number(`${whole}.${decimals}`);
    this.put(this.plain, value, from + i);
    this.withMultiplier([value], words[next], from + i);
    const pair = numberAt(words, i + 1, language)?.value;
    if (pair !== undefined && pair < 100) this.put(this.plain, Number(`${whole}.${pair}`), from + i);
  }

  /** `twelve euro fifty`, `12 euros 50`. */
  private addPrice(words: readonly string[], i: number, from: number, language: Language): void {
    const whole = lastNumber(words, i - 1, language);
    const next =
      PRICE_WORDS.has(words[i + 1] ?? '') || words[i + 1] === 'and' || words[i + 1] === 'und' ? i + 2 : i + 1;
    const cents = numberAt(words, next, language)?.value ?? single(words[next] ?? '', language);
    if (whole !== undefined && cents !== undefined && cents >= 10 && cents < 100 && Number.isInteger(cents))
      this.put(this.plain, whole + cents / 100, from + i);
  }

  /** `one in four`, `nine out of ten`. */
  private addShare(words: readonly string[], i: number, from: number, language: Language): void {
    const whole = single(words[i + 1] ?? '', language) ?? single(words[i + 2] ?? '', language);
    if (whole === undefined || whole > 1000) return;
    // "De cada diez vecinos, siete" names the part behind the whole.
    for (const places of [
      [-1, -2, -3],
      [3, 4, 5],
    ]) {
      const part = places
        .map((place) => single(words[i + place] ?? '', language))
        .find((value) => value !== undefined);
      if (part === undefined || part >= whole) continue;
      for (const share of around((part / whole) * 100)) this.put(this.percents, share, from + i);
    }
  }

  private addClocks(words: readonly string[], from: number, language: Language): void {
    for (const [pattern, minutes] of NUMBER_PHRASES[language].clock) {
      const parts = pattern.split(' ');
      const first = parts.find((part) => part !== '#')!;
      const offset = parts.indexOf(first);
      for (let i = words.indexOf(first); i >= 0; i = words.indexOf(first, i + 1)) {
        const start = i - offset;
        const hour = parts.every((part, n) => part === '#' || words[start + n] === part)
          ? single(words[start + parts.indexOf('#')] ?? '', language)
          : undefined;
        if (hour === undefined || hour > 24) continue;
        this.putClock(hour * 60 + minutes, from + start);
        if (minutes !== 0) continue;
        // "acht Uhr dreißig", "huit heures trente"
        const more = numberAt(words, start + parts.length, language) ?? undefined;
        if (more && more.value < 60) this.putClock(hour * 60 + more.value, from + start);
      }
    }
    if (language !== 'en') return;
    words.forEach((word, i) => {
      const sign = word === 'past' || word === 'after' ? 1 : word === 'to' ? -1 : 0;
      if (sign === 0) return;
      const minutes = lastNumber(words, i - 1, language);
      const hour = single(words[i + 1] ?? '', language);
      if (minutes !== undefined && minutes < 60 && hour !== undefined && hour <= 12)
        this.putClock(hour * 60 + sign * minutes, from + i);
    });
  }

  private putDecade(value: number, at: number): void {
    this.put(this.plain, value, at);
    if (value >= 20 && value < 100)
      for (const century of [1700, 1800, 1900]) this.put(this.plain, century + value, at);
    if (value >= 1000) this.put(this.plain, value % 100, at);
  }

  private putClock(minutes: number, at: number): void {
    const time = (minutes + MINUTES_A_DAY) % MINUTES_A_DAY;
    this.put(this.clocks, time, at);
    this.put(this.clocks, (time + HALF_DAY) % MINUTES_A_DAY, at);
  }

  private put(map: Map<number, number[]>, value: number, at: number): void {
    const key = rounded(value);
    const places = map.get(key);
    if (!places) map.set(key, [at]);
    else if (places.at(-1)! < at) places.push(at);
  }
}

/** `half a dozen`, `a dozen and a half`, `two million and a half`: an amount and the one before it. */
function withAmountBefore(amount: number, words: readonly string[], i: number, language: Language): number[] {
  for (const back of [1, 2, 3]) {
    const word = words[i - back] ?? '';
    const before = amountOf(word, language);
    if (before === HALF && back === 1) return [amount / 2];
    if (amount !== HALF || back === 1) continue;
    if (before !== undefined && before >= 2) return [before * 1.5];
    const multiplier = numberAt([word], 0, language)?.value;
    if (multiplier === undefined || multiplier < 1000) continue;
    const all = lastNumber(words, i - back, language) ?? multiplier;
    return [all + multiplier / 2];
  }
  return [];
}

/** A share that is rounded, either way. */
const around = (share: number): number[] => [
  share,
  Math.floor(share),
  Math.ceil(share),
  Math.round(share * 10) / 10,
];

/** Steps of the last digit that counts: 1,000,000 of 25 million, 0.1 of 3.5. */
function stepOf(value: number): number {
  if (value === 0) return 0;
  if (!Number.isInteger(value)) return 10 ** -(String(value).split('.')[1]?.length ?? 0);
  let unit = 1;
  while (value % (unit * 10) === 0) unit *= 10;
  return unit;
}

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1000 && value <= 2100;
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

function firstFrom(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hasBetween(places: readonly number[] | undefined, from: number, to: number): boolean {
  if (!places) return false;
  const place = places[firstFrom(places, from)];
  return place !== undefined && place < to;
}
