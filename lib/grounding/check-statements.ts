import { yielder } from '../core/async.js';
import type { Language } from '../text/languages.js';
import { fractionsIn, sharesOf, statedValues } from '../text/stated-values.js';
import { readValues, type Value } from '../text/read-values.js';
import { isDerivedValue } from './derived-values.js';
import type { Evidence, Overlap, Place } from './evidence.js';
import { NameIndex, namesIn } from './names.js';
import { findQuotation, NEGATIONS, QUOTED, QUOTED_SPEECH, wordsOf } from './quotations.js';
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
const PATH = /(?<!\S)(?:~|\/[\w.@-]{1,100})\/[\w.@/-]{0,300}[\w@/-]/g;
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
/** A source with less than this share of the words that the best one has adds nothing by its words. */
const IDLE = 0.5;
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
  const pause = yielder(SLICE_MS, options.signal);
  const given = new Given(options);
  const looked: Looked[] = [];
  for (const statement of statements) {
    const text = isLeadIn(statement.text) ? '' : withoutLabel(statement.text, options.language);
    looked.push({
      statement,
      text,
      facts: [
        ...valueFacts(text, evidence, given),
        ...quotationFacts(text, evidence, given),
        ...nameFacts(text, evidence, given),
        ...[...(statement.code ?? []), ...pathsIn(text, evidence)].map((code) =>
          codeFact(code, evidence, given),
        ),
      ],
      overlaps: saysWhatIsMissing(text) ? [] : evidence.overlaps(text, options.language, given.words),
    });
    await pause();
  }
  deriveValues(looked, evidence, given);
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

/** What statements may say without evidence. */
class Given {
  readonly text: string;
  /** Words that count as found. */
  readonly words: string;
  readonly language: Language | undefined;
  readonly values: readonly Value[];
  private readonly index = new ValueIndex();
  private readonly names = new NameIndex();

  constructor({ given = '', today, language }: CheckOptions) {
    this.text = given;
    this.language = language;
    const year = today ? `\n${today.getUTCFullYear()}` : '';
    this.values = statedValues(given + year, language ?? 'en');
    for (const value of this.values) this.index.add(value);
    this.names.add(given);
    this.words = [...wordsOf(given), ...OF_SOURCES].join(' ');
  }

  hasValue(value: Value): boolean {
    return this.index.has(value);
  }

  hasName(name: string): boolean {
    return this.names.has(name);
  }

  hasWords(quoted: string): boolean {
    return ` ${this.words} `.includes(` ${wordsOf(quoted).join(' ')} `);
  }
}

/** The sources for which a test holds. */
function sourcesWith(evidence: Evidence, test: (source: Evidence['sources'][number]) => boolean): number[] {
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

function valueFacts(text: string, evidence: Evidence, given: Given): Fact[] {
  const { isSpoken } = evidence;
  // "GPT-4", "indole-3-carbinol": parts of names.
  const values = readValues(text, given.language ?? 'en').filter(
    ({ start }) => !/\p{L}[-–]$/u.test(text.slice(Math.max(0, start - 2), start)),
  );
  // Numbers that are spoken in a language that is not known cannot be missed.
  const isOpen = isSpoken && evidence.sources.some(({ reading }) => !reading);
  const lookUp = (value: Value): number[] =>
    sourcesWith(evidence, ({ values: said }) => (isSpoken ? said.hasSpoken(value) : said.has(value)));
  // "Nine out of ten" may be stated as 90 %.
  const shares = sharesOf(text, values).map((share) => ({ share, sources: lookUp(share) }));
  return values.flatMap((value): Fact[] => {
    const isCount = isBareCount(value) && (value.isSpelled || (isSpoken && !value.isMultiple));
    const share = shares.find(({ share: s }) => value.start >= s.start && value.end <= s.end);
    const isFree = isOpen || isCount || given.hasValue(value) || isDayOfNumber(value, isSpoken);
    const sources = [...new Set([...lookUp(value), ...(share?.sources ?? [])])];
    return [{ reason: 'value', about: value.text, sources, isFree, value }];
  });
}

function isBareCount({ kind, unit, readings, bound, isSpelled, text }: Value): boolean {
  const [count] = readings;
  if (kind !== 'number' || unit || bound) return false;
  // "Hundreds", "thousands": no number.
  const isOrder = isSpelled && ORDERS.has(count!) && !text.includes(' ');
  return isOrder || (Number.isInteger(count) && count! <= MOST_COUNTED);
}

/** A month in words may have been "last month" when it was said. */
function isDayOfNumber({ kind }: Value, isSpoken: boolean): boolean {
  return isSpoken && (kind === 'month' || kind === 'weekday');
}

function quotationFacts(text: string, evidence: Evidence, given: Given): Fact[] {
  const isRead = evidence.sources.some(({ reading }) => reading === given.language);
  if (!isRead) return [];
  return [...text.matchAll(QUOTATION)].flatMap(([, straight, curved]): Fact[] => {
    const quoted = straight ?? curved!;
    if (wordsOf(quoted).length < LEAST_QUOTED) return [];
    const found = findQuotation(quoted, evidence);
    const holds = found !== undefined && found.share >= (evidence.isSpoken ? QUOTED_SPEECH : QUOTED);
    const sources = holds ? [found.place.source] : [];
    return [{ reason: 'quotation', about: quoted, sources, isFree: given.hasWords(quoted) }];
  });
}

function nameFacts(text: string, evidence: Evidence, given: Given): Fact[] {
  const { language } = given;
  if (!language) return [];
  const values = readValues(text, language);
  const readings = new Set(evidence.sources.map(({ reading }) => reading));
  const isAcross = !readings.has(language);
  // A script other than Latin writes names in its own letters.
  if (isAcross && readings.has(undefined)) return [];
  const names = namesIn(text, language, values, isAcross);
  const facts = names.map((name): Fact => {
    const has = (test: (word: string) => boolean): boolean =>
      isAcross ? name.text.split(' ').some(test) : test(name.text);
    return {
      reason: 'name',
      about: name.text,
      sources: sourcesWith(evidence, ({ index }) => has((word) => evidence.hasName(word, index))),
      isFree: has((word) => given.hasName(word)),
    };
  });
  for (let first = 0, last = 0; first < facts.length; first = ++last) {
    while (names[last + 1] && text.slice(names[last]!.end, names[last + 1]!.start) === ' ') last++;
    knowRun(facts.slice(first, last + 1), evidence);
  }
  return facts;
}

/** Paths of files: `/etc/hosts`, `~/.profile`. Nobody says them as they are written. */
function pathsIn(text: string, { isSpoken }: Evidence): readonly string[] {
  return isSpoken ? [] : (text.match(PATH) ?? []);
}

/** A line of code stands in a source that has all of its pieces between white space, brackets and the like. A comment is no code. */
function codeFact(code: string, evidence: Evidence, given: Given): Fact {
  const pieces = code
    .toLowerCase()
    .split(CODE_BREAK)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    return pieces.every((piece) => lower.includes(piece));
  };
  const sources = sourcesWith(evidence, ({ text, about = '' }) => has(`${text}\n${about}`));
  return { reason: 'name', about: code, sources, isFree: COMMENT.test(code) || has(given.text) };
}

