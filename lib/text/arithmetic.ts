import { comparable, isRoundedTo, isYear } from './compare-values.js';
import { add, divide, Fraction, multiply, negated } from './fraction.js';
import type { Language } from './languages.js';
import { amountOf } from './number-words.js';
import { readValues, valueOf, type Value } from './read-values.js';
import { unitAt, type Unit } from './units.js';

/** A number, day or time of day that is exact: written, or a result. */
export interface Amount {
  kind: 'number' | 'date' | 'clock';
  /** Of a date the days since 1970; of a time of day the minutes. In its unit. */
  number: Fraction;
  unit?: Unit;
  /** Of a date whose year is not written. */
  lacksYear?: boolean;
}

/** A written number, date or time with what it amounts to. */
export interface Operand {
  amount: Amount;
  /** What was read: one value, or day, month and year. */
  values: readonly Value[];
  start: number;
  end: number;
}

/** An expression as it is written, with its result. One operand alone is one too. */
export interface Expression {
  amount: Amount;
  operands: readonly Operand[];
  start: number;
  end: number;
}

/** A run of expressions that are written as equal. */
export type Equation = readonly Expression[];

const DAY_MS = 86_400_000;
const [SECONDS_A_DAY, MINUTES_A_DAY, MINUTES_AN_HOUR, HOUR] = [86_400, 1440, 60, 3600] as const;
const [DAY, MINUTE, PERCENT] = ['d', 'min', '%'].map((sign) => unitAt(sign, 0)!.unit) as [Unit, Unit, Unit];
const [MONTH, YEAR] = [2_629_746, 31_556_952];
/** Of dates without a year: no leap year. */
const ANY_YEAR = 2001;
/** More operands are not calculated with. */
const MOST_OPERANDS = 40;
/** `Date` knows days up to this distance from 1970; with room for a month. */
const MOST_DAYS = 99_000_000;
const LARGEST = 1e15;
const OPERATORS: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '×': '*',
  '·': '*',
  '✕': '*',
  x: '*',
  '÷': '/',
  '≈': '=',
  '≃': '=',
  plus: '+',
  más: '+',
  mais: '+',
  più: '+',
  minus: '-',
  moins: '-',
  menos: '-',
  meno: '-',
  times: '*',
  mal: '*',
  fois: '*',
  veces: '*',
  vezes: '*',
};
const SIGNS = /[-+*/()=−–×·✕÷≈≃]|\p{L}+|[^\s]/gu;
/** "30 % of €880": behind a share, such a word multiplies. */
const OF = new Set(['of', 'de', 'du', 'des', 'von', 'vom', 'der', 'di', 'dei', 'del', 'do', 'da']);

type Token = { operand: Operand } | { sign: string; start: number };

/** The result of an expression, such as `2 * 26 + 13`, `30 % of €880`, `2026-03-15 - 16 days` or `5:38.42 - 5:35.87`; undefined for other text. */
export function evaluate(text: string, language: Language): Expression | undefined {
  const tokens = tokensOf(text, language);
  const end = tokens.findIndex((token) => 'sign' in token && token.sign === '=');
  return expressionOf(end < 0 ? tokens : tokens.slice(0, end));
}

/** The expressions in prose, single operands among them, and those that are written as equal to each other. */
export function equationsIn(text: string, language: Language): Equation[] {
  const equations: Expression[][] = [];
  let run: Token[] = [];
  let sides: Expression[] = [];
  const closeSide = (): void => {
    // What stands in front of or behind an expression may look like an operator.
    const found = expressionOf(trimmed(run));
    if (found) sides.push(found);
    else equations.push(...run.flatMap((token) => ('operand' in token ? [[single(token.operand)]] : [])));
    run = [];
  };
  const close = (): void => {
    closeSide();
    if (sides.length > 0) equations.push(sides);
    sides = [];
  };
  for (const token of tokensOf(text, language)) {
    const last = run.at(-1);
    if ('operand' in token) {
      if (last && 'operand' in last) close();
      run.push(token);
    } else if (token.sign === '=') closeSide();
    else if (/^[-+*/()]$/.test(token.sign)) run.push(token);
    else close();
  }
  close();
  return equations;
}

const single = (operand: Operand): Expression => ({ ...operand, operands: [operand] });

