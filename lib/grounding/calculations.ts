import type { Language } from '../text/languages.js';
import {
  calculate,
  evaluate,
  operandsIn,
  states,
  type Amount,
  type Equation,
  type Operand,
} from '../text/arithmetic.js';
import { comparable, isSameValue, isYear } from '../text/compare-values.js';
import { listField, recordField, textField, type ReplyField } from '../model/object-reply.js';
import type { Value } from '../text/read-values.js';
import { hasUnit, isConstant, unitAt } from '../text/units.js';
import type { Evidence, Place, Source } from './evidence.js';

/** How a model came to a number that it worked out. */
export interface Calculation {
  /** `2 * 26 + 13 + 70`, with the numbers that it took. */
  expression: string;
  /** The result as its text states it, with its unit. */
  result: string;
}

/** The field of a reply that holds the calculations. */
export const CALCULATIONS: ReplyField<Calculation[]> = listField(
  recordField<Calculation>({ expression: textField(), result: textField() }),
);

/** What it asks for, as a line of a prompt. */
export const CALCULATION_RULE =
  '- calculations: for each number that you worked out or converted, the expression with the numbers taken, and the result; else [].';
export const CALCULATION_EXAMPLE = '{"expression": "349 + 43", "result": "€392"}';

/** An amount, and the written numbers that it was made from. */
export interface Term {
  amount: Amount;
  operands: readonly Operand[];
}

const THOUSAND: Amount = { kind: 'number', number: 1000 };
const YEAR = unitAt('yr', 0)!.unit;
const HEAT = unitAt('°C', 0)!.unit.dimension;
/** Longest expression that is read, characters; a plain bound. */
const MOST_LENGTH = 300;
const MOST_CALCULATIONS = 60; // of a reply; a plain bound
/** With more terms, the results of all pairs would cover every small number; a plain bound. */
const MOST_TERMS = 10;
/** A bare whole number up to here may count what stands in the text itself: "three reasons"; set by hand. */
export const MOST_COUNTED = 12;
const MOST_SHARES = 20; // of the sources and the question; a plain bound
const [MINUTE, HOUR] = [60, 3600];
/** Between a unit and the next one of metres, grams and time. */
const FACTORS = [1000, 100, 60, 0.001, 0.01, 1 / 60];

/**
 * The results of the calculations whose numbers all stand: in a source or the question, as constants, or as the result of another calculation. A result is
 * given with and without the scale of its numbers: of "NOK 88 million" a model calculates with 88.
 *
 * @param pause gives way to other work
 * @param known further results
 */
export async function provenResults(
  calculations: readonly Calculation[],
  language: Language,
  standing: Standing,
  pause: () => Promise<void> | undefined,
  known: readonly Term[] = [],
): Promise<Term[]> {
  const results: Term[] = [];
  const read = calculations.slice(0, MOST_CALCULATIONS);
  const proven = new Set<Calculation>();
  for (let size = -1; size < results.length && size < MOST_CALCULATIONS * 2;) {
    size = results.length;
    for (const calculation of read.filter((one) => !proven.has(one))) {
      await pause();
      const found = resultsOf(calculation, language, standing, [...results, ...known]);
      if (found.length > 0) proven.add(calculation);
      results.push(...found);
    }
  }
  return results;
}

function resultsOf(
  { expression, result }: Calculation,
  language: Language,
  standing: Standing,
  known: readonly Term[],
): Term[] {
  const [said] = operandsIn(result.slice(0, MOST_LENGTH), language);
  const text = expression.slice(0, MOST_LENGTH);
  // Models write decimals with a point in any language.
  for (const written of new Set([language, 'en'] as const)) {
    const plain = evaluate(text, written);
    const operands = plain?.operands.map((one) =>
      standing.has(one) ? [one] : known.find(({ amount }) => isResultOf(one, amount))?.operands,
    );
    if (!plain || operands?.includes(undefined)) continue;
    const scaled = evaluate(text, written, (one) => standing.scaled(one)) ?? plain;
    const isPlain = !said || isResult(said, plain.amount);
    // The text may write the scale that the result leaves out.
    const amounts = [plain, ...(scaled.amount.number === plain.amount.number ? [] : [scaled])]
      .map(({ amount }) => amount)
      .filter((amount) => isPlain || isResult(said, amount));
    if (amounts.length === 0) continue;
    // The result names the unit where the expression has none. "87 / 109" is a share that the text gives in percent.
    const unit = said?.amount.unit?.dimension === 'share' ? undefined : said?.amount.unit;
    const inUnit = amounts.map((amount) => ({ ...(unit ? { unit } : {}), ...amount }));
    const taken = operands!.flatMap((one) => one ?? []);
    const portions = plain.operands.flatMap(({ amount }) => (standing.isPortion(amount) ? [amount] : []));
    return [...inUnit, ...plain.parts!.slice(0, -1), ...portions].map((amount) => ({
      amount,
      operands: taken,
    }));
  }
  return [];
}

