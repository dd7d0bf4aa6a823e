import { checkFields, type CheckedData } from '../../data/check-fields.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { detectLanguage } from '../../text/detect-language.js';
import { sentenceSpans } from '../../text/sentences.js';
import { isSameValue } from '../../text/compare-values.js';
import { parseUrl } from '../../core/url.js';
import { type Language } from '../../text/languages.js';
import { readValues, type Value } from '../../text/read-values.js';
import { checkStatements, isLeadIn, type Check } from '../../grounding/check-statements.js';
import { isHard, type Finding } from '../../grounding/unsupported.js';
import { Evidence, type Overlap, type Place } from '../../grounding/evidence.js';
import { findQuotation, wordsOf, type FoundQuotation } from '../../grounding/quotations.js';
import type { Verdict } from '../../grounding/verifier.js';
import type { AnswerPassage } from '../answer-engine.js';
import { addressesAssistant } from './wording.js';
import { readAnswer, type WrittenAnswer, type WrittenStatement } from './answer-statements.js';

/** Words that a model says are copied from a source. */
export interface ReplyQuote {
  /** The number of the source, from 1; undefined when the model gave none. */
  n?: number;
  quote: string;
}

/** A model's reply. */
export interface AnswerReply {
  /** Its own verdict; undefined when it gave none. */
  answerable?: boolean;
  answer: string;
  quotes: readonly ReplyQuote[];
  /** What it wrote for a schema, unchecked. */
  data?: unknown;
  /** True for prose in place of the object that was asked for. */
  unstructured: boolean;
  /** True for a reply that ends in the middle. */
  truncated: boolean;
}

/** What a reply is compared with. */
export interface AnswerMaterial {
  passages: readonly AnswerPassage[];
  evidence: Evidence;
  question: string;
  /** Language of the question; the model was asked to answer in it. */
  language: Language;
  today: Date;
  /** Of the data that it was asked for. */
  schema?: OutputSchema;
}

/** A statement with what the sources have of it. */
export interface GroundedStatement {
  written: WrittenStatement;
  check: Check;
  findings: readonly Finding[];
  /** What a second look says of it; undefined where there was none. */
  verdict?: Verdict;
  /** False for a heading and a lead-in, which claim nothing. */
  isClaim: boolean;
  /** The model gave words for it that stand in a source. */
  isQuoted: boolean;
  /** The sources that it rests on with the words to quote. */
  rests: readonly Place[];
}

/** A reply after the checks. */
export interface GroundedReply extends WrittenAnswer {
  reply: AnswerReply;
  grounded: readonly GroundedStatement[];
  /** Quotations that stand in no source. */
  invented: readonly string[];
  /** How many quotations stand there in other words. */
  altered: number;
  /** What was asked for by a schema. */
  data?: CheckedData;
}

/** Share of the words of an altered quotation that a source has in order. */
const SIMILAR = 0.6;
/** Shorter quotations are not compared: any text has some of their words. */
const LEAST_WORDS = 4;
/** Below this share of words in common, an invented quotation discredits its statement. */
const OWN_WORDS = 0.6;

/** The passages as evidence. Sentences that give orders to a model are left out: nothing of them is evidence. */
export function evidenceOf(
  passages: readonly AnswerPassage[],
  language: Language,
  signal?: AbortSignal,
): Promise<Evidence> {
  const texts = passages.map(({ title, text, url, publishedAt = '', at = '' }) => {
    const host = parseUrl(url)?.hostname.replaceAll('.', ' ') ?? '';
    const about = [title, publishedAt.slice(0, 10), host, at].join('\n');
    const own = detectLanguage(`${title}. ${text}`);
    return { text: withoutOrders(text), about, page: url, ...(own ? { language: own } : {}) };
  });
  return Evidence.of(texts, language, signal);
}

