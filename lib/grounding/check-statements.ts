import { yielder } from '../core/async.js';
import type { Language } from '../text/languages.js';
import { readValues, statedValues, type Value } from '../text/read-values.js';
import { isDerivedValue } from './derived-values.js';
import { Evidence, type Overlap, type Place, type Source } from './evidence.js';
import { namesIn } from './names.js';
import { findQuotation, NEGATIONS, QUOTED, QUOTED_SPEECH, wordsOf } from './quotations.js';
import type { Finding, Reason } from './unsupported.js';

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
}

/** Longest stretch of checks without giving way to other work, ms. */
const SLICE_MS = 12;
/** A bare whole number up to here may count what stands in the text itself: "three reasons". */
const MOST_COUNTED = 12;
const ORDERS = new Set([100, 1000, 1e6, 1e9]);
/** Words in quotation marks are taken for a quotation from this number on. */
const LEAST_QUOTED = 4;
const QUOTATION = /(?<![\p{L}\p{N}.,!?])(?:"(?=\S)([^"]{12,300})(?<=\S)"|[“„«]([^“”„«»]{12,300})[”“»])/gu;
/** "Step 5:", "2.", "(3)" at the beginning: the number of a step or an item. A date may begin a sentence too: "17. Januar". */
const LABEL = /^[^\p{L}\p{N}]*(?:\p{L}+\s\(?\d{1,3}[:)]|\(?\d{1,3}[.:)])(?=\s|$)/u;
const MARKS_BEFORE = /^[^\p{L}\p{N}"“„«‘'(]+(?!\p{N})/u;
const CODE_BREAK = /[\s`(){}[\]<>,;]+/;
/** `// before`, `# then`: prose within code. */
const COMMENT = /^(?:\/\/|#\s)/;
/** A statement that only leads to what follows claims nothing. */
const LEAD_IN = /[:?]["'”»)*_\s]*$/u;
/** Below this share of words in common a statement is not supported. */
const FEW_WORDS = 0.43;
/** A statement that speaks of the sources: their names count as found, and where it says what they lack, its words cannot stand there. */
const OF_SOURCES = new Set(
  'source sources passage passages quelle quellen fuente fuentes fonti fonte fontes'.split(' '),
);
/** A few words say little: so many more are counted, of which this share is found. */
const PRIOR_WORDS = 2;
const PRIOR_SHARE = 0.6;
const WORDS_OF_FACT = 1;
/** A source corrects a wrong number where it has at least this share of the statement's words. */
const CORRECTS = 0.35;
/** A value may be calculated from those of so many statements before and after. */
const NEIGHBOURS = 2;
/** A result may itself be calculated with, so many times. */
const STEPS = 4;

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
  const pause = yielder(SLICE_MS, signal);
  const year = today?.getUTCFullYear() ?? '';
  const given = await Evidence.of([{ text: `${options.given ?? ''}\n${year}` }], language, signal);
  const words = [options.given, ...OF_SOURCES].join(' ');
  const looked: Looked[] = [];
  for (const statement of statements) {
    const text = isLeadIn(statement.text) ? '' : withoutLabel(statement.text, language);
    looked.push({
      statement,
      text,
      facts: [
        ...valueFacts(text, evidence, given, language),
        ...quotationFacts(text, evidence, given, language),
        ...nameFacts(text, evidence, given, language),
        ...(statement.code ?? []).map((code) => codeFact(code, evidence, given)),
      ],
      overlaps: saysWhatIsMissing(text) ? [] : evidence.overlaps(text, language, words),
    });
    await pause();
  }
  deriveValues(looked, evidence, given.sources[0]!.values.list, language ?? 'en');
  return looked.map((one) => checkOf(one, evidence));
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

/** "The sources do not say who paid." */
function saysWhatIsMissing(text: string): boolean {
  const words = wordsOf(text);
  return words.some((word) => OF_SOURCES.has(word)) && words.some((word) => NEGATIONS.has(word));
}

/** Without the number of a step and signs before the first word. */
function withoutLabel(text: string, language: Language | undefined): string {
  const rest = text.replace(LABEL, '').trimStart();
  const [first] = readValues(rest.slice(0, 20), language ?? 'en');
  const isDate = first?.kind === 'month' && first.start === 0;
  return (isDate ? text : rest).replace(MARKS_BEFORE, '');
}

/** @param given what needs no evidence, as its only source */
function valueFacts(
  text: string,
  evidence: Evidence,
  given: Evidence,
  language: Language | undefined,
): Fact[] {
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

function isBareCount({ kind, unit, readings, isRough, isSpelled, text }: Value): boolean {
  const [count] = readings;
  if (kind !== 'number' || unit || isRough) return false;
  // "Hundreds", "thousands": no number.
  const isOrder = isSpelled && ORDERS.has(count!) && !text.includes(' ');
  return isOrder || (Number.isInteger(count) && count! <= MOST_COUNTED);
}

function quotationFacts(
  text: string,
  evidence: Evidence,
  given: Evidence,
  language: Language | undefined,
): Fact[] {
  const isRead = evidence.sources.some(({ reading }) => reading === language);
  if (!isRead) return [];
  return [...text.matchAll(QUOTATION)].flatMap(([, straight, curved]): Fact[] => {
    const quoted = straight ?? curved!;
    if (wordsOf(quoted).length < LEAST_QUOTED) return [];
    const found = findQuotation(quoted, evidence);
    const holds = found !== undefined && found.share >= (evidence.isSpoken ? QUOTED_SPEECH : QUOTED);
    const sources = holds ? [found.place.source] : [];
    const isFree = findQuotation(quoted, given)?.isVerbatim ?? false;
    return [{ reason: 'quotation', about: quoted, sources, isFree }];
  });
}

function nameFacts(
  text: string,
  evidence: Evidence,
  given: Evidence,
  language: Language | undefined,
): Fact[] {
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

/** A line of code stands in a source that has all of its pieces between white space, brackets and the like. A comment is no code. */
function codeFact(code: string, evidence: Evidence, given: Evidence): Fact {
  const pieces = code
    .toLowerCase()
    .split(CODE_BREAK)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const has = ({ text, about = '' }: Source): boolean => {
    const lower = `${text}\n${about}`.toLowerCase();
    return pieces.every((piece) => lower.includes(piece));
  };
  const isFree = COMMENT.test(code) || has(given.sources[0]!);
  return { reason: 'name', about: code, sources: sourcesWith(evidence, has), isFree };
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

/** Takes values that stand nowhere for free where they follow from others: of the statement, its neighbours and quotations, and the question. */
function deriveValues(
  looked: readonly Looked[],
  evidence: Evidence,
  given: readonly Value[],
  language: Language,
): void {
  for (let step = 0; step < STEPS; step++) {
    let isChanged = false;
    looked.forEach(({ facts, statement }, i) => {
      const own = ownSources(statement);
      const isIn = (sources: readonly number[]): boolean =>
        sources.some((source) => own.length === 0 || own.includes(source));
      const open = facts.filter(({ isFree, sources, value }) => value && !isFree && !isIn(sources));
      if (open.length === 0) return;
      const around = [0, ...Array.from({ length: NEIGHBOURS }, (_, n) => [n + 1, -n - 1]).flat()];
      const near = around.flatMap((offset) => looked[i + offset] ?? []);
      const standing = near.flatMap((one) =>
        one.facts.flatMap(({ value, isFree, sources }) =>
          value && (sources.length > 0 || (isFree && !isBareCount(value))) ? [value] : [],
        ),
      );
      const places = near.flatMap((one) => quotedBy(one, evidence));
      const quotes = [...new Set(places.map((place) => evidence.textAt(place)))].join('\n');
      const quoted = readValues(quotes, language);
      const counts = [...given, ...statedValues(quotes, language)];
      const operands = {
        values: [...standing, ...given, ...quoted],
        parts: [...standing.filter((value) => !isFactor(value, near)), ...quoted, ...given],
        factors: counts,
      };
      for (const fact of open)
        if (isDerivedValue(fact.value!, operands)) {
          fact.isFree = true;
          isChanged = true;
        }
    });
    if (!isChanged) return;
  }
}

/** "2 × €59": what is multiplied is no part of a sum. */
function isFactor(value: Value, near: readonly Looked[]): boolean {
  return near.some(({ text, facts }) => {
    const isOwn = facts.some((fact) => fact.value === value);
    return isOwn && (/[×*·]\s?$/.test(text.slice(0, value.start)) || /^\s?[×*·]/.test(text.slice(value.end)));
  });
}

function checkOf({ statement, facts, overlaps }: Looked, evidence: Evidence): Check {
  const best = bestOf(overlaps);
  const standing = facts.filter((fact) => !fact.isFree && fact.sources.length > 0).length;
  const sources = sourcesOf(statement, facts, overlaps, evidence);
  const findings = facts
    .filter((fact) => !fact.isFree && !fact.sources.some((source) => sources.includes(source)))
    .map(({ reason, about }): Finding => ({ reason, about }));
  if (best && isUnlike(best, standing)) findings.push({ reason: 'few_words_in_common' });
  const unique = findings.filter((f, i) => findings.findIndex((g) => g.about === f.about) === i);
  return { findings: unique, facts: facts.length, ...(best ? { overlap: best } : {}), sources };
}

/** Words together say more than the same words apart. */
function shareOf({ together, anywhere }: Overlap): number {
  return (together + anywhere) / 2;
}

/** @param facts values, names and quotations that stand: each says as much as some words */
function isUnlike(overlap: Overlap, facts: number): boolean {
  const found = shareOf(overlap) * overlap.words + WORDS_OF_FACT * facts;
  const all = overlap.words + WORDS_OF_FACT * facts;
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
  const [best] = evidence.sources
    .map(({ index }) => index)
    .filter((index) => !own.includes(index) && (own.length === 0 || shareIn(index) >= CORRECTS))
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
