import { checkFields } from '../../data/check-fields.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { detectLanguage } from '../../text/detect-language.js';
import { sentenceSpans } from '../../text/sentences.js';
import { yielder } from '../../core/async.js';
import { parseUrl } from '../../core/url.js';
import { isSameValue } from '../../text/compare-values.js';
import { type Language } from '../../text/languages.js';
import { readValues, statedValues } from '../../text/read-values.js';
import { checkStatements, isLeadIn, type Check } from '../../grounding/check-statements.js';
import type { Calculation } from '../../grounding/calculations.js';
import type { BadEnd } from '../../model/ask-twice.js';
import { isHard, type Finding } from '../../grounding/unsupported.js';
import { Evidence, type Place } from '../../grounding/evidence.js';
import { findQuotation, comparedWords, type FoundQuotation } from '../../grounding/quotations.js';
import type { CheckedStatement, Draft } from '../../writing/write-checked.js';
import type { AnswerPassage } from '../answer-engine.js';
import { addressesAssistant } from './wording.js';
import { readAnswer, type WrittenAnswer, type WrittenStatement } from './read-answer.js';

/** Words that a model says are copied from a source. */
export interface ReplyQuote {
  /** The number of the source, from 1; undefined when the model gave none. */
  n?: number;
  quote: string;
}

export interface AnswerReply {
  /** Its own verdict; undefined when it gave none. */
  answerable?: boolean;
  /** The question takes something for true that the sources deny; the answer says what they say instead. */
  false_premise?: boolean;
  answer: string;
  quotes: readonly ReplyQuote[];
  /** How it worked out numbers that the sources do not state. */
  calculations: readonly Calculation[];
  /** What it wrote for a schema, unchecked. */
  data?: unknown;
  /** True for prose in place of the object that was asked for. */
  unstructured: boolean;
  end: BadEnd;
}

export interface AnswerMaterial {
  passages: readonly AnswerPassage[];
  evidence: Evidence;
  question: string;
  language: Language;
  today: Date;
  schema?: OutputSchema | undefined;
}

export interface GroundedStatement extends WrittenStatement, CheckedStatement {
  code: readonly string[];
  /** False for a heading and a lead-in, which claim nothing. */
  isClaim: boolean;
  /** The model gave words for it that stand in a source. */
  isQuoted: boolean;
  /** The sources that it rests on with the words to quote. */
  rests: readonly Place[];
  overlap?: Check['overlap'];
}

export interface GroundedReply extends WrittenAnswer, Draft {
  reply: AnswerReply;
  statements: readonly GroundedStatement[];
  /** Quotations that stand in no source. */
  invented: readonly string[];
  /** How many quotations stand there in other words. */
  altered: number;
}

/** Share of the words of an altered quotation that a source has in order; from bench/replies, as the numbers below. */
const SIMILAR = 0.6;
/** Shorter quotations are not compared: any text has some of their words; set by hand. */
const LEAST_WORDS = 4;
/** A value that a quotation and a statement have in common counts as much as so many letters; set by hand. */
const VALUE_WEIGHT = 16;
/** Of equals: the statement cites the source, and has no quotation yet. More than any words: it cites others only. */
const [CITED, FIRST, OTHERS] = [0.5, 12, 1e6];

/** The passages as evidence. Sentences that give orders to a model are left out: nothing of them is evidence. */
export function evidenceOfPassages(
  passages: readonly AnswerPassage[],
  language: Language,
  signal?: AbortSignal,
): Promise<Evidence> {
  const texts = passages.map(({ title, text, url, publishedAt = '', at = '' }) => {
    const host = parseUrl(url)?.hostname.replaceAll('.', ' ') ?? '';
    const about = [title, publishedAt.slice(0, 10), host, at].join('\n');
    return { text: withoutOrders(text), about, language: detectLanguage(`${title}. ${text}`) };
  });
  return Evidence.of(texts, language, signal);
}