/** The text with blanks in place of orders, so that all else stays at its place. */
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
  const { evidence, question, language, today } = material;
  const answer = readAnswer(reply.answer);
  const { statements } = answer;
  const cited = statements.map(({ marks }) => citedBy(marks, evidence));
  const quotes = reply.quotes.map((quote) => locate(quote, material));
  const owners: (number | undefined)[] = [];
  for (const quote of quotes) owners.push(ownerOf(quote, statements, cited, owners, material));
  const quotesOf = (i: number): LocatedQuote[] => quotes.filter((_, at) => owners[at] === i);
  const given = statements.map(({ text, code, kind }, i) => ({
    text: kind === 'head' ? '' : text,
    code,
    cited: cited[i]!,
    quoted: quotesOf(i).flatMap(({ found }) => (found ? [found.place] : [])),
  }));
  const options = { language, given: question, today, ...(signal ? { signal } : {}) };
  const checks = await checkStatements(given, evidence, options);
  const grounded = statements.map((written, i): GroundedStatement => {
    const own = quotesOf(i);
    const isClaim =
      written.kind !== 'head' && !isLeadIn(written.text) && written.text + written.code.join('') !== '';
    const findings = [...checks[i]!.findings, ...quoteFindings(own, checks[i]!, written)];
    return {
      written,
      check: checks[i]!,
      isClaim,
      isQuoted: own.some(({ found }) => found),
      findings: isClaim ? findings : findings.filter(isHard),
      rests: restsOf(checks[i]!, own, quotes, written, evidence, language),
    };
  });
  const invented = quotes.filter(({ status }) => status === 'missing').map(({ text }) => text);
  const altered = quotes.filter(({ status }) => status === 'altered').length;
  const { schema } = material;
  const data = schema && (await checkFields(reply.data, schema, evidence, signal));
  return { ...answer, reply, grounded, invented, altered, ...(data ? { data } : {}) };
}

function citedBy(marks: WrittenStatement['marks'], evidence: Evidence): number[] {
  const numbers = marks.flatMap((mark) => mark.numbers).map((n) => n - 1);
  return [...new Set(numbers)].filter((source) => source >= 0 && source < evidence.sources.length);
}

interface LocatedQuote {
  text: string;
  /** Index of the source that the model named. */
  named?: number;
  /** `altered`: the named source has similar words. `order`: they are a page's order to a model. `missing`: no source has them. */
  status: 'verbatim' | 'altered' | 'order' | 'missing';
  found?: FoundQuotation;
}

/** Looks for a quotation: in the source that the model named, then in the others. */
function locate({ n, quote: text }: ReplyQuote, { evidence, passages }: AnswerMaterial): LocatedQuote {
  const named = n !== undefined && evidence.sources[n - 1] ? n - 1 : undefined;
  const base = { text, ...(named === undefined ? {} : { named }) };
  const own = named === undefined ? undefined : findQuotation(text, evidence, evidence.wholeOf(named));
  if (own?.isVerbatim) return { ...base, status: 'verbatim', found: own };
  const any = findQuotation(text, evidence);
  if (any?.isVerbatim) return { ...base, status: 'verbatim', found: any };
  const similar = own && own.share >= (any?.share ?? 0) ? own : any;
  const isSimilar = similar && similar.share >= SIMILAR && wordsOf(text).length >= LEAST_WORDS;
  const words = wordsOf(text).join(' ');
  const isOrder = passages.some((passage) => wordsOf(passage.text).join(' ').includes(words));
  if (isOrder) return { ...base, status: 'order' };
  return isSimilar ? { ...base, status: 'altered', found: similar } : { ...base, status: 'missing' };
}

/**
 * The statement that a quotation belongs to: the one that shares most words with it; of equals the first without one. Words in common with a statement
 * that cites its source count more.
 */