/** Without signs and brackets around an expression that belong to the text. */
function trimmed(tokens: readonly Token[]): Token[] {
  const isPart = (token: Token | undefined): boolean => token === undefined || 'operand' in token;
  let [from, to] = [0, tokens.length];
  const signAt = (i: number): string => {
    const token = tokens[i];
    return token && 'sign' in token ? token.sign : '';
  };
  while (from < to && !isPart(tokens[from]) && signAt(from) !== '(') from++;
  while (to > from && !isPart(tokens[to - 1]) && signAt(to - 1) !== ')') to--;
  const depth = tokens
    .slice(from, to)
    .reduce((n, t) => n + ('sign' in t ? Number(t.sign === '(') - Number(t.sign === ')') : 0), 0);
  if (depth > 0 && signAt(from) === '(') from++;
  if (depth < 0 && signAt(to - 1) === ')') to--;
  return tokens.slice(from, to);
}

function tokensOf(text: string, language: Language): Token[] {
  const operands = operandsIn(text, language);
  const tokens: Token[] = [];
  let at = 0;
  for (const operand of [...operands, undefined]) {
    const gap = text.slice(at, operand?.start ?? text.length);
    for (const match of gap.matchAll(SIGNS)) {
      const word = match[0].toLowerCase();
      const start = at + match.index;
      const last = tokens.at(-1);
      const share = last && 'operand' in last && isShare(last.operand.amount);
      const amount = amountOf(word, language);
      if (share && OF.has(word)) tokens.push({ sign: '*', start });
      else if (amount !== undefined) {
        const value: Value = {
          ...valueOf(amount),
          isSpelled: true,
          text: match[0],
          start,
          end: start + word.length,
        };
        tokens.push({ operand: operandOf([value]) });
      } else tokens.push({ sign: OPERATORS[word] ?? word, start });
    }
    if (!operand) break;
    const last = tokens.at(-1);
    // "(3900)-1100": the sign is an operator here.
    if (operand.amount.number.sign < 0 && last && ('operand' in last || last.sign === ')'))
      tokens.push({ sign: '+', start: operand.start });
    tokens.push({ operand });
    at = operand.end;
  }
  return tokens;
}

const isShare = ({ unit, number }: Amount): boolean =>
  unit?.dimension === PERCENT.dimension || (!unit && number.value > 0 && number.value < 1);

/** Numbers, times of day and dates of a text. */
export function operandsIn(text: string, language: Language): Operand[] {
  const values = readValues(text, language)
    .filter(({ readings }) => readings.every((n) => Math.abs(n) < LARGEST))
    .slice(0, MOST_OPERANDS);
  const operands: Operand[] = [];
  for (let i = 0; i < values.length; i++) {
    const date = dateAt(values, i, text, language);
    const from = operands.at(-1);
    if (date) {
      // "2–6 September": the first day is of the same month.
      if (from && isFirstDay(from, text.slice(from.end, date.start)))
        operands[operands.length - 1] = { ...from, amount: onDay(date.amount, from.values[0]!.readings[0]!) };
      operands.push(date);
      i += date.values.length - 1;
    } else if (values[i]!.kind === 'number' || values[i]!.kind === 'clock')
      operands.push(operandOf([values[i]!]));
  }
  return operands;
}

function isFirstDay({ values, amount }: Operand, between: string): boolean {
  const { kind, unit, readings } = values[0]!;
  const isDay =
    amount.kind === 'number' && kind === 'number' && !unit && readings[0]! >= 1 && readings[0]! <= 31;
  return isDay && /^\.?\s?(?:-|–|to|bis|al?|au|até)\s?$/.test(between);
}

function onDay(date: Amount, day: number): Amount {
  const other = new Date(date.number.value * DAY_MS);
  return { ...date, number: Fraction.of(other.setUTCDate(day) / DAY_MS) };
}

/** A value, or the values of a date, as one operand. */
export function operandOf(values: readonly Value[]): Operand {
  const [{ kind, readings, unit: written, text, start }] = values as [Value];
  const number = Fraction.of(readings[0]!);
  // Of "1 - 40%" the first number is no share.
  const unit = written?.dimension === PERCENT.dimension && /^[\d.,]+$/.test(text) ? undefined : written;
  const amount: Amount = { kind: kind === 'clock' ? 'clock' : 'number', number, ...(unit ? { unit } : {}) };
  return { amount, values, start, end: values.at(-1)!.end };
}

