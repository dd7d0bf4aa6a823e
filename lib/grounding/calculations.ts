import type { Language } from '../text/languages.js';
import {
  calculate,
  equationsIn,
  evaluate,
  operandsIn,
  states,
  type Amount,
  type Operand,
} from '../text/arithmetic.js';
import { comparable, isYear } from '../text/compare-values.js';
import { list, numeric, record, text, type ReplyField } from '../model/object-reply.js';
import type { Value } from '../text/read-values.js';
import { isConstant } from '../text/units.js';
import type { Evidence } from './evidence.js';

/** How a model came to a number that it worked out. */
export interface Calculation {
  /** `2 * 26 + 13 + 70`, with the numbers that it took. */
  expression: string;
  /** The result as its text states it, with its unit. */
  result: string;
  /** Where the numbers come from: numbers of sources from 1, or seconds of a video. */
  sources: readonly (number | undefined)[];
}

/** The field of a reply that holds the calculations. */
export const CALCULATIONS: ReplyField<Calculation[]> = list(
  record<Calculation>({ expression: text(), result: text(), sources: list(numeric()) }),
);

/** What it asks for, as a line of a prompt. @param where the numbers come from */
export const calculationRule = (where: string): string =>
  `- calculations: for each number that you worked out or converted, the expression with the numbers taken, the result, and ${where}; else [].`;
export const CALCULATION_EXAMPLE = '{"expression": "349 + 43", "result": "€392", "sources": [1]}';

/** An exact amount, and the written numbers that it was made from. */
export interface Term {
  amount: Amount;
  operands: readonly Operand[];
}

/** Longest expression that is read, characters. */
const MOST_LENGTH = 300;
const MOST_CALCULATIONS = 60;
/** With more terms, the results of all pairs would cover every small number. */
const MOST_TERMS = 10;

/**
 * The results of the calculations whose numbers all stand. A result may be calculated with in the next one.
 * @param isStanding whether a number stands in a source, the question, or a table of constants
 */
export function provenResults(
  calculations: readonly Calculation[],
  language: Language,
  isStanding: (operand: Operand) => boolean,
): Term[] {
  const results: Term[] = [];
  for (const { expression, result } of calculations.slice(0, MOST_CALCULATIONS)) {
    const before = (operand: Operand): readonly Operand[] | undefined =>
      results.find(({ amount }) => states(operand, amount))?.operands;
    // Models write decimals with a point in any language.
    for (const written of new Set([language, 'en'] as const)) {
      const read = evaluate(expression.slice(0, MOST_LENGTH), written);
      const operands = read?.operands.map((one) => (isStanding(one) ? [one] : before(one)));
      if (!read || !operands?.every((one) => one !== undefined)) continue;
      const [said] = operandsIn(result.slice(0, MOST_LENGTH), language);
      if (said && !states(said, read.amount)) continue;
      // The result names the unit where the expression has none.
      const unit = read.amount.unit ?? said?.amount.unit;
      const amount: Amount = said && unit && !read.amount.unit ? inUnit(read.amount, said) : read.amount;
      results.push({ amount, operands: operands.flatMap((one) => one ?? []) });
      break;
    }
  }
  return results;
}

/** The results of calculations whose numbers stand in the evidence or the question, or are constants. */
export function resultsOf(
  calculations: readonly Calculation[],
  { sources: [...sources] }: Evidence,
  asked: Evidence,
): Term[] {
  const language = sources[0]?.reading ?? 'en';
  const all = [...sources, ...asked.sources];
  return provenResults(
    calculations,
    language,
    (operand) =>
      isConstantOperand(operand) ||
      all.some(({ values }) => operand.values.every((value) => values.has(exactly(value)))),
  );
}

/** A value that no rounded one states. */
export function exactly(value: Value): Value {
  return { ...value, bound: undefined, isRough: false, rounding: 0, lastDigit: 0 };
}

function inUnit(amount: Amount, { amount: { unit } }: Operand): Amount {
  // "87 / 109" is a share that the text gives in percent.
  return unit && unit.dimension !== 'share' ? { ...amount, unit } : amount;
}

