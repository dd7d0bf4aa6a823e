import { isSameKind, isSameValue } from '../../text/compare-values.js';
import { detectLanguage } from '../../text/detect-language.js';
import { type Language } from '../../text/languages.js';
import type { Value } from '../../text/read-values.js';
import type { Answer, AnswerPassage, Citation } from '../../search/answer-engine.js';
import { canonicalUrl } from '../../search/ranking/canonical-url.js';
import {
  addressesAssistant,
  notFound,
  otherwise,
  related,
  shownSentence,
} from '../../search/answer/wording.js';
import {
  candidatesIn,
  readPassages,
  type Candidate,
  type Candidates,
  type ReadPassage,
  type TextUnit,
} from './candidates.js';
import { analyseQuestion, freshValues } from './question.js';
import {
  answerFeatures,
  candidateFeatures,
  COEFFICIENTS,
  estimateOf,
  LEAST,
  probabilityOf,
  type Coefficients,
} from './scoring.js';
import { MET, type Word } from './words.js';

/** Pages with another value that are quoted. */
const MAX_DIFFERING = 2;
/** A longer lead-in is not shown with an item, nor one that stands further above it, characters. */
const MAX_LEAD_IN = 120;
const MAX_LED = 600;

/**
 * Answers with up to three sentences, list items or table rows of the passages, word for word, and estimates the probability that they answer the
 * question. Needs no model, no key and no network. Deterministic.
 *
 * @param threshold below this probability the outcome is `related` or `not_found`, 0..1
 */
export function extractiveAnswer(
  query: string,
  passages: readonly AnswerPassage[],
  threshold: number,
): Answer {
  return answerFrom(readQuestion(query, passages), COEFFICIENTS, threshold);
}

/** {@link extractiveAnswer} from what has been read, by given coefficients. */
export function answerFrom(
  all: Candidates,
  { weights, calibration }: Coefficients,
  threshold: number,
): Answer {
  const { language } = all.question;
  const features = candidateFeatures(all);
  if (!all.anywhere.some((met) => met > 0) || features.length === 0) return nothingFound(language);
  const shares = sharesOf(features, weights);
  const chosen = select(all, shares);
  const { agreeing, differing, values } = disagreementOf(all, chosen[0]!, shares);
  const estimate = estimateOf(answerFeatures(all, chosen), calibration);
  // Texts that do not answer cannot contradict an answer.
  const isDisputed = differing.length > 0 && probabilityOf(estimate) >= threshold;
  const share = isDisputed ? (1 + agreeing) / (1 + agreeing + differing.length) : 1;
  const probability = probabilityOf(estimate * share);
  const isAnswered = probability >= threshold;
  const citations: Citation[] = [];
  const quoted = (candidates: readonly Candidate[]): string =>
    write(quotationsOf(candidates, all), all, citations);
  const said = quoted(isDisputed ? chosen.slice(0, 1) : chosen);
  const others = isDisputed ? quoted(differing.slice(0, MAX_DIFFERING)) : '';
  if (said === '') return nothingFound(language);
  const text = isAnswered
    ? [said, ...(isDisputed ? [otherwise(language), others] : [])].join(' ')
    : related(language, [said, others].filter((t) => t !== '').join(' '), isDisputed);
  return {
    text,
    outcome: isAnswered ? 'answered' : 'related',
    answerableProbability: probability,
    citations,
    engine: 'extractive',
    warnings: isDisputed ? [sourcesDisagree(values)] : [],
  };
}

function nothingFound(language: Language): Answer {
  return {
    text: notFound(language),
    outcome: 'not_found',
    answerableProbability: LEAST,
    citations: [],
    engine: 'extractive',
    warnings: [],
  };
}