/** A result may be calculated with in any unit of time: 10 h 29 min as 10.48. */
function isResultOf(operand: Operand, amount: Amount): boolean {
  if (states(operand, amount)) return true;
  const { unit } = amount;
  if (operand.amount.unit || unit?.dimension !== 'time') return false;
  return [MINUTE, HOUR].some((one) =>
    states(operand, { kind: 'number', number: (amount.number * unit.factor) / one }),
  );
}

/** A loss may be named by its size, but a gain is nothing negative. */
const isResult = (said: Operand, amount: Amount): boolean =>
  states(said, amount) && (said.amount.number >= 0 || amount.number <= 0);

/** Where the numbers of an expression stand: in a source, the question, or a table of constants. */
export class Standing {
  private readonly sources: readonly Source[];
  private readonly counts: ReadonlySet<number>;
  private readonly shares: readonly number[];
  /** What the sources and the question measure: 125 bytes are a kilobit, but 125 loaves are none. */
  private readonly dimensions: ReadonlySet<string>;
  private readonly known = new Map<string, boolean>();

  constructor(evidence: Evidence, asked: Evidence) {
    this.sources = [...evidence.sources, ...asked.sources];
    this.dimensions = new Set(
      this.sources.flatMap(({ stated }) => stated.flatMap(({ unit }) => unit?.dimension.split('/') ?? [])),
    );
    const counts = asked.sources.flatMap(({ stated }) => [
      // A ratio less one is a change, and the way back is a second one.
      1,
      2,
      ...stated.filter(isSmall).map(({ readings }) => readings[0]!),
    ]);
    this.counts = new Set(counts.flatMap((a, i) => [a, ...counts.slice(i).flatMap((b) => [a * b, a + b])]));
    const shares = this.sources.flatMap(({ stated }) => stated.flatMap(shareOfOne));
    this.shares = [...new Set(shares)].slice(0, MOST_SHARES);
  }

  has(operand: Operand): boolean {
    const key = JSON.stringify(operand.values);
    const isKnown = this.known.get(key) ?? this.stands(operand);
    this.known.set(key, isKnown);
    return isKnown;
  }

  private stands(operand: Operand): boolean {
    const [value] = operand.values as [Value];
    if (isConstantOperand(operand, this.dimensions)) return true;
    if (operand.values.length > 1 || value.kind !== 'number')
      return this.sources.some(({ values }) => operand.values.every((one) => values.has(exactly(one))));
    if (isSmall(value) && this.counts.has(operand.amount.number)) return true;
    return this.sources.some((source) => source.values.has(exactly(value))) || this.isOtherForm(value);
  }

  /** An amount in the scale that its source writes behind it. */
  scaled({ amount, values: [value] }: Operand): Amount {
    const scale = amount.kind === 'number' && !value!.scale ? this.scaleOf(amount.number) : undefined;
    return scale ? { ...amount, number: amount.number * scale } : amount;
  }

  private scaleOf(number: number): number | undefined {
    return [1e3, 1e6, 1e9].find((scale) => this.stating(number * scale, (value) => value.scale === scale));
  }

  /** Whether a bare number is what a share of the sources is of one, with one, or leaves of it. */
  isPortion({ number, unit }: Pick<Amount, 'number' | 'unit'>): boolean {
    return (
      !unit &&
      portionsOf(number).some((percent) => this.stating(percent, ({ unit: of }) => of?.dimension === 'share'))
    );
  }

  private isOtherForm({ readings: [number = 0], unit }: Value): boolean {
    const isPart = (share: number): boolean =>
      this.stating(
        number / share,
        (one) => !isYear(one) && (!unit || !one.unit || comparable(unit, one.unit) !== undefined),
      );
    if (this.shares.some((share) => (number > MOST_COUNTED || !Number.isInteger(number)) && isPart(share)))
      return true;
    if (unit) return false;
    return (
      this.scaleOf(number) !== undefined ||
      this.isPortion({ number }) ||
      FACTORS.some((factor) => this.stating(number * factor, (one) => isOtherUnit(one, factor)))
    );
  }

  private stating(number: number, test: (value: Value) => boolean): boolean {
    const exact = Number(number.toPrecision(12));
    return this.sources.some(({ values }) => values.withNumber(exact).some(test));
  }
}

/** 0.04, 1.04 and 0.96 are written for 4 %. */
function portionsOf(number: number): number[] {
  if (number <= 0 || number >= 2) return [];
  return [100 * number, 100 * Math.abs(number - 1)];
}

