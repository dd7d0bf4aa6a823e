import { stem } from '../../../text/tokens.js';
import { type Language } from '../../../text/languages.js';
import { isDerivedValue, isRatio, isSameValue } from '../../../text/compare-values.js';
import { readNames } from '../../../text/names.js';
import { NameIndex } from './name-index.js';
import { readValues, type Value } from '../../../text/read-values.js';
import { fractionsIn, sharesOf, statedValues } from '../../../text/stated-values.js';
import {
  findByOwnWords,
  locateQuote,
  textOf,
  uniqueQuotes,
  wholeSentences,
  wordsOf,
  type FoundQuote,
  type LocatedQuote,
  type Source,
} from './quotes.js';
import type { ReplyQuote, WrittenSentence } from './read-reply.js';

/** Why a sentence is not shown. */
export type SentenceFault =
  /** Rests on a sentence of a page that gives orders to the model. */
  | 'instruction'
  /** No words of a source could be found that it rests on. */
  | 'no_quotation'
  /** Repeats what the model has changed in a quotation. */
  | 'altered_quotation'
  /** States a number, unit or date that its sources do not. */
  | 'value'
  /** States a name or code that its sources do not. */
  | 'name'
  /** The second look found that the sources do not say it. */
  | 'not_said'
  /** The second look found that the sources say otherwise. */
  | 'contradicted';

/** A sentence of the model after the checks. */
export interface CheckedSentence {
  /** Without source numbers. */
  text: string;
  lead: string;
  /** The verbatim quotation that it rests on. */
  quotes: readonly FoundQuote[];
  /** The model's own quotations for it. */
  located: readonly LocatedQuote[];
  /** Undefined for a sentence that stands. */
  fault?: SentenceFault;
  /** The wrong value or name, as the model wrote it. */
  about?: string;
  /** True for a sentence without source numbers before one that has them; it is shown without numbers. */
  isLeadIn: boolean;
}

/** The material for checking a sentence. */
export interface Material {
  sources: readonly Source[];
  question: string;
  /** Language of the question; the model was asked to answer in it. */
  language: Language;
  /** The current date: "25 years ago" is counted from it. */
  today: Date;
  /** False where the model said that the sources do not answer: its sentences then speak of what the sources lack. */
  isAnswer: boolean;
}

/** A number below this in words ("three options") may count what stands in the sentence itself. */
const MOST_COUNTED = 12;

/**
 * Checks what code can decide of each sentence: that its quotations stand in the sources, and that its numbers, units, dates, names and code do. Meaning is not judged; in doubt a sentence stands.
 */
export function checkSentences(
  written: readonly WrittenSentence[],
  quotes: readonly ReplyQuote[],
  material: Material,
): CheckedSentence[] {
  const { sources } = material;
  const located = quotes.map((quote) => locateQuote(quote, sources));
  const cited = citedSources(written, sources.length);
  const owners = ownersOf(located, written, cited);
  return written.map((sentence, i) => {
    const own = located.filter((_, at) => owners[at] === i);
    const borrowed = located.filter(
      (quote, at) => owners[at] !== i && quote.n !== undefined && cited[i]!.includes(quote.n),
    );
    return checkSentence(sentence, cited[i]!, own, borrowed, material);
  });
}

function checkSentence(
  sentence: WrittenSentence,
  cited: readonly number[],
  own: readonly LocatedQuote[],
  borrowed: readonly LocatedQuote[],
  material: Material,
): CheckedSentence {
  const { text, lead, cited: ownCited } = sentence;
  const { sources, isAnswer } = material;
  const quotes = quotesOf(text, cited, own, borrowed, sources);
  const isLeadIn = ownCited.length === 0 && cited.length > 0;
  const base = { text, lead, quotes, located: own, isLeadIn };
  if (quotes.some(isInstruction)) return { ...base, fault: 'instruction' };
  if (quotes.length === 0 && isAnswer) return { ...base, fault: 'no_quotation' };
  const changed = changedClaim(text, own, material);
  if (changed !== undefined)
    return { ...base, fault: 'altered_quotation', ...(changed ? { about: changed } : {}) };
  const [fault, about] = unknownIn(sentence, quotes, cited, material);
  return fault ? { ...base, fault, about } : base;
}

/** The sources that each sentence cites. A sentence without numbers rests on those of the next one: "Yes. Dogs may eat it. [1]" */
function citedSources(written: readonly WrittenSentence[], count: number): number[][] {
  const valid = written.map(({ cited }) => cited.filter((n) => n >= 1 && n <= count));
  return valid.map((own, i) => (own.length > 0 ? own : (valid.slice(i + 1).find((c) => c.length > 0) ?? [])));
}

/**
 * The sentence that each quotation belongs to: of those that cite its source the first that has none from this source yet, as quotations come in
 * the order of the answer; else the first of them.
 */
function ownersOf(
  quotes: readonly LocatedQuote[],
  written: readonly WrittenSentence[],
  cited: readonly (readonly number[])[],
): (number | undefined)[] {
  const taken = new Set<string>();
  return quotes.map(({ n }) => {
    const citing = (numbers: (i: number) => readonly number[]): number[] =>
      written.flatMap((_, i) => (n === undefined || numbers(i).includes(n) ? [i] : []));
    // Only where no sentence names the source itself, one that rests on the next sentence's sources.
    const own = citing((i) => written[i]!.cited);
    const candidates = own.length > 0 ? own : citing((i) => cited[i]!);
    const owner = candidates.find((i) => !taken.has(`${n} ${i}`)) ?? candidates[0];
    taken.add(`${n} ${owner}`);
    return owner;
  });
}

