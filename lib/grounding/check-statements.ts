import { yielder } from '../core/async.js';
import type { Language } from '../text/languages.js';
import {
  equationsIn,
  operandOf,
  operandsIn,
  states,
  type Equation,
  type Operand,
} from '../text/arithmetic.js';
import { comparable, isSameValue, isYear } from '../text/compare-values.js';
import { readValues, type Value } from '../text/read-values.js';
import {
  followsFrom,
  isConstantOperand,
  isSmall,
  isStated,
  MOST_COUNTED,
  placesStating,
  provenResults,
  Standing,
  termsOf,
  type Calculation,
  type Term,
} from './calculations.js';
import { Evidence, type Overlap, type Place, type Source } from './evidence.js';
import { namesIn } from './names.js';
import { findQuotation, NEGATIONS, QUOTED, QUOTED_SPEECH, comparedWords } from './quotations.js';
import type { Finding, Reason } from './unsupported.js';
import { ValueIndex } from './value-index.js';

/**
 * The checks that code can make of what a model writes, for every tool: {@link Evidence} holds the sources or the transcript, and
 * {@link checkStatements} says of each statement which of its values, names and quotations stand nowhere, and whether its words do. Meaning is not
 * judged.
 *
 * An answer: one source for each passage; a statement for each sentence, with the sources that it cites and the places of its quotations.
 * A summary: `Evidence.ofTranscript`; a statement for each sentence, key point (its `quotation` looked up with `findQuotation`, near the
 * time that the model named) and section; `evidence.sentenceTimeOf(place)` is the second to link to. A hard finding is repaired or marked, a key point
 * with one is dropped. {@link groundingOf} is the share for the field `grounding`.
 */

/** A sentence, key point, section or other statement of a model. */
export interface Statement {
  text: string;
  /** Indices of the sources that it cites. Default: none, then it may rest on any. */
  cited?: readonly number[];
  /** Where the words stand that the model quotes for it. */
  quoted?: readonly Place[];
  /** Words that it writes as code, each line as one string. */
  code?: readonly string[];
}

/** What is known about the statements. */
export interface CheckOptions {
  /** Language of the statements; undefined where it is none of the six: then names and words are not compared. */
  language: Language | undefined;
  /** Words that a statement may use without evidence: the question. Default none. */
  given?: string;
  /** How the model worked out numbers that stand nowhere. Default none. */
  calculations?: readonly Calculation[];
  /** The current date, which needs no evidence. Default: none. */
  today?: Date;
  /** Aborts the checks. */
  signal?: AbortSignal;
}

/** Findings about one statement. */
export interface Check {
  /** Values, names and quotations that stand nowhere, and at last `few_words_in_common`. Empty for a statement that holds. */
  findings: readonly Finding[];
  /** How many values, names and quotations were looked up. */
  facts: number;
  /** How many of its words the evidence has; undefined where languages differ, and for a statement without content words. */
  overlap?: Overlap;
  /** The sources that hold it best: those that it cites, unless another one has what they lack. Empty where none has anything of it. */
  sources: readonly number[];
  /** Where the numbers stand that its quotations lack, and those from which its own were calculated. */
  numbers: readonly Place[];
}