/** What "half", "30 %" are of one. */
function shareOfOne({ kind, readings: [number = 0], unit }: Value): number[] {
  const share = unit?.dimension === 'share' ? number / 100 : unit ? 0 : number;
  return kind === 'number' && share > 0 && share < 1 ? [share] : [];
}

/** Whether a number of a unit has a unit that is so many times as large: 340 g are 0.34 kg. */
const isOtherUnit = ({ unit }: Value, factor: number): boolean =>
  unit !== undefined && hasUnit(unit.dimension, unit.factor * factor);

/** A bare count up to {@link MOST_COUNTED}. */
export function isSmall({ kind, unit, readings: [count = 0] }: Value): boolean {
  return kind === 'number' && !unit && count <= MOST_COUNTED;
}

/** Whether the sources or the question state a number exactly, or it is a constant. */
export function isStated(operand: Operand, { sources }: Evidence): boolean {
  return (
    isConstantOperand(operand) ||
    sources.some(({ values }) => operand.values.every((value) => values.has(exactly(value))))
  );
}

/** Where the sources state a number exactly, or without the scale or percent sign that they write behind it. */
export function placesStating({ values: [value] }: Operand, { sources }: Evidence): Place[] {
  const {
    unit,
    readings: [number = 0],
  } = value!;
  const exact = exactly(value!);
  const isOther = (one: Value): boolean =>
    !unit &&
    ((one.scale !== undefined && one.readings.includes(number * one.scale)) ||
      (one.unit?.dimension === 'share' &&
        portionsOf(number).some((n) => Math.abs(n - one.readings[0]!) < 1e-9)));
  return sources.flatMap(({ index, stated }) =>
    stated
      .filter((one) => isSameValue(exact, one) || isOther(one))
      .map(({ start, end }) => ({ source: index, start, end })),
  );
}

/** A value that no rounded one states. */
function exactly(value: Value): Value {
  return { ...value, bound: undefined, isRough: false, rounding: 0, lastDigit: 0 };
}

/** The numbers of a text that stand, in order; of an equation one. */
export function termsOf(
  equations: readonly Equation[],
  isStanding: (operand: Operand) => boolean = () => true,
): Term[] {
  return equations.flatMap((sides) => {
    const standing = sides.filter(({ operands }) => operands.every(isStanding));
    return standing.find(({ operands }) => operands.length > 1) ?? standing[0] ?? [];
  });
}

/**
 * The numbers that a claimed one follows from: one that is named, converted; several named in a row, added up; two of them in one step of arithmetic; or
 * what two numbers differ by, or how many times or percent the one is of the other.
 *
 * @param named numbers that the text names, in order
 * @param said further numbers of the passage that it rests on, in order
 * @param isEnough one of the numbers that it follows from must be among these. Default: any
 * @returns undefined where it does not follow
 */
export function followsFrom(
  claim: Operand,
  named: readonly Term[],
  said: readonly Term[] = [],
  isEnough: (term: Term) => boolean = () => true,
): readonly Operand[] | undefined {
  const own = named.filter(({ operands }) => !operands.includes(claim)).slice(-MOST_TERMS);
  for (const [amount, ...from] of outcomesOf(claim, own, said))
    if (amount && from.some(isEnough) && statesResult(claim, amount))
      return from.flatMap(({ operands }) => operands);
  return undefined;
}

function* outcomesOf(
  claim: Operand,
  named: readonly Term[],
  said: readonly Term[],
): Generator<[Amount | undefined, ...Term[]]> {
  for (const term of named)
    if (term.operands.length > 1 || isConverted(claim, term.amount)) yield [term.amount, term];
  // "2.5 kg is 2500": the unit of the result is not written.
  for (const term of [...named, ...said])
    if (term.amount.unit && !claim.amount.unit) yield [calculate(term.amount, '*', THOUSAND), term];
  // Between the parts of a sum other amounts may stand: "€57 for three brushes and €24". Temperatures make no sum.
  const parts = named.filter(
    (term) =>
      countedIn(term.amount) === countedIn(claim.amount) &&
      !isYearTerm(term) &&
      term.amount.unit?.dimension !== HEAT,
  );
  for (let first = 0; first < parts.length; first++) {
    let sum: Amount | undefined = parts[first]!.amount;
    for (let last = first + 1; sum && last < parts.length; last++) {
      sum = calculate(sum, '+', parts[last]!.amount);
      yield [sum, ...parts.slice(first, last + 1)];
    }
  }
  const all = [...named, ...said];
  for (const [i, a] of all.entries())
    for (const [j, b] of all.entries()) {
      if (a === b) continue;
      const isNamed = i < named.length && j < named.length;
      const changes = isAbove(a, b) ? changesOf(a, b, claim, j < i ? b : a) : [];
      const isNext = Math.abs(i - j) === 1;
      for (const amount of [
        ...changes,
        ...(isNamed ? pairResults(a, b) : isNext ? shareOf(a, b, claim) : []),
      ])
        yield [amount, a, b];
    }
}

