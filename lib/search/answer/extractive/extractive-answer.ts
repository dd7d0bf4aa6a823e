import type { ToolContext } from '../../../core/context.js';
import { InvalidOptionError } from '../../../core/errors.js';
import { detectLanguage } from '../../../core/text/detect-language.js';
import { type Language } from '../../../core/text/languages.js';
import type { Answer, AnswerEngine, AnswerPassage, Citation } from '../../answer-engine.js';
import { shownSentence } from '../shown-sentence.js';
import { notFound, otherwise, related } from '../wording.js';
import {
  candidatesIn,
  readPassages,
  type Candidate,
  type Candidates,
  type ReadPassage,
} from './candidates.js';
import { COEFFICIENTS, type Coefficients } from './coefficients.js';
import { disagreementOf } from './disagreement.js';
import { candidateFeatures } from './features.js';
import { answerFeatures, estimateOf, LEAST, probabilityOf } from './probability.js';
import { analyseQuestion } from './question.js';
import { quotationsOf, select, sharesOf, type Quotation } from './quotes.js';
import type { TextUnit } from './text-units.js';

/** Settings of {@link ExtractiveAnswer}. */
interface ExtractiveAnswerOptions {
  /** Below this probability the outcome is `related` or `not_found`, 0..1. Default 0.5. */
  threshold?: number;
}

/** Added to the log-odds if a second page gives the same value. */
const AGREEMENT = 0.5;
/** Pages with another value that are quoted. */
const MAX_DIFFERING = 2;
/** A longer lead-in is not shown with its list, characters. */
const MAX_LEAD_IN = 120;

/**
 * Answers with up to three sentences, list items or table rows of the passages, word for word, and estimates the probability that they answer the
 * question. Needs no model, no key and no network. Deterministic.
 */
export class ExtractiveAnswer implements AnswerEngine {
  readonly engine = 'extractive';
  private readonly threshold: number;

  constructor(options: ExtractiveAnswerOptions = {}) {
    this.threshold = options.threshold ?? 0.5;
    if (!(this.threshold >= 0 && this.threshold <= 1)) {
      throw new InvalidOptionError('search.answerThreshold', 'a number from 0 to 1', options.threshold);
    }
  }

  async answer(query: string, passages: AnswerPassage[], context: ToolContext): Promise<Answer> {
    context.signal.throwIfAborted();
    return answerFrom(readQuestion(query, passages), COEFFICIENTS, this.threshold);
  }
}

/** @param threshold see {@link ExtractiveAnswerOptions.threshold} */
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
  const odds = (estimate / (1 - estimate)) * (agreeing > 0 ? Math.exp(AGREEMENT) : 1);
  const undisputed = odds / (1 + odds);
  // Texts that do not answer cannot contradict an answer.
  const isDisputed = differing.length > 0 && probabilityOf(undisputed) >= threshold;
  const share = isDisputed ? (1 + agreeing) / (1 + agreeing + differing.length) : 1;
  const probability = probabilityOf(undisputed * share);
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
    const shown = shownQuotation(quotation, read);
    const gap = text === '' ? '' : shown.includes('\n') || text.includes('\n') ? '\n' : ' ';
    text += `${gap}${shown} [${index}]`;
  }
  return text;
}

/** The words of the passage from the first unit to the last; undefined if the units do not stand there word for word. */
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
  return start < 0 ? undefined : passage.text.slice(start, end);
}

/** A quotation as a reader sees it: behind its heading or lead-in, items and rows one below the other. */
function shownQuotation({ from, to, heading }: Quotation, { units }: ReadPassage): string {
  const quoted = units.slice(from, to);
  const first = quoted[0]!;
  const isEntry = ({ kind }: TextUnit): boolean => kind === 'item' || kind === 'row';
  const isList = quoted.filter(isEntry).length > 1;
  const isIntroduced = first.kind === 'item' && first.leadIn !== '' && first.leadIn.length <= MAX_LEAD_IN;
  const lead = heading ? [`${heading}:`] : isIntroduced ? [first.leadIn] : [];
  const texts = quoted.map((unit) =>
    unit.kind === 'code'
      ? unit.text.split('\n').map(shownSentence).join('\n')
      : (isList && isEntry(unit) ? '- ' : '') + shownSentence(unit.text),
  );
  return [...lead, ...texts].join(isList || quoted.some(({ kind }) => kind === 'code') ? '\n' : ' ');
}

function sourcesDisagree(values: readonly string[]): { code: string; message: string } {
  return {
    code: 'sources_disagree',
    message: `Sources contradict each other: ${values.map((v) => `“${v}”`).join(', ')}.`,
  };
}