/** "20 August 1977", "August 20", "1977-08-20": a date of which at least day and month are written. */
function dateAt(values: readonly Value[], at: number, text: string, language: Language): Operand | undefined {
  const parts = values.slice(at, at + 3);
  const monthAt = parts.findIndex(({ kind }) => kind === 'month');
  if (monthAt < 0 || parts.some(({ kind, unit }) => kind !== 'month' && (kind !== 'number' || unit))) {
    return parts.length === 3 ? dateAt(values.slice(0, at + 2), at, text, language) : undefined;
  }
  const isOne = parts.every((part, i) => {
    const next = parts[i + 1];
    return (
      !next ||
      next.start === part.start ||
      /^(?:\.?,?\s(?:of\s|de\s|del\s|the\s)?|[ /-])?$/.test(text.slice(part.end, next.start))
    );
  });
  const numbers = parts.filter(({ kind }) => kind === 'number');
  const day = numbers.find(({ readings }) => readings[0]! >= 1 && readings[0]! <= 31);
  const year = numbers.find((one) => one !== day && (isYear(one) || one.start === day?.start));
  const isWhole = isOne && day && (parts.length < 3 || year) && monthAt < 2;
  if (!isWhole) return parts.length === 3 ? dateAt(values.slice(0, at + 2), at, text, language) : undefined;
  const time = Date.UTC(year?.readings[0] ?? ANY_YEAR, parts[monthAt]!.readings[0]! - 1, day.readings[0]!);
  const amount: Amount = {
    kind: 'date',
    number: Fraction.of(time / DAY_MS),
    ...(year ? {} : { lacksYear: true }),
  };
  return { amount, values: parts, start: parts[0]!.start, end: parts.at(-1)!.end };
}

/** Reads `a + b * (c - d)` with the usual precedence. Undefined where the tokens are no expression or their units do not go together. */
function expressionOf(tokens: readonly Token[]): Expression | undefined {
  const operands = tokens.flatMap((token) => ('operand' in token ? token.operand : []));
  if (operands.length === 0 || operands.length > MOST_OPERANDS) return undefined;
  // Signs and brackets are read within each other.
  if (tokens.length > 4 * MOST_OPERANDS) return undefined;
  let at = 0;
  const sign = (): string | undefined => {
    const token = tokens[at];
    return token && 'sign' in token ? token.sign : undefined;
  };
  const level =
    (signs: RegExp, part: () => Amount | undefined): (() => Amount | undefined) =>
    () => {
      let result = part();
      while (result && signs.test(sign() ?? '')) {
        const operator = sign()!;
        at++;
        const other = part();
        result = other && calculate(result, operator, other);
      }
      return result;
    };
  const factor = (): Amount | undefined => {
    const token = tokens[at++];
    if (!token) return undefined;
    if ('operand' in token) return token.operand.amount;
    if (token.sign === '-') {
      const inner = factor();
      return inner?.kind === 'number' ? { ...inner, number: negated(inner.number) } : undefined;
    }
    if (token.sign !== '(') return undefined;
    const inner = sum();
    if (sign() !== ')') return undefined;
    at++;
    return inner;
  };
  const sum: () => Amount | undefined = level(/^[-+]$/, level(/^[*/]$/, factor));
  const amount = sum();
  if (!amount || at < tokens.length) return undefined;
  const [first, last] = [operands[0]!, operands.at(-1)!];
  return { amount, operands, start: first.start, end: last.end };
}

/** One step of arithmetic; undefined for a division by zero and for units that do not go together. */
export function calculate(a: Amount, operator: string, b: Amount): Amount | undefined {
  if (operator === '+' || operator === '-') return sumOf(a, operator === '-', b);
  if (a.kind !== 'number' || b.kind !== 'number') return undefined;
  const [share, whole] = a.unit?.dimension === PERCENT.dimension ? [a, b] : [b, a];
  const isPart = share.unit?.dimension === PERCENT.dimension && whole.unit?.dimension !== PERCENT.dimension;
  if (operator === '*') {
    const number = multiply(a.number, b.number);
    if (isPart) return { ...whole, number: multiply(number, Fraction.of(0.01)) };
    const unit = a.unit && b.unit ? productOf(a.unit, b.unit) : (a.unit ?? b.unit);
    return { kind: 'number', number, ...(unit ? { unit } : {}) };
  }
  if (b.number.sign === 0) return undefined;
  const number = divide(a.number, b.number);
  if (isPart && share === b) return { ...a, number: multiply(number, Fraction.of(100)) };
  if (!a.unit || !b.unit) return { kind: 'number', number, ...(a.unit ? { unit: a.unit } : {}) };
  const units = comparable(a.unit, b.unit);
  if (units)
    return { kind: 'number', number: multiply(number, Fraction.of(units[0].factor / units[1].factor)) };
  const rate = { of: a.unit, per: b.unit };
  const unit = {
    dimension: `${a.unit.dimension}/${b.unit.dimension}`,
    factor: a.unit.factor / b.unit.factor,
    rate,
  };
  return { kind: 'number', number, unit };
}

/** Of a rate and what it is per. Of others any unit may be meant: "121.6 AU × 149.6 million km". */
function productOf(a: Unit, b: Unit): Unit | undefined {
  const [rate, other] = a.rate ? [a.rate, b] : [b.rate, a];
  if (!rate || rate.per.dimension !== other.dimension) return undefined;
  return { ...rate.of, factor: (rate.of.factor * other.factor) / rate.per.factor };
}