/** What an amount is an amount of: euros, also of euros a month. */
const countedIn = ({ unit }: Amount): string | undefined => unit?.rate?.of.dimension ?? unit?.dimension;

const isYearTerm = ({ operands: [only], operands }: Term): boolean =>
  operands.length === 1 && isYear(only!.values[0]!);
const isCount = ({ amount }: Term): boolean => amount.kind === 'number' && !amount.unit;
const isPercent = ({ unit }: Amount): boolean => unit?.dimension === 'share';

function isConverted({ amount: { unit } }: Operand, { unit: other }: Amount): boolean {
  return Boolean(unit && other && (unit.factor !== other.factor || unit.offset !== other.offset));
}

/** Whether two numbers can be compared and the first is larger; of times of day either may be the later one. */
function isAbove(a: Term, b: Term): boolean {
  return areAlike(a, b) && (a.amount.kind === 'clock' || sizeOf(a) > sizeOf(b));
}

const sizeOf = ({ amount: { number, unit } }: Term): number => number * (unit?.factor ?? 1);

/** Both have comparable units or none. */
function areAlike(a: Term, b: Term): boolean {
  const [unitA, unitB] = [a.amount.unit, b.amount.unit];
  if (isYearTerm(a) || isYearTerm(b)) return isYearTerm(a) && isYearTerm(b);
  if (unitA && unitB) return comparable(unitA, unitB) !== undefined;
  return a.amount.kind === b.amount.kind;
}

/** A count of times states no amount. A number without a unit states no amount that has one. A time of day states no duration. */
function statesResult(claim: Operand, amount: Amount): boolean {
  const isSpan = amount.kind === 'number' && amount.unit?.factor !== HOUR;
  if (claim.amount.kind === 'clock' && isSpan) return false;
  const isAmount = claim.amount.unit && !isPercent(claim.amount);
  if (claim.values[0]!.isMultiple ? amount.unit : isAmount && amount.kind === 'number' && !amount.unit)
    return false;
  return states(claim, amount);
}

/** @param base of a change in percent: the number before it */
function changesOf(
  a: Term,
  b: Term,
  { values: [value], amount }: Operand,
  base: Term,
): (Amount | undefined)[] {
  if (value!.isMultiple) return [calculate(a.amount, '/', b.amount)];
  const more = calculate(a.amount, '-', b.amount);
  if (isYearTerm(a)) return more ? [{ ...more, unit: YEAR }] : [];
  if (!isPercent(amount)) return [more];
  // Shares of shares are points.
  if (isPercent(a.amount)) return [more];
  return [more && calculate(more, '/', base.amount)];
}

/** "87 of the 109 churches", "half of the 46": numbers side by side. */
function shareOf(a: Term, b: Term, claim: Operand): (Amount | undefined)[] {
  const isPart = isCount(a) && a.amount.number < 1;
  return [
    isPart ? calculate(a.amount, '*', b.amount) : undefined,
    isPercent(claim.amount) && isCount(a) && isCount(b) ? calculate(a.amount, '/', b.amount) : undefined,
  ];
}

function pairResults(a: Term, b: Term): (Amount | undefined)[] {
  const [x, y] = [a.amount, b.amount];
  if (x.kind === 'date' || x.kind === 'clock')
    return [calculate(x, '-', y), ...(y.kind === 'number' ? [calculate(x, '+', y)] : [])];
  if (y.kind !== 'number') return [];
  if (isYearTerm(a) || isYearTerm(b)) return [];
  const share = isPercent(x) !== isPercent(y);
  const [product, part] = [calculate(x, '*', y), calculate(x, '/', y)];
  const more = isPercent(y) && share ? [calculate(x, '-', y), calculate(x, '+', y)] : [];
  return [
    ...(share || isCount(a) || isCount(b) || x.unit?.rate || y.unit?.rate ? [product] : []),
    part,
    ...more,
  ];
}

/** Whether a number needs no source: it says how many of one unit another one has. */
export function isConstantOperand({ amount, values }: Operand, dimensions?: ReadonlySet<string>): boolean {
  const [value] = values as [(typeof values)[0]];
  const isPlain = !amount.unit || amount.unit.dimension === 'time';
  const written = /\d[\d.,]*/.exec(value.text)?.[0] ?? String(value.readings[0]);
  return amount.kind === 'number' && isPlain && isConstant(amount.number, written, dimensions);
}