/** The question and everything in the passages that may answer it. */
export function readQuestion(query: string, passages: readonly AnswerPassage[]): Candidates {
  const sample = passages.slice(0, 3).map((p) => p.text.slice(0, 600));
  const language = detectLanguage(sample.join(' '));
  const read = readPassages(passages, language ?? analyseQuestion(query).language);
  const words = new Set(
    read.flatMap(({ title, units }) => [title, ...units.map((u) => u.words)].flat().map((w) => w.lower)),
  );
  return candidatesIn(analyseQuestion(query, language && { words, language }), read);
}

/** The quotations with their `[n]`, lists on lines of their own; their citations are added to `citations`. */
function write(quotations: readonly Quotation[], all: Candidates, citations: Citation[]): string {
  let text = '';
  for (const quotation of quotations) {
    const read = all.passages[quotation.passage]!;
    const quote = verbatim(quotation, read);
    if (quote === undefined) continue;
    const { url, title } = read.passage;
    const index = citations.length + 1;
    citations.push({ index, url, title, quote });
    const shown = shownQuotation(quotation, read, quote);
    const gap = text === '' ? '' : shown.includes('\n') || text.includes('\n') ? '\n' : ' ';
    text += `${gap}${shown} [${index}]`;
  }
  return text;
}

/** The words of the passage from the lead-in or first unit to the last; undefined if the units do not stand there word for word. */
function verbatim({ from, to }: Quotation, { passage, units }: ReadPassage): string | undefined {
  let start = -1;
  let end = 0;
  for (const [i, unit] of units.slice(0, to).entries()) {
    const at = passage.text.indexOf(unit.text, end);
    if (at < 0) {
      if (i >= from) return undefined;
      continue;
    }
    if (i === from) start = at;
    end = at + unit.text.length;
  }
  if (start < 0) return undefined;
  const led = passage.text.lastIndexOf(leadInOf(units[from]!), start);
  return passage.text.slice(led < 0 || start - led > MAX_LED ? start : led, end);
}

/** A quotation as a reader sees it: behind its heading or lead-in, items and rows one below the other. */
function shownQuotation({ from, to, heading }: Quotation, { units }: ReadPassage, quote: string): string {
  const quoted = units.slice(from, to);
  const isEntry = ({ kind }: TextUnit): boolean => kind === 'item' || kind === 'row';
  const isList = quoted.filter(isEntry).length > 1;
  const isOfLines = isList || quoted.some(({ kind }) => kind === 'code');
  const leadIn = leadInOf(quoted[0]!);
  let text = heading
    ? heading.replace(/[\p{L}\p{N})"'”’»]$/u, '$&:')
    : quote.startsWith(leadIn)
      ? shownSentence(leadIn)
      : '';
  for (const [i, unit] of quoted.entries()) {
    const isRunOn = i > 0 && unit.group !== quoted[i - 1]!.group && !/[.!?…:;]\P{L}?$/u.test(text);
    if (text !== '') text += isOfLines || isRunOn ? '\n' : ' ';
    if (isList && isEntry(unit)) text += '- ';
    text += unit.text.split('\n').map(shownSentence).join('\n');
  }
  return text;
}

/** The words that introduce an item; may be empty. */
function leadInOf({ kind, leadIn }: TextUnit): string {
  return kind === 'item' && leadIn.endsWith(':') && leadIn.length <= MAX_LEAD_IN ? leadIn : '';
}

function sourcesDisagree(values: readonly string[]): { code: string; message: string } {
  return {
    code: 'sources_disagree',
    message: `Sources contradict each other: ${values.map((v) => `“${v}”`).join(', ')}.`,
  };
}

/** Units of one passage that follow each other and are quoted together. */
interface Quotation {
  /** Index of the passage. */
  passage: number;
  /** First and last unit, `[from, to)`. */
  from: number;
  to: number;
  /** Shown before it: the heading that says what the text does not, or the heading or title that a pronoun refers to. */
  heading?: string;
}

const MAX_CANDIDATES = 3;
/** For all quoted candidates together. */
const MAX_WORDS = 60;
/** A candidate is added from this probability on: behind a chosen one if it begins with a pronoun, next to a chosen one, and elsewhere. */
const ENOUGH_BEHIND = 0.01;
const ENOUGH_BESIDE = 0.03;
const ENOUGH_ELSEWHERE = 0.1;
/** Elsewhere it must also have this share of the best one's probability. */
const SHARE_ELSEWHERE = 0.4;

/** Probability of each candidate to have the answer, if one of them has: a softmax of the weighted features. */
export function sharesOf(features: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const scores = features.map((values) => values.reduce((sum, value, i) => sum + value * weights[i]!, 0));
  const best = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - best));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** The best candidate, and the others that are likely enough. */