function sumOf(a: Amount, isMinus: boolean, b: Amount): Amount | undefined {
  const signed = (number: Fraction): Fraction => (isMinus ? negated(number) : number);
  if (a.kind === 'date') {
    if (b.kind === 'date') {
      const [from, to] = [inYearOf(b, a), inYearOf(a, b)];
      return isMinus ? { kind: 'number', number: add(to, negated(from)), unit: DAY } : undefined;
    }
    if (b.kind !== 'number' || b.unit?.dimension !== 'time') return undefined;
    const day = a.number.value + (signed(b.number).value * b.unit.factor) / SECONDS_A_DAY;
    return Math.abs(day) < MOST_DAYS
      ? { ...a, number: dayAfter(a.number, signed(b.number), b.unit) }
      : undefined;
  }
  if (a.kind === 'clock') {
    if (b.kind === 'clock' && isMinus) {
      const minutes = add(a.number, negated(b.number));
      return {
        kind: 'number',
        number: minutes.sign < 0 ? add(minutes, Fraction.of(MINUTES_A_DAY)) : minutes,
        unit: MINUTE,
      };
    }
    if (b.kind !== 'number' || b.unit?.dimension !== 'time') return undefined;
    const minutes = multiply(b.number, Fraction.of(b.unit.factor / MINUTE.factor));
    return { ...a, number: add(a.number, signed(minutes)) };
  }
  if (b.kind !== 'number') return undefined;
  const isPart = b.unit?.dimension === PERCENT.dimension && a.unit?.dimension !== PERCENT.dimension;
  if (isPart)
    return {
      ...a,
      number: multiply(a.number, add(Fraction.of(1), signed(multiply(b.number, Fraction.of(0.01))))),
    };
  const units = a.unit && b.unit && comparable(a.unit, b.unit);
  if (a.unit && b.unit && (!units || units[0].offset !== units[1].offset)) return undefined;
  const other = units ? multiply(b.number, Fraction.of(units[1].factor / units[0].factor)) : b.number;
  const unit = a.unit ?? b.unit;
  return { kind: 'number', number: add(a.number, signed(other)), ...(unit ? { unit } : {}) };
}

/** A day without a year is of the year of the other one. */
function inYearOf({ number, lacksYear }: Amount, other: Amount): Fraction {
  if (!lacksYear || other.lacksYear) return number;
  const date = new Date(number.value * DAY_MS);
  return Fraction.of(date.setUTCFullYear(new Date(other.number.value * DAY_MS).getUTCFullYear()) / DAY_MS);
}

/** Months and years are counted by the calendar. */
function dayAfter(day: Fraction, count: Fraction, { factor }: Unit): Fraction {
  if (factor !== MONTH && factor !== YEAR)
    return add(day, multiply(count, Fraction.of(factor / SECONDS_A_DAY)));
  const date = new Date(day.value * DAY_MS);
  const months = Math.round(count.value * (factor === YEAR ? 12 : 1));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Fraction.of(Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / DAY_MS);
}

/** Whether a written number, date or time states an exact amount, within the rounding that it shows. */
export function states({ amount: claimed, values }: Operand, { kind, number, unit }: Amount): boolean {
  const [value] = values as [Value];
  if (claimed.kind === 'date' || kind === 'date') {
    if (kind !== 'date' || claimed.kind !== 'date') return false;
    const [a, b] = [claimed, { number }].map((one) => new Date(one.number.value * DAY_MS));
    const isYearOne = claimed.lacksYear ?? a!.getUTCFullYear() === b!.getUTCFullYear();
    return isYearOne && a!.getUTCMonth() === b!.getUTCMonth() && a!.getUTCDate() === b!.getUTCDate();
  }
  // "21 h" is a time of day, too.
  const isHours = kind === 'number' && unit?.dimension === 'time' && unit.factor === HOUR;
  if (claimed.kind === 'clock' && isHours)
    return (claimed.number.value - number.value * MINUTES_AN_HOUR) % (MINUTES_A_DAY / 2) === 0;
  if (claimed.kind === 'clock' || kind === 'clock')
    return claimed.kind === kind && (claimed.number.value - number.value) % (MINUTES_A_DAY / 2) === 0;
  const isStated = (exact: number): boolean =>
    value.readings.some((reading) => isRoundedTo(value, Math.abs(reading), Math.abs(exact)));
  if (!value.unit || !unit) {
    const isPercent = value.unit?.dimension === PERCENT.dimension;
    return isStated(number.value) || (isPercent && isStated(100 * number.value));
  }
  const units = comparable(value.unit, unit);
  return units !== undefined && isStated((number.value * units[1].factor) / units[0].factor);
}