function withoutOrders(text: string): string {
  let result = text;
  for (const { start, end } of sentenceSpans(text))
    if (addressesAssistant(text.slice(start, end)))
      result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  return result;
}

/** Checks what code can decide of a reply: its values, names, quotations and words. */
export async function groundReply(
  reply: AnswerReply,
  material: AnswerMaterial,
  signal?: AbortSignal,
): Promise<GroundedReply> {
  const { evidence, question, language, today, schema } = material;
  const answer = readAnswer(reply.answer);
  const { statements } = answer;
  const cited = statements.map(({ marks }) => citedBy(marks, evidence));
  const pause = yielder(signal);
  const quotes: LocatedQuote[] = [];
  const quotesOf = statements.map((): LocatedQuote[] => []);
  for (const quotation of reply.quotes) {
    const quote = locate(quotation, evidence);
    quotes.push(quote);
    quotesOf[ownerOf(quote, statements, cited, quotesOf, material)]?.push(quote);
    await pause();
  }
  const checked = statements.map(({ text, code, kind }, i) => ({
    text: kind === 'head' ? '' : text,
    code,
    cited: cited[i]!,
    quoted: quotesOf[i]!.flatMap(({ found }) => found?.place ?? []),
  }));
  const { calculations } = reply;
  const options = { language, given: question, today, calculations, signal };
  const checks = await checkStatements(checked, evidence, options);
  const grounded: GroundedStatement[] = [];
  for (const [i, written] of statements.entries()) {
    await pause();
    const isClaim =
      written.kind !== 'head' && !isLeadIn(written.text) && written.text + written.code.join('') !== '';
    const findings = [...checks[i]!.findings, ...quoteFindings(quotesOf[i]!, written)];
    grounded.push({
      ...written,
      isClaim,
      isQuoted: quotesOf[i]!.some(({ found }) => found),
      overlap: checks[i]!.overlap,
      findings: isClaim ? findings : findings.filter(isHard),
      rests: restsOf(checks[i]!, quotesOf[i]!, quotes, written, material),
    });
  }
  const invented = quotes.filter(({ found }) => !found).map(({ text }) => text);
  const altered = quotes.filter(({ found }) => found && !found.isVerbatim).length;
  const data =
    schema && (await checkFields(reply.data, schema, evidence, { signal, calculations, given: question }));
  const { unstructured, end } = reply;
  return { ...answer, statements: grounded, reply, invented, altered, unstructured, end, flaw: end, data };
}

function citedBy(marks: WrittenStatement['marks'], evidence: Evidence): number[] {
  const numbers = marks.flatMap((mark) => mark.numbers).map((n) => n - 1);
  return [...new Set(numbers)].filter((source) => source >= 0 && source < evidence.sources.length);
}

/** A quotation, and the words of a source that it stands for, the same or similar ones; undefined where no source has them. */
interface LocatedQuote {
  text: string;
  named?: number;
  found?: FoundQuotation;
}

/** Looks for a quotation: in the source that the model named, then in the others. */
function locate({ n, quote: text }: ReplyQuote, evidence: Evidence): LocatedQuote {
  const named = n !== undefined && evidence.sources[n - 1] ? n - 1 : undefined;
  const inNamed = named === undefined ? undefined : findQuotation(text, evidence, evidence.wholeOf(named));
  const any = inNamed?.isVerbatim ? inNamed : findQuotation(text, evidence);
  const found = inNamed && !any?.isVerbatim && inNamed.share >= (any?.share ?? 0) ? inNamed : any;
  const isSimilar = found && found.share >= SIMILAR && comparedWords(text).length >= LEAST_WORDS;
  return { text, named, found: found?.isVerbatim || isSimilar ? found : undefined };
}