export function select(all: Candidates, shares: readonly number[]): Candidate[] {
  const order = shares.map((_, i) => i).sort((a, b) => shares[b]! - shares[a]! || a - b);
  const chosen = [order[0]!];
  let words = all.list[order[0]!]!.words.length;
  for (const i of order.slice(1)) {
    if (chosen.length === MAX_CANDIDATES) break;
    const candidate = all.list[i]!;
    // The page that replaces it has answered.
    if (all.older[candidate.passage] && !all.older[all.list[chosen[0]!]!.passage]) continue;
    const others = chosen.map((j) => all.list[j]!).filter((c) => c.passage === candidate.passage);
    if (others.some((c) => overlap(c, candidate))) continue;
    const section = others.filter((c) => isSameSection(c, candidate));
    const isBehind = section.some((c) => endOf(c) === candidate.position);
    const isBeside = isBehind || section.some((c) => endOf(candidate) === c.position);
    const enough =
      isBehind && candidate.isOrphan
        ? ENOUGH_BEHIND
        : isBeside
          ? ENOUGH_BESIDE
          : Math.max(ENOUGH_ELSEWHERE, SHARE_ELSEWHERE * shares[order[0]!]!);
    if (shares[i]! < enough || words + candidate.words.length > MAX_WORDS) continue;
    chosen.push(i);
    words += candidate.words.length;
  }
  return chosen.map((i) => all.list[i]!);
}

/** Candidates as quotations, each with what its first word refers to: the sentence before, else the heading or title. */
function quotationsOf(candidates: readonly Candidate[], all: Candidates): Quotation[] {
  const quotations: Quotation[] = [];
  for (const candidate of candidates) {
    const { passage, units } = all.passages[candidate.passage]!;
    const { position, unit, isOrphan: needsSubject } = candidate;
    const before = units[position - 1];
    const isBeforeQuoted =
      needsSubject &&
      before?.kind === 'sentence' &&
      !before.text.endsWith('?') &&
      !addressesAssistant(before.text);
    const subject = needsSubject && !isBeforeQuoted ? (unit.headings.at(-1) ?? passage.title) : '';
    const heading = candidate.heading ?? subject;
    const from = isBeforeQuoted ? position - 1 : position;
    const to = endOf(candidate);
    const joined = quotations.find(
      (q) =>
        q.passage === candidate.passage &&
        q.from <= to &&
        from <= q.to &&
        units[q.from]!.headings.at(-1) === unit.headings.at(-1),
    );
    if (!joined) quotations.push({ passage: candidate.passage, from, to, ...(heading ? { heading } : {}) });
    else {
      if (from < joined.from) joined.heading = heading;
      joined.from = Math.min(joined.from, from);
      joined.to = Math.max(joined.to, to);
    }
  }
  return quotations;
}

function isSameSection(a: Candidate, b: Candidate): boolean {
  return (
    a.unit.headings.length === b.unit.headings.length && a.unit.headings.at(-1) === b.unit.headings.at(-1)
  );
}

function endOf({ position, length }: Candidate): number {
  return position + length;
}

function overlap(a: Candidate, b: Candidate): boolean {
  return a.position < endOf(b) && b.position < endOf(a);
}