const ORDERS = new Set([100, 1000, 1e6, 1e9]);
/** Words in quotation marks are taken for a quotation from this number on; set by hand. */
const LEAST_QUOTED = 4;
const QUOTATION = /(?<![\p{L}\p{N}.,!?])(?:"(?=\S)([^"]{12,300})(?<=\S)"|[“„«]([^“”„«»]{12,300})[”“»])/gu;
/** "Step 5:", "2.", "(3)" at the beginning: the number of a step or an item. A date may begin a sentence too: "17. Januar". */
const LABEL = /^[^\p{L}\p{N}]*(?:\p{L}+\s\(?\d{1,3}[:)]|\(?\d{1,3}[.:)])(?=\s|$)/u;
const MARKS_BEFORE = /^[^\p{L}\p{N}"“„«‘'(]+(?!\p{N})/u;
const CODE_BREAK = /[\s`(){}[\]<>,;]+/;
/** A number or a string of code, as a piece of {@link CODE_BREAK} has it: no key, which a colon follows. */
const OWN_VALUE = /^(?:["']?[\d.]+["']*|["'][^"':]*["']?|[^"':=/]+["'])$/;
/** `// before`, `# then`: prose within code. */
const COMMENT = /^(?:\/\/|#\s)/;
/** A statement that only leads to what follows claims nothing. */
const LEAD_IN = /[:?]["'”»)*_\s]*$/u;
/**
 * Below this share of words in common a statement is not supported. `npm run bench -- replies`: with .35, 6 fewer of 206 wrong sentences are found;
 * with .5, 53 of 243 right ones are listed, not 30.
 */
const FEW_WORDS = 0.43;
/**
 * From this share of words in common a number that stands nowhere is taken for an altered one of the source; among other words it may have been worked
 * out. With .6, 5 of 26 right answers without calculations are refused, not 1; with .7, 5 more of 50 false ones are answered (replies of two
 * models, 2026, not part of the project).
 */
const WORDS_OF_SOURCE = 0.65;
/** A statement that speaks of the sources: their names count as found, and where it says what they lack, its words cannot stand there. */
const OF_SOURCES = new Set(
  'source sources passage passages quelle quellen fuente fuentes fonti fonte fontes'.split(' '),
);
/** So far apart stand a source and the "not" of what it does not say, words; 2 to 10 give the same figures (`npm run bench -- replies`). */
const NEAR_WORDS = 5;
/** A few words say little: so many more are counted, of which this share is found. With none, 6 more of 243 right sentences are listed (as above). */
const PRIOR_WORDS = 2;
const PRIOR_SHARE = 0.6;
/** A source corrects a wrong number where it has at least this share of the statement's words; .2 to .5 differ by 4 of 206 wrong sentences (as above). */
const CORRECTS = 0.35;
/** A value may be calculated from those of so many statements before and after; set by hand. */
const NEIGHBOURS = 2;
/** A result may itself be calculated with, so many times; a plain bound. */
const STEPS = 4;
/** A number of fewer than three digits follows from numbers of another statement only together with one of its own; set by hand. */
const LEAST_TELLING = 100;
/** More numbers of one passage are not compared with each other; a plain bound. */
const MOST_IN_PASSAGE = 12;

/** Whether a text only leads to what follows, or asks: then it claims nothing. */
export function isLeadIn(text: string): boolean {
  return LEAD_IN.test(text);
}

/** A value, name or quotation of a statement, and the sources that have it. */
interface Fact {
  reason: Reason;
  about: string;
  sources: readonly number[];
  /** It needs no source: it stands in the question, or follows from other values. */
  isFree: boolean;
  value?: Value;
  /** The numbers that it was calculated from. */
  operands?: readonly Operand[];
}

/** What statements are compared with. */
interface Material {
  evidence: Evidence;
  /** What needs no evidence, as its only source. */
  given: Evidence;
  /** Of the statements. */
  language: Language | undefined;
}

/** A statement with what was looked up for it. */
interface Looked {
  statement: Statement;
  /** What was read of it. */
  text: string;
  facts: Fact[];
  overlaps: readonly Overlap[];
}

/**
 * Checks the statements of one text, in order: values may be calculated from those of the neighbours. Takes time in proportion to the number of
 * statements, whatever the evidence, and gives way to other work.
 *
 * @throws the signal's reason when it fires meanwhile
 */
export async function checkStatements(
  statements: readonly Statement[],
  evidence: Evidence,
  options: CheckOptions,
): Promise<Check[]> {
  const { language, signal, today } = options;
  const pause = yielder(signal);
  const year = today?.getUTCFullYear() ?? '';
  const given = await Evidence.of([{ text: `${options.given ?? ''}\n${year}` }], language, signal);
  const material: Material = { evidence, given, language };
  const words = [options.given, ...OF_SOURCES].join(' ');
  const looked: Looked[] = [];
  for (const statement of statements) {
    const text = isLeadIn(statement.text) ? '' : withoutLabel(statement.text, language);
    looked.push({
      statement,
      text,
      facts: [
        ...valueFacts(text, material).map((fact) => withoutOthers(fact, statement, evidence)),
        ...quotationFacts(text, material),
        ...nameFacts(text, material),
        ...(statement.code ?? []).map((code) => codeFact(code, material)),
      ],
      overlaps: saysWhatIsMissing(text) ? [] : evidence.overlaps(text, language, words),
    });
    await pause();
  }
  await new Calculator(looked, material, options.calculations).run(pause);
  const checks: Check[] = [];
  for (const one of looked) {
    await pause();
    checks.push(checkOf(one, material));
  }
  return checks;
}

/**
 * Share of the statements whose facts and words stand in the evidence, 0..1 to two decimals: the field `grounding`.
 * @returns undefined where nothing could be compared
 */
export function groundingOf(checks: readonly Check[]): number | undefined {
  const told = checks.filter(({ facts, overlap }) => facts > 0 || overlap);
  const held = told.filter(({ findings }) => findings.length === 0);
  return told.length === 0 ? undefined : Math.round((100 * held.length) / told.length) / 100;
}

/** The sources for which a test holds. */
function sourcesWith(evidence: Evidence, test: (source: Source) => boolean): number[] {
  return evidence.sources.filter(test).map(({ index }) => index);
}

/** "The sources do not say who paid.": a source and a "not" close to each other. */
export function saysWhatIsMissing(text: string): boolean {
  const words = comparedWords(text);
  const placesOf = (known: ReadonlySet<string>): number[] =>
    words.flatMap((word, at) => (known.has(word) ? [at] : []));
  const negations = placesOf(NEGATIONS);
  return placesOf(OF_SOURCES).some((at) => negations.some((not) => Math.abs(at - not) <= NEAR_WORDS));
}

/** Without the number of a step and signs before the first word. */
function withoutLabel(text: string, language: Language | undefined): string {
  const rest = text.replace(LABEL, '').trimStart();
  const [first] = readValues(rest.slice(0, 20), language ?? 'en');
  const isDate = first?.kind === 'month' && first.start === 0;
  return (isDate ? text : rest).replace(MARKS_BEFORE, '');
}

function valueFacts(text: string, { evidence, given, language }: Material): Fact[] {
  const { isSpoken } = evidence;
  // "GPT-4", "indole-3-carbinol": parts of names.
  const values = readValues(text, language ?? 'en').filter(
    ({ start }) => !/\p{L}[-–]$/u.test(text.slice(Math.max(0, start - 2), start)),
  );
  // Numbers that are spoken in a language that is not known cannot be missed.
  const isOpen = isSpoken && evidence.sources.some(({ reading }) => !reading);
  return values.map((value): Fact => {
    const isCount = isBareCount(value) && (value.isSpelled || (isSpoken && !value.isMultiple));
    // A month in words may have been "last month" when it was said.
    const isDay = isSpoken && (value.kind === 'month' || value.kind === 'weekday');
    const isFree = isOpen || isCount || isDay || given.sources[0]!.values.has(value);
    const sources = sourcesWith(evidence, (source) => source.values.has(value, isSpoken));
    return { reason: 'value', about: value.text, sources, isFree, value };
  });
}

/** A number with a unit does not stand in speech where its quotation states another one of this unit, and the words around do not state it. */
function withoutOthers(fact: Fact, { quoted = [] }: Statement, evidence: Evidence): Fact {
  const { value, sources } = fact;
  if (!evidence.isSpoken || !value?.unit || quoted.length === 0 || sources.length === 0) return fact;
  const said = quoted.map((place) => around(place, evidence));
  const { stated } = evidence.sources[0]!;
  const isIn = (places: readonly Place[], { start, end }: Value): boolean =>
    places.some((place) => place.start <= start && end <= place.end);
  const others = stated.filter((one) => isIn(quoted, one) && one.unit && comparable(one.unit, value.unit!));
  const isSaid = new ValueIndex();
  for (const one of stated) if (isIn(said, one)) isSaid.add(one);
  return others.length > 0 && !isSaid.has(value, true) ? { ...fact, sources: [] } : fact;
}

function isBareCount({ kind, unit, readings, isRough, isSpelled, text }: Value): boolean {
  const [count] = readings;
  if (kind !== 'number' || unit || isRough) return false;
  // "Hundreds", "thousands": no number.
  const isOrder = isSpelled && ORDERS.has(count!) && !text.includes(' ');
  return isOrder || (Number.isInteger(count) && count! <= MOST_COUNTED);
}

function quotationFacts(text: string, { evidence, given, language }: Material): Fact[] {
  const isRead = evidence.sources.some(({ reading }) => reading === language);
  if (!isRead) return [];
  return [...text.matchAll(QUOTATION)].flatMap(([, straight, curved]): Fact[] => {
    const quoted = straight ?? curved!;
    if (comparedWords(quoted).length < LEAST_QUOTED) return [];
    const found = findQuotation(quoted, evidence);
    const holds = found !== undefined && found.share >= (evidence.isSpoken ? QUOTED_SPEECH : QUOTED);
    const sources = holds ? [found.place.source] : [];
    const isFree = findQuotation(quoted, given)?.isVerbatim ?? false;
    return [{ reason: 'quotation', about: quoted, sources, isFree }];
  });
}

function nameFacts(text: string, { evidence, given, language }: Material): Fact[] {
  const readings = new Set(evidence.sources.map(({ reading }) => reading));
  const isAcross = !readings.has(language);
  // A script other than Latin writes names in its own letters.
  if (!language || (isAcross && readings.has(undefined))) return [];
  // A single word of a German run may be any noun.
  const isLoose = isAcross || language === 'de';
  return namesIn(text, language, readValues(text, language), isAcross).map(({ text: about }): Fact => {
    const has = ({ names }: Source): boolean => (isLoose ? names.hasAny(about) : names.has(about));
    return { reason: 'name', about, sources: sourcesWith(evidence, has), isFree: has(given.sources[0]!) };
  });
}

/**
 * A line of code stands in a source that has all of its pieces between white space, brackets and the like. A comment is no code. Where only numbers and
 * strings are missing, they may be the asker's own.
 */
function codeFact(code: string, { evidence, given }: Material): Fact {
  const pieces = code
    .toLowerCase()
    .split(CODE_BREAK)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const missingIn = ({ text, about = '' }: Source): string[] => {
    const lower = `${text}\n${about}`.toLowerCase();
    return pieces.filter((piece) => !lower.includes(piece) && !lower.includes(bareOf(piece)));
  };
  const has = (source: Source): boolean => missingIn(source).every((piece) => OWN_VALUE.test(piece));
  const isFree = COMMENT.test(code) || missingIn(given.sources[0]!).length === 0;
  return { reason: 'name', about: code, sources: sourcesWith(evidence, has), isFree };
}

/** A key or a word of code without its quotation marks and colon. */
function bareOf(piece: string): string {
  return /^["'`]?([\w.-]{2,60})["'`]?:$/.exec(piece)?.[1] ?? piece;
}

/** The sources that a statement cites and quotes. */
function ownSources({ cited = [], quoted = [] }: Statement): number[] {
  return [...new Set([...cited, ...quoted.map(({ source }) => source)])];
}

/** The words that a statement rests on: its quotations; without any, the sentences that its words stand in. */
function quotedBy({ statement, overlaps }: Looked, evidence: Evidence): readonly Place[] {
  const { quoted = [] } = statement;
  const best = bestOf(overlaps);
  return quoted.length > 0 || !best ? quoted : [evidence.sentencesAt(best.place)];
}

function bestOf(overlaps: readonly Overlap[]): Overlap | undefined {
  return [...overlaps].sort((a, b) => shareOf(b) - shareOf(a))[0];
}

/** The number of a fact that may be a result: it stands in none of the sources that its statement cites. */
interface Claim {
  fact: Fact;
  operand: Operand;
}

/** What a statement calculates, and from what it may have been calculated. */
interface Sums {
  facts: readonly Fact[];
  claims: readonly Claim[];
  equations: readonly Equation[];
  /** Numbers of the words that it rests on. */
  said: readonly Term[];
}

/**
 * Proves numbers that stand nowhere: by a calculation that the model gives for them or that the text shows, and by the numbers that stand with them. A
 * number that may have been calculated in another way is left open.
 */
class Calculator {
  private readonly language: Language;
  private readonly standing: Standing;
  private results: readonly Term[] = [];
  /** Numbers of the question, and the current year. */
  private readonly asked: readonly Term[];

  constructor(
    private readonly looked: readonly Looked[],
    private readonly material: Material,
    private readonly calculations: readonly Calculation[] = [],
  ) {
    const { evidence, given, language = 'en' } = material;
    this.language = language;
    this.asked = termsOf(equationsIn(given.sources[0]!.text, language));
    this.standing = new Standing(evidence, given);
  }

  async run(pause: () => Promise<void> | undefined): Promise<void> {
    const { calculations } = this;
    this.results = await provenResults(calculations, this.language, this.standing, pause);
    const claimed = this.looked.map((one) => this.claimsOf(one));
    if (claimed.every((claims) => claims.length === 0)) return;
    const sums: Sums[] = [];
    for (const [i, one] of this.looked.entries()) {
      await pause();
      sums.push(this.sumsOf(one, claimed[i]!));
    }
    let isChanged = true;
    let terms: Term[][] = [];
    for (let step = 0; step < STEPS && isChanged; step++) {
      terms = [];
      for (const own of sums) {
        await pause();
        terms.push(termsOf(own.equations, (one) => this.stands(one, own)));
      }
      isChanged = false;
      for (const [at, own] of sums.entries()) {
        await pause();
        for (const { fact, operand } of own.claims) {
          fact.operands ??= this.proofOf(operand, own, terms, at);
          isChanged ||= fact.operands !== undefined && !fact.isFree;
          fact.isFree = fact.operands !== undefined;
        }
      }
      // A number of the text that is proven may be calculated with.
      const known = claimed
        .flat()
        .flatMap(({ fact: { operands }, operand: { amount } }): Term[] =>
          operands ? [{ amount, operands }] : [],
        );
      if (isChanged)
        this.results = await provenResults(calculations, this.language, this.standing, pause, known);
    }
  }

  private claimsOf({ text, facts, statement }: Looked): Claim[] {
    const own = ownSources(statement);
    const isIn = (sources: readonly number[]): boolean =>
      sources.some((source) => own.length === 0 || own.includes(source));
    const open = facts.filter(({ value, isFree, sources }) => value && !isFree && !isIn(sources));
    const operands = open.length === 0 ? [] : operandsIn(text, this.language);
    return open.flatMap((fact) => {
      const operand = operands.find(({ values }) => values.some((value) => isSamePlace(value, fact.value!)));
      return operand ? [{ fact, operand }] : [];
    });
  }

  /** The words that a statement rests on are its quotations, and those around the numbers that it states. */
  private sumsOf(one: Looked, claims: readonly Claim[]): Sums {
    const { language, material } = this;
    const { evidence } = material;
    const stating = one.facts.filter(({ value, sources }) => value && sources.length > 0 && isTelling(value));
    const stated = stating.map(({ value }) => operandOf([value!]));
    const places = [...quotedBy(one, evidence), ...placesOf(stated, one, material)];
    const texts = new Map(
      places.map(({ source, ...place }) => {
        const reading = evidence.sources[source]!.reading ?? language;
        return [evidence.textAt(around({ source, ...place }, evidence)), reading];
      }),
    );
    const said = [...texts].flatMap(([text, reading]) => termsOf(equationsIn(text, reading)));
    return { facts: one.facts, claims, equations: equationsIn(one.text, language), said };
  }

  /** Small counts stand anywhere. One that is calculated with stands in the question, or in the words that the statement rests on. */
  private stands(operand: Operand, { facts, said }: Sums): boolean {
    if (isStated(operand, this.material.given)) return true;
    const [value] = operand.values as [Value];
    if (operand.values.length === 1 && isSmall(value))
      return said.some(({ operands }) => operands.some(({ values: [one] }) => isSameValue(value, one!)));
    const isFound = operand.values.every((one) =>
      facts.some(
        (fact) => fact.value && isSamePlace(fact.value, one) && (fact.isFree || fact.sources.length > 0),
      ),
    );
    return isFound || this.standing.has(operand);
  }

  /** The numbers that a claimed one was calculated from; undefined where nothing shows it. */
  private proofOf(
    claim: Operand,
    { equations, said }: Sums,
    terms: readonly (readonly Term[])[],
    at: number,
  ): readonly Operand[] | undefined {
    const result = this.results.find(({ amount }) => states(claim, amount));
    if (result) return result.operands;
    const own = terms[at]!.filter(({ operands }) => operands.every(({ start }) => start !== claim.start));
    const sides = equations.find((all) => all.some(isPartOf(claim))) ?? [];
    const shown = sides.find(({ operands }) => operands.length > 1);
    if (shown && isPartOf(claim)(shown)) return isConstantOperand(claim) ? [] : undefined;
    if (shown) return own.find((term) => term === shown && states(claim, term.amount))?.operands;
    const near = terms.slice(Math.max(0, at - NEIGHBOURS), at).flat();
    const next = terms.slice(at + 1, at + 1 + NEIGHBOURS).flat();
    const isEnough = (term: Term): boolean =>
      isTelling(claim.values[0]!) || claim.amount.unit !== undefined || own.includes(term);
    const passage = said
      .filter(({ operands: [first] }) => !first!.values[0]!.isOrdinal)
      .slice(0, MOST_IN_PASSAGE)
      .map(yearOf);
    return followsFrom(claim, [...next, ...near, ...own], [...passage, ...this.asked], isEnough);
  }
}

/** "May 2019" as its year, to count years from. */
function yearOf(term: Term): Term {
  const [, year, ...more] = term.operands[0]!.values;
  if (!year || !isYear(year) || more.length > 0) return term;
  const operand = operandOf([year]);
  return { amount: operand.amount, operands: [operand] };
}

const isPartOf =
  ({ start }: Operand) =>
  ({ operands }: Term): boolean =>
    operands.some((one) => one.start === start);

/** The sentences of a place with the ones before and after. */
function around({ source, start, end }: Place, evidence: Evidence): Place {
  const { length } = evidence.sources[source]!.text;
  const whole = evidence.sentencesAt({ source, start, end });
  const wide = { source, start: Math.max(0, whole.start - 2), end: Math.min(length, whole.end + 2) };
  return evidence.sentencesAt(wide);
}

/** Whether a number has so many digits that chance seldom gives it. */
function isTelling({ readings: [reading = 0], lastDigit }: Value): boolean {
  return Math.abs(reading) >= 2 * lastDigit * LEAST_TELLING;
}

/** Nobody works out a year or a time of day. */
const mayBeResult = (value: Value): boolean => value.kind === 'number' && !isYear(value);

const isSamePlace = (a: Value, b: Value): boolean => a.start === b.start && a.kind === b.kind;

/**
 * Where the sources state numbers: for each the place whose sentence has most of the statement's words. Of a small count, and in a source that the
 * statement does not cite, it must have some.
 *
 * @param isAdded the sentence must have words of the statement that its quotations lack
 */
function placesOf(
  operands: readonly Operand[],
  { text, statement }: Looked,
  { evidence, language }: Material,
  isAdded = false,
): Place[] {
  const own = ownSources(statement);
  const termsAt = (place: Place): Map<string, number> =>
    evidence.contentTerms(evidence.textAt(place), language);
  const wanted = new Map([...evidence.contentTerms(text, language)].filter(([term]) => /\p{L}/u.test(term)));
  if (isAdded)
    for (const place of statement.quoted ?? []) for (const term of termsAt(place).keys()) wanted.delete(term);
  const sharedAt = (place: Place, besides: ReadonlyMap<string, number>): number => {
    const terms = [...termsAt(evidence.sentencesAt(place)).keys()].filter((term) => !besides.has(term));
    return terms.reduce((sum, term) => sum + (wanted.get(term) ?? 0), 0);
  };
  return operands.flatMap((operand): Place[] => {
    const places = placesStating(operand, evidence);
    const inOwn = places.filter(({ source }) => own.includes(source));
    const among = inOwn.length > 0 || isAdded ? inOwn : places;
    const isCited = own.length === 0 || inOwn.length > 0;
    const isFound = isCited && !isAdded && !operand.values.every(isSmall);
    return among
      .slice(0, 20)
      .map((place) => ({ place, shared: sharedAt(place, isFound ? new Map() : termsAt(place)) }))
      .filter(({ shared }) => isFound || shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, 1)
      .map(({ place }) => place);
  });
}

function checkOf(one: Looked, material: Material): Check {
  const { evidence, given } = material;
  const { statement, facts, overlaps } = one;
  const best = bestOf(overlaps);
  const standing = facts.filter((fact) => !fact.isFree && fact.sources.length > 0).length;
  const sources = sourcesOf(statement, facts, overlaps, evidence);
  const isInOwnWords = best !== undefined && shareOf(best) < WORDS_OF_SOURCE;
  const findings = facts
    .filter((fact) => !fact.isFree && !fact.sources.some((source) => sources.includes(source)))
    .map(({ reason, about, value }): Finding => ({
      reason,
      about,
      ...(isInOwnWords && value && mayBeResult(value) ? { isOpen: true } : {}),
    }));
  const calculated = facts.flatMap(({ operands = [] }) => operands);
  // "That makes £135.": a sentence with a result has its own words.
  const hasResult = calculated.length > 0 || findings.some(({ isOpen }) => isOpen);
  if (best && !hasResult && isUnlike(best, standing)) findings.push({ reason: 'few_words_in_common' });
  const unique = findings.filter((f, i) => findings.findIndex((g) => g.about === f.about) === i);
  const { quoted = [] } = statement;
  const isHeld = (operand: Operand): boolean =>
    placesStating(operand, evidence).some(({ source, start, end }) =>
      quoted.some((words) => words.source === source && words.start <= start && end <= words.end),
    );
  const stated = facts.flatMap(({ value, isFree }) =>
    value && quoted.length > 0 && !isFree && (value.unit || value.kind === 'clock') ? operandOf([value]) : [],
  );
  const worked = calculated.filter((operand) => !isStated(operand, given) && !isHeld(operand));
  const unheld = stated.filter((operand) => !isHeld(operand));
  const numbers = [...placesOf(worked, one, material), ...placesOf(unheld, one, material, true)];
  return { findings: unique, facts: facts.length, ...(best ? { overlap: best } : {}), sources, numbers };
}

/** Whether the words of a statement, or enough of them, stand in what it rests on. */
export function hasItsWords({ overlap }: Pick<Check, 'overlap'>): boolean {
  return overlap !== undefined && shareOf(overlap) >= FEW_WORDS;
}

/** Words together say more than the same words apart. */
function shareOf({ together, anywhere }: Overlap): number {
  return (together + anywhere) / 2;
}

/** @param facts values, names and quotations that stand: each says as much as one word */
function isUnlike(overlap: Overlap, facts: number): boolean {
  const found = shareOf(overlap) * overlap.words + facts;
  const all = overlap.words + facts;
  return (found + PRIOR_SHARE * PRIOR_WORDS) / (all + PRIOR_WORDS) < FEW_WORDS;
}

/**
 * The sources that a statement rests on: those that it cites. Where these lack what another one has, which has the statement's words too, that one takes
 * their place. Without any that it cites, the one that has most of it and those that have the rest.
 */
function sourcesOf(
  statement: Statement,
  facts: readonly Fact[],
  overlaps: readonly Overlap[],
  evidence: Evidence,
): number[] {
  const own = ownSources(statement);
  const wanted = facts.filter(({ isFree, sources }) => !isFree && sources.length > 0);
  const held = (...sources: number[]): number =>
    wanted.filter((fact) => fact.sources.some((source) => sources.includes(source))).length;
  if (own.length > 0 && held(...own) === wanted.length) return own;
  const shareIn = (source: number): number => {
    const overlap = overlaps.find(({ place }) => place.source === source);
    return overlap ? shareOf(overlap) : 0;
  };
  // A number that stands elsewhere in a source is no correction.
  const corrects = (source: number): boolean => {
    const place = overlaps.find((overlap) => overlap.place.source === source)?.place;
    const near = place && around(place, evidence);
    const { stated } = evidence.sources[source]!;
    return wanted.some(
      ({ value, sources }) =>
        sources.includes(source) &&
        !sources.some((one) => own.includes(one)) &&
        (!value ||
          stated.some(
            (one) => near && one.start >= near.start && one.end <= near.end && isSameValue(value, one),
          )),
    );
  };
  const [best] = evidence.sources
    .map(({ index }) => index)
    .filter(
      (index) =>
        !own.includes(index) && (own.length === 0 || (shareIn(index) >= CORRECTS && corrects(index))),
    )
    .sort((a, b) => held(b) - held(a) || shareIn(b) - shareIn(a));
  if (best === undefined) return own;
  if (own.length === 0) {
    const rest = wanted.filter((fact) => !fact.sources.includes(best)).map((fact) => fact.sources[0]!);
    return held(best) > 0 || shareIn(best) > 0 ? [...new Set([best, ...rest])] : [];
  }
  if (held(...own, best) <= held(...own)) return own;
  const quoted = (statement.quoted ?? []).map(({ source }) => source);
  return [...own.filter((source) => quoted.includes(source) || held(source) > 0), best];
}