/** Whether a calculation that could not be proven has this result. */
export function isResultOf(
  claim: Operand,
  calculations: readonly Calculation[],
  language: Language,
): boolean {
  return calculations.some(({ result }) =>
    operandsIn(result.slice(0, MOST_LENGTH), language).some((one) => states(claim, one.amount)),
  );
}

/** The calculations that a text shows: each expression with what it is said to be equal to, and single numbers. */
export interface Shown {
  /** Numbers, and results of expressions, whose numbers all stand, in order. */
  terms: readonly Term[];
  /** Numbers that are written as equal to an expression: with its result, or undefined where its numbers do not all stand. */
  equals: ReadonlyMap<Operand, Term | undefined>;
  operands: readonly Operand[];
  /** Those of expressions. */
  calculated: readonly Operand[];
}

export function calculationsIn(
  written: string,
  language: Language,
  isStanding: (operand: Operand) => boolean,
): Shown {
  const terms: Term[] = [];
  const equals = new Map<Operand, Term | undefined>();
  const equations = equationsIn(written, language);
  for (const sides of equations) {
    const standing = sides.filter((side) => side.operands.every(isStanding));
    const expression = sides.find(({ operands }) => operands.length > 1);
    const shown = expression && standing.includes(expression) ? expression : undefined;
    const single = standing.find(({ operands }) => operands.length === 1);
    // Equal calculations count once.
    const term = shown ?? single;
    if (term) terms.push({ amount: term.amount, operands: term.operands });
    if (shown && !/[*×·x÷/]/.test(written.slice(shown.start, shown.end)))
      terms.push(...shown.operands.map((one) => ({ amount: one.amount, operands: [one] })));
    if (!expression) continue;
    for (const { operands } of sides) if (operands.length === 1) equals.set(operands[0]!, shown);
  }
  const all = equations.flat().map(({ operands }) => operands);
  const calculated = all.filter(({ length }) => length > 1);
  return { terms, equals, operands: all.flat(), calculated: calculated.flat() };
}

/**
 * The numbers that a claimed one follows from: one of the terms, converted; several in a row, added up; or two of them in one step of arithmetic.
 *
 * @param isUsable of the numbers that it follows from, one must be among these. Default: any
 * @returns undefined where it does not follow
 */
export function followsFrom(
  claim: Operand,
  given: readonly Term[],
  isUsable: (term: Term) => boolean = () => true,
): readonly Operand[] | undefined {
  const terms = given.filter(({ operands }) => !operands.includes(claim)).slice(0, MOST_TERMS);
  const found = (amount: Amount | undefined, ...from: readonly Term[]): readonly Operand[] | undefined =>
    amount && from.some(isUsable) && statesResult(claim, amount)
      ? from.flatMap(({ operands }) => operands)
      : undefined;
  for (const term of terms) {
    const isResult = term.operands.length > 1 || isConverted(claim, term.amount);
    const direct = isResult ? found(term.amount, term) : undefined;
    if (direct) return direct;
  }
  // Between the parts of a sum counts may stand: "€57 for three brushes and €24".
  const parts = terms.filter(({ amount: { unit } }) => Boolean(unit) === Boolean(claim.amount.unit));
  for (const [i, first] of parts.entries()) {
    let sum: Amount | undefined = first.amount;
    for (let last = i + 1; sum && last < parts.length; last++) {
      if (isYearTerm(first) || isYearTerm(parts[last]!)) break;
      sum = calculate(sum, '+', parts[last]!.amount);
      const all = found(sum, ...parts.slice(i, last + 1));
      if (all) return all;
    }
  }
  for (const a of terms)
    for (const b of terms) {
      if (a === b) continue;
      for (const amount of pairResults(a, b, claim)) {
        const pair = found(amount, a, b);
        if (pair) return pair;
      }
    }
  return undefined;
}

/**
 * What two numbers of one passage say together: the difference of "from 310 to 540", or how many times or percent the one is of the other; the share of "nine
 * out of ten"; "half of" a number.
 *
 * @param given in the order of the text
 */