/** The statement that a quotation belongs to: the one that shares most with it. A statement that cites only other sources goes last. */
function ownerOf(
  { found, named, text }: LocatedQuote,
  statements: readonly WrittenStatement[],
  cited: readonly (readonly number[])[],
  quotesOf: readonly (readonly LocatedQuote[])[],
  { evidence, language }: AnswerMaterial,
): number {
  const sources = [named, found?.place.source].filter((source) => source !== undefined);
  const reading = found ? evidence.sources[found.place.source]!.reading : language;
  const words = found ? evidence.textAt(found.place) : text;
  const quoted = evidence.contentTerms(words, reading);
  const values = statedValues(words, reading ?? language);
  let owner = -1;
  let most = -Infinity;
  statements.forEach(({ text: written, code, kind }, index) => {
    if (kind === 'head') return;
    let shared = 0;
    for (const [term, weight] of evidence.contentTerms([written, ...code].join(' '), reading))
      if (quoted.has(term)) shared += weight;
    for (const value of readValues(written, language))
      if (values.some((stated) => isSameValue({ ...value, bound: undefined }, stated)))
        shared += VALUE_WEIGHT;
    const isCited = sources.some((source) => cited[index]!.includes(source));
    if (isCited) shared += CITED;
    else if (cited[index]!.length > 0) shared -= OTHERS;
    if (quotesOf[index]!.length === 0) shared += FIRST;
    if (shared > most) [owner, most] = [index, shared];
  });
  return owner;
}

/** A quotation that stands nowhere, one with a number that the statement claims and the source lacks, and one with a "not" added or lost. */
function quoteFindings(quotations: readonly LocatedQuote[], { text }: WrittenStatement): Finding[] {
  const claimed = new Set(comparedWords(text));
  return quotations
    .filter(
      ({ found }) =>
        !found || found.isNegated || [...found.changed].some((word) => /\d/.test(word) && claimed.has(word)),
    )
    .map(({ text: about }) => ({ reason: 'quotation', about }));
}

/**
 * The words that a statement rests on: its quotations, and where the numbers stand that they do not hold; of a source without any the sentence that
 * shares most with it, else any quotation.
 */
function restsOf(
  { sources, numbers }: Check,
  quotations: readonly LocatedQuote[],
  all: readonly LocatedQuote[],
  { text }: WrittenStatement,
  material: AnswerMaterial,
): Place[] {
  const { evidence } = material;
  const placesOf = (quotes: readonly LocatedQuote[]): Place[] =>
    quotes.flatMap(({ found }) =>
      !found ? [] : found.isVerbatim ? found.place : evidence.sentencesAt(found.place),
    );
  const places = placesOf(quotations);
  const sentences = new Set(places.map((place) => sentenceKey(place, evidence)));
  // A number in the sentence of a quotation makes that longer.
  for (const number of numbers)
    places.push(sentences.has(sentenceKey(number, evidence)) ? number : evidence.sentencesAt(number));
  const rest = sources.filter((source) => !places.some((place) => place.source === source));
  for (const source of rest) {
    const isIn = (place: Place): boolean => place.source === source;
    places.push(...[bestSentence(text, source, material) ?? placesOf(all).find(isIn) ?? []].flat());
  }
  return places;
}

export function sentenceKey(place: Place, evidence: Evidence): string {
  return `${place.source} ${evidence.sentencesAt(place).start}`;
}

/** The sentence of a source that shares most words with a statement. */
export function bestSentence(
  statement: string,
  source: number,
  { evidence, language }: Pick<AnswerMaterial, 'evidence' | 'language'>,
): Place | undefined {
  const { sentences, reading, text } = evidence.sources[source]!;
  // Across languages names are the words in common.
  const common = reading === language ? language : undefined;
  const terms = evidence.contentTerms(statement, common);
  let best: Place | undefined;
  let most = 0;
  for (const { start, end } of sentences) {
    const shared = sharedBy(terms, evidence.contentTerms(text.slice(start, end), common));
    if (shared > most) [best, most] = [{ source, start, end }, shared];
  }
  return best;
}

function sharedBy(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [term, weight] of a) if (b.has(term)) shared += weight;
  return shared;
}