/** Words of one name: "Barack" is known with "Obama", because the last word is what a name is known by, and "United States" with "US". */
function knowRun(run: readonly Fact[], evidence: Evidence): void {
  const initials = run.map(({ about }) => about[0]).join('');
  const short =
    run.length > 1
      ? sourcesWith(evidence, ({ names }) => names.hasWord(initials) || names.hasWord(`${initials}s`))
      : [];
  for (let i = run.length - 1; i >= 0; i--) {
    const [fact, next] = [run[i]!, run[i + 1]];
    if (fact.sources.length > 0) continue;
    fact.sources = short.length > 0 ? short : (next?.sources ?? []);
    fact.isFree ||= next?.isFree ?? false;
  }
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
function deriveValues(looked: readonly Looked[], evidence: Evidence, given: Given): void {
  const language = given.language ?? 'en';
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
      const counts = [...given.values, ...statedValues(quotes, language), ...fractionsIn(quotes, language)];
      const operands = {
        values: [...standing, ...given.values, ...quoted],
        parts: [...standing.filter((value) => !isFactor(value, near)), ...quoted, ...given.values],
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
 * their place; a source of the same page first. A source that was cited next to a better one, and adds nothing to it, is left out.
 */
function sourcesOf(
  statement: Statement,
  facts: readonly Fact[],
  overlaps: readonly Overlap[],
  evidence: Evidence,
): number[] {
  const wanted = facts.filter(({ isFree, sources }) => !isFree && sources.length > 0);
  const shares = evidence.sources.map(({ index }) => {
    const overlap = overlaps.find(({ place }) => place.source === index);
    return overlap ? shareOf(overlap) : 0;
  });
  const quoted = (statement.quoted ?? []).map(({ source }) => source);
  const sources = correctedSources(ownSources(statement), quoted, wanted, shares, evidence);
  const most = Math.max(...sources.map((source) => shares[source]!));
  return sources.filter(
    (source) =>
      quoted.includes(source) ||
      shares[source]! >= IDLE * most ||
      wanted.some((fact) => sources.every((one) => (one === source) === fact.sources.includes(one))),
  );
}

/** @param wanted facts that stand somewhere */
function correctedSources(
  own: number[],
  quoted: readonly number[],
  wanted: readonly Fact[],
  shares: readonly number[],
  evidence: Evidence,
): number[] {
  const held = (...sources: number[]): number =>
    wanted.filter((fact) => fact.sources.some((source) => sources.includes(source))).length;
  if (own.length > 0 && held(...own) === wanted.length) return own;
  const pages = new Set(own.map((source) => evidence.sources[source]?.page));
  const isSame = (source: number): number => Number(pages.has(evidence.sources[source]!.page));
  const [best] = evidence.sources
    .map(({ index }) => index)
    .filter((index) => !own.includes(index) && (own.length === 0 || shares[index]! >= CORRECTS))
    .sort((a, b) => held(b) - held(a) || isSame(b) - isSame(a) || shares[b]! - shares[a]!);
  if (best === undefined || (held(...own, best) <= held(...own) && (own.length > 0 || shares[best] === 0)))
    return own;
  const right = own.filter(
    (source) => quoted.includes(source) || held(source) > 0 || shares[source]! >= shares[best]!,
  );
  // Without source numbers any may hold the rest.
  const rest =
    own.length > 0
      ? []
      : wanted.filter((fact) => !fact.sources.includes(best)).flatMap((fact) => fact.sources[0]!);
  return [...new Set([...right, best, ...rest])];
}