export function isSaidBy(
  claim: Operand,
  given: readonly Term[],
  isUsable: (term: Term) => boolean = () => true,
): readonly Operand[] | undefined {
  const terms = given.slice(0, 2 * MOST_TERMS);
  for (const [i, a] of terms.entries())
    for (const [j, b] of terms.entries()) {
      if (a === b || (!isUsable(a) && !isUsable(b))) continue;
      const isNext = Math.abs(i - j) === 1;
      const amounts = [
        ...(isAbove(a, b) ? changesOf(a, b, claim) : []),
        ...(isNext && isPercent(claim.amount) && isCount(a) && isCount(b)
          ? [calculate(a.amount, '/', b.amount)]
          : []),
        ...(isWord(a) && !isCount(b) ? [calculate(a.amount, '*', b.amount)] : []),
      ];
      if (amounts.some((amount) => amount && statesResult(claim, amount)))
        return [...a.operands, ...b.operands];
    }
  return undefined;
}

/** "Half", "twice": an amount in words. */
const isWord = ({ amount, operands: [only] }: Term): boolean =>
  !amount.unit && only?.values[0]?.isSpelled === true && /^\p{L}+$/u.test(only.values[0].text);
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

const sizeOf = ({ amount: { number, unit } }: Term): number => number.value * (unit?.factor ?? 1);

/** Both have comparable units or none. */
function areAlike(a: Term, b: Term): boolean {
  const [unitA, unitB] = [a.amount.unit, b.amount.unit];
  if (isYearTerm(a) || isYearTerm(b)) return isYearTerm(a) && isYearTerm(b);
  return unitA && unitB ? comparable(unitA, unitB) !== undefined : a.amount.kind === b.amount.kind;
}

/** A count of times is no amount, and the other way round. */
function statesResult(claim: Operand, amount: Amount): boolean {
  const [value] = claim.values as [(typeof claim.values)[0]];
  if (value.isMultiple && amount.unit) return false;
  return states(claim, amount);
}

function changesOf(a: Term, b: Term, { values: [value], amount }: Operand): (Amount | undefined)[] {
  if (value!.isMultiple) return [calculate(a.amount, '/', b.amount)];
  const more = calculate(a.amount, '-', b.amount);
  if (!isPercent(amount)) return [more];
  // Shares of shares are points.
  if (isPercent(a.amount)) return [more];
  return [a, b].map((base) => more && calculate(more, '/', base.amount));
}

function pairResults(a: Term, b: Term, claim: Operand): (Amount | undefined)[] {
  const [x, y] = [a.amount, b.amount];
  if (x.kind === 'date' || x.kind === 'clock')
    return [calculate(x, '-', y), ...(y.kind === 'number' ? [calculate(x, '+', y)] : [])];
  if (y.kind !== 'number') return [];
  if (isYearTerm(a) !== isYearTerm(b)) return [];
  const change = isAbove(a, b) ? changesOf(a, b, claim) : [];
  if (isYearTerm(a)) return change;
  const share = isPercent(x) !== isPercent(y);
  const [product, part] = [calculate(x, '*', y), calculate(x, '/', y)];
  const both = x.unit && y.unit && areAlike(a, b) ? [calculate(x, '+', y)] : [];
  const more = isPercent(y) && share ? [calculate(x, '-', y), calculate(x, '+', y)] : [];
  const isRatio = part !== undefined && !part.unit;
  const isWanted = !isRatio || claim.values[0]!.isMultiple || isPercent(claim.amount) || isCount(a);
  return [
    ...change,
    ...both,
    ...(share || isCount(a) || isCount(b) || x.unit?.rate || y.unit?.rate ? [product] : []),
    ...(isWanted ? [part] : []),
    ...more,
  ];
}

/** Whether a number needs no source: it says how many of one unit another one has. */
export function isConstantOperand({ amount, values }: Operand): boolean {
  const [value] = values as [(typeof values)[0]];
  const isPlain = !amount.unit || amount.unit.dimension === 'time';
  const written = /\d[\d.,]*/.exec(value.text)?.[0] ?? String(value.readings[0]);
  return amount.kind === 'number' && isPlain && isConstant(amount.number.value, written);
}