/**
 * The quotations that a sentence rests on, as the sources have them: its own, else another sentence's from the same source, else the sentence of the
 * source that shares most words with it.
 */
function quotesOf(
  text: string,
  cited: readonly number[],
  own: readonly LocatedQuote[],
  borrowed: readonly LocatedQuote[],
  sources: readonly Source[],
): FoundQuote[] {
  const found = uniqueQuotes(own.flatMap((quote) => quote.found ?? []));
  for (const n of cited) {
    const source = sources[n - 1]!;
    // A quotation of this source that was found elsewhere has corrected the number.
    const isCorrected = own.some((quote) => quote.n === n && quote.found);
    if (isCorrected || found.some((quote) => quote.source === source)) continue;
    // A quotation that another sentence has from this source will do where the model gave this one none.
    const other = own.length === 0 ? borrowed.find((q) => q.found?.source === source)?.found : undefined;
    const quote = findByOwnWords(text, [source]) ?? other;
    if (quote) found.push(quote);
  }
  if (found.length > 0 || cited.length > 0) return found;
  const quote = findByOwnWords(text, sources);
  return quote ? [quote] : [];
}

function isInstruction({ source, sentences }: FoundQuote): boolean {
  return sentences.some((at) => source.addressesAssistant(at));
}

/** A change of the model in a quotation that the sentence repeats; empty for an added or dropped "not", undefined for none. */
function changedClaim(
  text: string,
  own: readonly LocatedQuote[],
  { language }: Material,
): string | undefined {
  const changed = own.flatMap((quote) => quote.changed ?? []);
  if (changed.length === 0) return undefined;
  if (changed.some(({ negation }) => negation)) return '';
  const value = readValues(text, language).find((claim) =>
    changed.some(({ values }) => values.some((v) => isSameValue(claim, v))),
  );
  if (value) return value.text;
  const terms = new Set(changed.flatMap((c) => [...c.terms]));
  return wordsOf(text).find((word) => terms.has(stem(word, language)));
}

/** The first value, name or code of a sentence that its sources do not have, with the fault; empty where they have all. */
function unknownIn(
  { text, code }: WrittenSentence,
  quotes: readonly FoundQuote[],
  cited: readonly number[],
  { sources, question, language, isAnswer, today }: Material,
): [fault: SentenceFault, about: string] | [] {
  const rests = new Set([...quotes.map((q) => q.source), ...cited.map((n) => sources[n - 1]!)]);
  // A sentence about the lack of an answer may name anything that was asked or found.
  const allowed = isAnswer ? [...rests] : sources;
  const claims = readValues(text, language);
  // The values in the question and the current year need not stand in a source.
  const given = readValues(`${question}\n${today.getUTCFullYear()}`, language);
  const value = unknownValue(text, claims, quotes, allowed, given);
  if (value) return ['value', value.text];
  const readable = squeezed([...sources.map((s) => s.passage.text), question].join('\n'));
  const invented = code.find((span) => !readable.includes(squeezed(span)));
  if (invented) return ['name', invented];
  // Names of another language have other forms.
  const isForeign = [...rests].some((s) => s.language !== undefined && s.language !== language);
  if (isForeign || allowed.length === 0) return [];
  const asked = new NameIndex(isAnswer ? '' : question);
  const known = [asked, ...allowed.map((source) => source.names)];
  const name = readNames(text, language).find(
    ({ text: written, start }) =>
      !claims.some((value) => value.start < start && value.end > start) &&
      !known.some((names) => names.has(written)),
  );
  return name ? ['name', name.text] : [];
}

/** The first value that the sources do not state and that does not follow from what they state. */
function unknownValue(
  text: string,
  claims: readonly Value[],
  quotes: readonly FoundQuote[],
  sources: readonly Source[],
  given: readonly Value[],
): Value | undefined {
  if (claims.length === 0) return undefined;
  const read = (readText: typeof readValues): Value[] =>
    quotes.flatMap(({ source, sentences }) =>
      readText(textOf(wholeSentences(source, sentences)), source.reading),
    );
  const quoted = read(readValues);
  const stated = [...read(statedValues), ...sources.flatMap((s) => s.values), ...given];
  const isStated = (claim: Value): boolean => stated.some((value) => isSameValue(claim, value));
  // "Nine out of ten" may be stated as 90 %.
  const shares = sharesOf(text, claims).filter(isStated);
  const standing = claims.filter(
    (claim) => isStated(claim) || shares.some((s) => claim.start >= s.start && claim.end <= s.end),
  );
  return claims.find((claim) => {
    const others = standing.filter((other) => other !== claim);
    // "Three options": what is counted may stand in the sentence or in a list.
    const isCount =
      claim.isSpelled && !claim.unit && claim.kind === 'number' && claim.readings[0]! <= MOST_COUNTED;
    return (
      !standing.includes(claim) &&
      !isCount &&
      !isRatio(claim, stated) &&
      !isDerivedValue(claim, [...given, ...quoted, ...others, ...read(fractionsIn)])
    );
  });
}

/** Code without white space and marks, in which copies of it differ. */
function squeezed(text: string): string {
  return text.replace(/[\s`]+/g, '').toLowerCase();
}
