import { clockOf, comparable, isRoundedTo, isYear, othersOf, type Clock } from './compare-values.js';
import type { Language } from './languages.js';
import { amountOf } from './number-words.js';
import { PERCENT, readValues, valueOf, type Value } from './read-values.js';
import { productOf, quotientOf, unitAt, type Unit } from './units.js';

/** A number, day or time of day: written, or a result that is not rounded. */
export interface Amount {
  kind: 'number' | 'date' | 'clock';
  /** Of a date the days since 1970; of a time of day the minutes. In its unit. */
  number: number;
  unit?: Unit;
  /** Of a date whose year is not written. */
  lacksYear?: boolean;
  /** What two others differ by: 10 °C are 18 °F then. */
  isDifference?: boolean;
  /** Of a time of day: written with its half of the day, as only 24 hours have it, or in digits that either clock has. */
  clock?: Clock;
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
  /** The results of its parts: of `10 * 6.20 - 52.70` what ten visits cost. */
  parts?: readonly Amount[];
  start: number;
  end: number;
}

/** A run of expressions that are written as equal. */
export type Equation = readonly Expression[];

const DAY_MS = 86_400_000;
/** "1 h 25" and "1:25 hours" may be a time of day or a duration. */
const LASTS = /\d\s?[hH]\s?\d|:\d\d\s?(?!Uhr)\p{L}{1,8}$(?<![ap]\.?m)/iu;
const MINUTES_A_DAY = 1440;
const [DAY, MINUTE] = ['d', 'min'].map((sign) => unitAt(sign, 0)!.unit) as [Unit, Unit];
const [MONTH, YEAR] = [2_629_746, 31_556_952];
/** Of dates without a year: any year that is no leap year. */
const ANY_YEAR = 2001;
const HALF_A_YEAR = 183; // days
/** More operands are not calculated with; a plain bound. */
const MOST_OPERANDS = 40;
/** `Date` knows days up to 100,000,000 from 1970 (ECMAScript 2025); with room for months. */
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

/** Between two days or times of day: "21:48 to 8:17". */
const TO = new Set(['to', 'until', '→', 'bis', 'à', 'au', 'a', 'hasta', 'al', 'até', 'fino']);

type Token = { operand: Operand } | { sign: string; start: number };

/**
 * The result of an expression, such as `2 * 26 + 13`, `30 % of €880`, `2026-03-15 - 16 days`, `5:38.42 - 5:35.87` or `21:48 to 8:17`; undefined for other
 * text.
 *
 * @param amountFor what an operand stands for. Default: what is written
 */