function ownerOf(
  { found, named, text }: LocatedQuote,
  statements: readonly WrittenStatement[],
  cited: readonly (readonly number[])[],
  taken: readonly (number | undefined)[],
  { evidence, language }: AnswerMaterial,
): number | undefined {
  const sources = [named, found?.place.source].filter((source) => source !== undefined);
  const reading = found ? evidence.sources[found.place.source]!.reading : language;
  const quoted = evidence.contentTerms(found ? evidence.textAt(found.place) : text, reading);
  const values = readValues(text, reading ?? language);
  let owner: number | undefined;
  let most = -1;
  statements.forEach(({ text: own, code, kind }, index) => {
    if (kind === 'head') return;
    const statement = [own, ...code].join(' ');
    let shared = 0;
    for (const [term, weight] of evidence.contentTerms(statement, reading))
      if (quoted.has(term)) shared += weight;
    for (const value of readValues(statement, language))
      if (values.some((other) => isSameValue(value, other))) shared += SHARED_VALUE;
    if (sources.some((source) => cited[index]!.includes(source))) shared = CITING * (shared + 1);
    const isFree = shared === most && taken.includes(owner) && !taken.includes(index);
    if (shared > most || isFree) [owner, most] = [index, shared];
  });
  return owner;
}

/** Words of a quotation count for a statement that cites its source so many times as much. */
const CITING = 2;
/** A value in common counts as much as some letters of a word. */
const SHARED_VALUE = 8;
const MOST_SMALL = 12;

function quoteFindings(own: readonly LocatedQuote[], check: Check, { text }: WrittenStatement): Finding[] {
  return own.flatMap(({ status, text: about, found }): Finding[] => {
    // Words that were put into a quotation and are claimed, or a "not" that was added or lost.
    if (status === 'altered') {
      const claimed = new Set(wordsOf(text));
      const isClaimed = [...found!.changed].some((word) => /\d/.test(word) && claimed.has(word));
      return found!.isNegated || isClaimed ? [{ reason: 'quotation', about }] : [];
    }
    const isBorne = check.overlap !== undefined && shareOf(check.overlap) >= OWN_WORDS;
    const isFalse = status === 'order' || (status === 'missing' && !isBorne);
    return isFalse ? [{ reason: 'quotation', about }] : [];
  });
}

const shareOf = ({ together, anywhere }: Overlap): number => (together + anywhere) / 2;

/** The words of each source that a statement rests on. */
function restsOf(
  check: Check,
  own: readonly LocatedQuote[],
  all: readonly LocatedQuote[],
  { text }: WrittenStatement,
  evidence: Evidence,
  language: Language,
): Place[] {
  return check.sources.flatMap((source) => {
    const placesOf = (quotes: readonly LocatedQuote[]): Place[] =>
      quotes.flatMap(({ found, status }) => {
        if (found?.place.source !== source) return [];
        return status === 'verbatim' ? found.place : evidence.sentencesAt(found.place);
      });
    const quoted = placesOf(own);
    return quoted.length > 0
      ? quoted
      : (bestSentence(text, source, evidence, language) ?? placesOf(all)[0] ?? []);
  });
}

function isSmall({ kind, readings: [count] }: Value): boolean {
  return kind === 'number' && Number.isInteger(count) && count! <= MOST_SMALL;
}

/**
 * The sentence of a source that shares most with a statement: words and values. A small number is shared by chance.
 */
export function bestSentence(
  statement: string,
  source: number,
  evidence: Evidence,
  language: Language,
): Place | undefined {
  const { sentences, reading, text } = evidence.sources[source]!;
  // Across languages names are the words in common.
  const common = reading === language ? language : undefined;
  const terms = evidence.contentTerms(statement, common);
  const values = readValues(statement, language).filter((value) => !isSmall(value));
  let best: Place | undefined;
  let most = 0;
  for (const { start, end } of sentences) {
    const sentence = text.slice(start, end);
    let shared = 0;
    for (const term of evidence.contentTerms(sentence, common).keys())
      if (!/^\d+$/.test(term)) shared += terms.get(term) ?? 0;
    if (values.length > 0)
      for (const said of readValues(sentence, reading ?? language))
        if (values.some((value) => isSameValue(value, said))) shared += SHARED_VALUE;
    if (shared > most) [best, most] = [{ source, start, end }, shared];
  }
  return best;
}