/** Values of other pages for the value that a candidate states. */
interface Disagreement {
  /** Number of other pages that give the same value. */
  agreeing: number;
  /** One candidate for each page that gives another value, best first. */
  differing: readonly Candidate[];
  /** The values as the pages write them, the candidate's own first. */
  values: readonly string[];
}

/** Content words that two sentences about the same fact have in common, as a share of the longer one. */
const SAME_FACT = 0.8;
/** Sentences with more values state more than one fact; a date has three. */
const MAX_VALUES = 3;
const NOTHING: Disagreement = { agreeing: 0, differing: [], values: [] };

/**
 * Compares the value or date that a candidate states with other pages. Two texts are compared only if they meet the same terms of the question,
 * share most of their other words, and state values of the same kinds in the same order. Pages that a newer page replaces are left out.
 *
 * @param shares probability of each candidate; the best one of a page speaks for it
 */
function disagreementOf(all: Candidates, own: Candidate, shares: readonly number[]): Disagreement {
  const values = valuesOf(all, own);
  if (values.length === 0) return NOTHING;
  const pageOf = (c: Candidate): string => canonicalUrl(all.passages[c.passage]!.passage.url);
  const pages = new Map<string, { candidate: Candidate; values: readonly Value[] }>();
  const order = all.list.map((_, i) => i).sort((a, b) => shares[b]! - shares[a]!);
  for (const i of order) {
    const candidate = all.list[i]!;
    const page = pageOf(candidate);
    if (page === pageOf(own) || pages.has(page) || all.older[candidate.passage]) continue;
    const others = isSameFact(all, own, candidate) ? valuesOf(all, candidate) : [];
    const isComparable =
      others.length === values.length && values.every((value, j) => isSameKind(value, others[j]!));
    if (isComparable) pages.set(page, { candidate, values: others });
  }
  const found = [...pages.values()];
  const differing = found.filter((f) =>
    values.some((value, j) => !isSameValue(value, f.values[j]!) && !isSameValue(f.values[j]!, value)),
  );
  return {
    agreeing: found.length - differing.length,
    differing: differing.map((f) => f.candidate),
    values: [...new Set([written(own, values), ...differing.map((f) => written(f.candidate, f.values))])],
  };
}

/** The answer to a question for a number, amount or date; empty if there is more than that. */
function valuesOf({ question, passages }: Candidates, c: Candidate): readonly Value[] {
  if (c.evidence === undefined || c.length > 1) return [];
  const values = freshValues(question, c.unit.text, passages[c.passage]!.language);
  // A decade or a rank is no exact number.
  if (values.some((v) => v.kind === 'number' && !v.unit && /\p{L}$/u.test(v.text))) return [];
  return values.length <= (question.kind === 'time' ? MAX_VALUES : 1) ? values : [];
}

/** The words from the first value to the last. */
function written({ unit }: Candidate, values: readonly Value[]): string {
  return unit.text.slice(values[0]!.start, values.at(-1)!.end);
}

function isSameFact(all: Candidates, a: Candidate, b: Candidate): boolean {
  const isMet = (c: Candidate, i: number): boolean => Math.max(c.own[i]!, c.context[i]!) >= MET;
  if (!all.question.terms.every((_, i) => isMet(a, i) === isMet(b, i))) return false;
  const [own, other] = [contentOf(all, a), contentOf(all, b)];
  // A name that only one of them has makes it another thing or time.
  if ([...own, ...other].some((w) => w.isName && !(has(own, w) && has(other, w)))) return false;
  const shared = own.filter((w) => has(other, w)).length;
  return shared > 0 && shared >= SAME_FACT * Math.max(own.length, other.length);
}

/** The content words of a candidate without those of its values. */
function contentOf(all: Candidates, c: Candidate): Word[] {
  const values = valuesOf(all, c);
  return c.words.filter((w) => !w.isFunctional && !values.some((v) => w.start < v.end && v.start < w.end));
}

function has(words: readonly Word[], word: Word): boolean {
  return words.some((w) => w.term === word.term);
}