export function evaluate(
  text: string,
  language: Language,
  amountFor = ({ amount }: Operand): Amount => amount,
): Expression | undefined {
  const tokens = tokensOf(text, language).map((token) =>
    'operand' in token ? { operand: { ...token.operand, amount: amountFor(token.operand) } } : token,
  );
  const end = tokens.findIndex((token) => 'sign' in token && token.sign === '=');
  const [from, sign, to, ...rest] = end < 0 ? tokens : tokens.slice(0, end);
  const isSpan = from && 'operand' in from && from.operand.amount.kind !== 'number' && to && 'operand' in to;
  if (isSpan && 'sign' in sign! && TO.has(sign.sign) && rest.length === 0)
    return expressionOf([to, { ...sign, sign: '-' }, from]);
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
  const tokens = tokensOf(text, language);
  for (const [i, token] of tokens.entries()) {
    const last = run.at(-1);
    // "93 hours (5 × 15 + 10 + 8)"
    const isShown =
      'sign' in token && token.sign === '(' && last && 'operand' in last && isExpression(tokens, i + 1);
    if (isShown) closeSide();
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

/** Whether an operand and an operator stand there. */
function isExpression(tokens: readonly Token[], at: number): boolean {
  const [first, second] = tokens.slice(at, at + 2);
  return (
    first !== undefined &&
    'operand' in first &&
    second !== undefined &&
    'sign' in second &&
    /^[-+*/]$/.test(second.sign)
  );
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
    // "Three-quarters" has no minus.
    const gap = text.slice(at, operand?.start ?? text.length).replace(/^-(?=\p{L})/u, ' ');
    for (const match of gap.matchAll(SIGNS)) {
      const word = match[0].toLowerCase();
      const start = at + match.index;
      const last = tokens.at(-1);
      const share = last && 'operand' in last && isShare(last.operand.amount);
      const amount = amountOf(word, language);
      if (OF.has(word) && (share || isFraction(tokens))) tokens.push({ sign: '*', start });
      else if (amount !== undefined) {
        const end = start + word.length;
        const count = amount < 1 && last && 'operand' in last && last.operand;
        // "Two thirds" is one number.
        const isOne = count && !count.amount.unit && /^[ -]$/.test(text.slice(count.end, start));
        if (isOne) tokens.splice(-1, 1, madeOf(amount * count.amount.number, count.start, end));
        else tokens.push(madeOf(amount, start, end));
      } else tokens.push({ sign: OPERATORS[word] ?? word, start });
    }
    if (!operand) break;
    const last = tokens.at(-1);
    // "(3900)-1100": the sign is an operator here.
    if (operand.amount.number < 0 && last && ('operand' in last || last.sign === ')'))
      tokens.push({ sign: '+', start: operand.start });
    tokens.push({ operand });
    at = operand.end;
  }
  return tokens;
}

const madeOf = (number: number, start: number, end: number): Token => ({
  operand: operandOf([{ ...valueOf(number), isSpelled: true, start, end }]),
});

const isShare = (amount: Amount): boolean =>
  isPercent(amount) || (!amount.unit && amount.number > 0 && amount.number < 1);

/** Behind "3/4" and "(3/4)". */
const isFraction = (tokens: readonly Token[]): boolean =>
  tokens.slice(-3).some((token) => 'sign' in token && token.sign === '/');

/** Numbers, times of day and dates of a text. */
export function operandsIn(text: string, language: Language): Operand[] {
  const values = readValues(text, language)
    .filter(({ readings }) => readings.every((n) => Math.abs(n) < LARGEST))
    .slice(0, MOST_OPERANDS);
  const operands: Operand[] = [];
  for (let i = 0; i < values.length; i++) {
    const date = dateAt(values, i, text);
    const from = operands.at(-1);
    if (date) {
      // "2–6 September": the first day is of the same month.
      if (from && isFirstDay(from, text.slice(from.end, date.start)))
        operands[operands.length - 1] = { ...from, amount: onDay(date.amount, from.values[0]!.readings[0]!) };
      operands.push(date);
      i += date.values.length - 1;
    } else if (values[i]!.kind !== 'weekday') operands.push(operandOf([values[i]!]));
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
  const other = new Date(date.number * DAY_MS);
  return { ...date, number: other.setUTCDate(day) / DAY_MS };
}

/** A value, or the values of a date, as one operand. */
export function operandOf(values: readonly Value[]): Operand {
  const [{ unit: written, ...value }, ...rest] = values as [Value];
  const { kind, readings, text, start } = value;
  // Of "1 - 40%" the first number is no share.
  const unit = written?.dimension === PERCENT.dimension && /^[\d.,]+$/.test(text) ? undefined : written;
  const own = unit ? { unit } : {};
  const amount: Amount =
    kind === 'clock'
      ? { kind, number: readings[0]!, ...clockOf(text) }
      : { kind: 'number', number: readings[0]!, ...own };
  return { amount, values: [{ ...value, ...own }, ...rest], start, end: values.at(-1)!.end };
}

/** "20 August 1977", "August 20", "1977-08-20"; of "October" and "March 2019" the first day. */
function dateAt(values: readonly Value[], at: number, text: string): Operand | undefined {
  for (const length of [3, 2, 1]) {
    const parts = values.slice(at, at + length);
    const month = parts.slice(0, 2).find(({ kind }) => kind === 'month');
    const numbers = parts.filter(({ kind, unit }) => kind === 'number' && !unit);
    const day = numbers.find(({ readings: [number = 0] }) => number >= 1 && number <= 31);
    const year = numbers.find((one) => one !== day && (isYear(one) || one.start === day?.start));
    const isWhole = [month, day, year].filter(Boolean).length === length;
    const isRow = parts.every((part, i) => {
      const next = parts[i + 1];
      const gap = next && next.start !== part.start ? text.slice(part.end, next.start) : '';
      return /^(?:\.?,?\s(?:of\s|de\s|del\s|the\s)?|[ /-])?$/.test(gap);
    });
    if (!month || !isWhole || !isRow) continue;
    const [inYear = ANY_YEAR, ofMonth = 1] = [year?.readings[0], day?.readings[0]];
    const number = Date.UTC(inYear, month.readings[0]! - 1, ofMonth) / DAY_MS;
    const amount: Amount = { kind: 'date', number, ...(year ? {} : { lacksYear: true }) };
    return { amount, values: parts, start: parts[0]!.start, end: parts.at(-1)!.end };
  }
  return undefined;
}

/** Reads `a + b * (c - d)` with the usual precedence. Undefined where the tokens are no expression or their units do not go together. */
function expressionOf(tokens: readonly Token[]): Expression | undefined {
  const operands = tokens.flatMap((token) => ('operand' in token ? token.operand : []));
  if (operands.length === 0 || operands.length > MOST_OPERANDS) return undefined;
  // Signs and brackets are read within each other.
  if (tokens.length > 4 * MOST_OPERANDS) return undefined;
  let at = 0;
  const parts: Amount[] = [];
  const sign = (): string => {
    const token = tokens[at];
    return token && 'sign' in token ? token.sign : ' ';
  };
  const inRow = (signs: string, part: () => Amount | undefined): Amount | undefined => {
    let result = part();
    while (result && signs.includes(sign())) {
      const operator = sign();
      at++;
      const other = part();
      result = other && calculate(result, operator, other);
      if (result) parts.push(result);
    }
    return result;
  };
  const sum = (): Amount | undefined => inRow('+-', () => inRow('*/', factor));
  const factor = (): Amount | undefined => {
    const token = tokens[at++];
    if (!token || 'operand' in token) return token?.operand.amount;
    if (token.sign === '-') {
      const inner = factor();
      return inner?.kind === 'number' ? { ...inner, number: -inner.number } : undefined;
    }
    const inner = token.sign === '(' ? sum() : undefined;
    return inner && sign() === ')' && at++ > 0 ? inner : undefined;
  };
  const amount = sum();
  if (!amount || at < tokens.length) return undefined;
  const [first, last] = [operands[0]!, operands.at(-1)!];
  return { amount, operands, parts, start: first.start, end: last.end };
}

/** One step of arithmetic; undefined for a division by zero and for units that do not go together. */
export function calculate(a: Amount, operator: string, b: Amount): Amount | undefined {
  if (operator === '+' || operator === '-') return sumOf(a, operator === '-' ? -1 : 1, b);
  if (a.kind !== 'number' || b.kind !== 'number') return undefined;
  const [share, whole] = isPercent(a) ? [a, b] : [b, a];
  if (operator === '*') {
    if (isPercent(share)) return { ...whole, number: whole.number * portionOf(share) };
    const number = a.number * b.number;
    if (!a.unit || !b.unit) return { ...(a.unit ? a : b), number };
    return amountIn(number, productOf(a.unit, b.unit));
  }
  if (b.number === 0) return undefined;
  const number = a.number / b.number;
  if (isPercent(b) && !isPercent(a)) return { ...a, number: a.number / portionOf(b) };
  if (!b.unit) return { ...a, number };
  if (!a.unit) return amountIn(number);
  const units = comparable(a.unit, b.unit);
  if (units) return amountIn((number * units[0].factor) / units[1].factor);
  return amountIn(number, quotientOf(a.unit, b.unit));
}

const amountIn = (number: number, unit?: Unit): Amount => ({
  kind: 'number',
  number,
  ...(unit ? { unit } : {}),
});
const isPercent = ({ unit }: Amount): boolean => unit?.dimension === PERCENT.dimension;
/** Percent and per mille as parts of one. */
const portionOf = ({ number, unit }: Amount): number => (number * unit!.factor) / 100;

function sumOf(a: Amount, sign: 1 | -1, b: Amount): Amount | undefined {
  if (a.kind !== 'number' && a.kind === b.kind) {
    if (sign > 0) return undefined;
    if (a.kind === 'date') return amountIn(daysBetween(a, b), DAY);
    return amountIn((a.number - b.number + MINUTES_A_DAY) % MINUTES_A_DAY, MINUTE);
  }
  if (b.kind !== 'number') return undefined;
  if (a.kind !== 'number') {
    if (b.unit?.dimension !== 'time') return undefined;
    const seconds = sign * b.number * b.unit.factor;
    if (a.kind === 'clock') return { ...a, number: a.number + seconds / MINUTE.factor };
    return Math.abs(a.number + seconds / DAY.factor) < MOST_DAYS
      ? { ...a, number: dayAfter(a.number, sign * b.number, b.unit) }
      : undefined;
  }
  if (isPercent(b) && !isPercent(a)) return { ...a, number: a.number * (1 + sign * portionOf(b)) };
  const units = a.unit && b.unit && comparable(a.unit, b.unit);
  if (a.unit && b.unit && (!units || units[0].offset !== units[1].offset)) return undefined;
  const other = units ? (b.number * units[1].factor) / units[0].factor : b.number;
  const isDifference =
    (units ?? isPercent(a)) && sign < 0
      ? a.isDifference || !b.isDifference
      : a.isDifference && b.isDifference;
  return {
    ...amountIn(a.number + sign * other, a.unit ?? b.unit),
    ...(isDifference ? { isDifference } : {}),
  };
}

/** Without a year, "4 January" lies behind "30 December". */
function daysBetween(a: Amount, b: Amount): number {
  const [to, from] = [inYearOf(a, b), a.lacksYear ? b.number : inYearOf(b, a)];
  const isNextYear = (a.lacksYear || b.lacksYear) && from - to > HALF_A_YEAR;
  if (!isNextYear) return to - from;
  return a.lacksYear ? dayAfter(to, 1, { factor: YEAR }) - from : to - dayAfter(from, -1, { factor: YEAR });
}

/** A day without a year is of the year of the other one. */
function inYearOf({ number, lacksYear }: Amount, other: Amount): number {
  if (!lacksYear) return number;
  return new Date(number * DAY_MS).setUTCFullYear(new Date(other.number * DAY_MS).getUTCFullYear()) / DAY_MS;
}

/** Months and years are counted by the calendar. */
function dayAfter(day: number, count: number, { factor }: Pick<Unit, 'factor'>): number {
  if (factor !== MONTH && factor !== YEAR) return day + (count * factor) / DAY.factor;
  const date = new Date(day * DAY_MS);
  const months = Math.round(count * (factor === YEAR ? 12 : 1));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / DAY_MS;
}

/** Whether a written number, date or time states an amount, within the rounding that it shows. */
export function states({ amount: claimed, values: [value] }: Operand, amount: Amount): boolean {
  const { kind, number, unit } = amount;
  if (claimed.kind === 'date' && kind === 'date')
    return inYearOf(claimed, amount) === number || inYearOf(amount, claimed) === claimed.number;
  if (claimed.kind === 'date' || kind === 'date' || !value) return false;
  if (claimed.kind === 'clock' || kind === 'clock') {
    // "21 h" is a time of day, too, and "1 h 25" lasts 85 minutes.
    const isTime = claimed.kind === 'clock' && unit?.dimension === 'time' && LASTS.test(value.text);
    const minutes = isTime ? (number * unit.factor) / MINUTE.factor : number;
    const clocks = [claimed.clock, isTime ? 'day' : amount.clock];
    const isExact = clocks.every(Boolean) && (clocks.includes('day') || !clocks.includes('digits'));
    const off = (claimed.number - minutes) % (isExact ? MINUTES_A_DAY : MINUTES_A_DAY / 2);
    return (isTime || claimed.kind === kind) && off === 0;
  }
  const isStated = (result: number): boolean =>
    value.readings.some((reading) => isRoundedTo(value, Math.abs(reading), Math.abs(result)));
  const isPoints = value.unit?.isPoints ?? false;
  // A rise by a seventh is none of 14 percentage points.
  if (isPoints && unit && !unit.isPoints && !amount.isDifference) return false;
  if (!value.unit || !unit)
    return (
      isStated(number) || (value.unit?.dimension === PERCENT.dimension && !isPoints && isStated(100 * number))
    );
  return [value.unit, ...othersOf(value.unit)].some((own) => {
    const units = comparable(own, unit);
    const [to, from] = units ?? [];
    if (!to || !from) return false;
    const offset = amount.isDifference ? 0 : (from.offset ?? 0) - (to.offset ?? 0);
    return isStated((number * from.factor + offset) / to.factor);
  });
}
