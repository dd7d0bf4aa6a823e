import type { Candidates } from './candidates.js';
import type { Selection } from './quotes.js';
import { MET } from './words.js';

/**
 * What the probability of an answer is computed from, 0..1 each, in the order of the coefficients, and which way each may push it: 1 only up,
 * -1 only down, 0 either.
 */
export const ANSWER_FEATURES = {
  /** Probability that the answer, if there is one, stands in the passage of the best candidate. */
  pageMass: 1,
  /** Share of the question's terms that the quoted texts, their lead-ins and headings meet. */
  covered: 1,
  /** Share of the question's terms that any passage meets. */
  anywhere: 1,
  /** Weighted share of the terms that the page meets only away from the best candidate: facts may have been put together wrongly. */
  scattered: -1,
  /** The question has a number that the quoted texts, their lead-ins and headings do not have. */
  numberMissing: -1,
  /** Evidence of the kind asked for; one half if code cannot recognise the kind. */
  evidence: 1,
  /** The best candidate is in another language than the question, so that words hardly meet. */
  foreign: 0,
  /** Score of the best candidate's passage: near 0 if the page is about something else. */
  score: 1,
  /** The best candidate stands in the first passage. */
  firstPassage: 1,
  /** Questions of more than 6 terms, which no text meets all: 1 from 14 on. */
  long: 0,
  /** Code can recognise the kind of evidence. */
  hardKind: 0,
} as const satisfies Record<string, -1 | 0 | 1>;

type AnswerFeature = keyof typeof ANSWER_FEATURES;

const FEATURE_NAMES = Object.keys(ANSWER_FEATURES) as AnswerFeature[];

/** Coefficients of a logistic regression over {@link ANSWER_FEATURES}. */
export interface Calibration {
  intercept: number;
  coefficients: readonly number[];
}

/** No answer is certain, nor is it certain that there is none. */
export const LEAST = 0.02;
export const MOST = 0.98;
/**
 * A text is shown as an answer from this estimate on: a wrong answer does more harm than a missing one. It becomes a probability of one half.
 */
const ANSWERED_FROM = 0.6;

/** The estimate that the answer is right, 0..1: a logistic regression. */
export function estimateOf(features: readonly number[], { intercept, coefficients }: Calibration): number {
  const sum = coefficients.reduce((total, c, i) => total + c * features[i]!, intercept);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The probability of an answer, {@link LEAST}..{@link MOST}. More questions are answerable than the engine answers rightly, above all near the
 * ends of the scale; the root and the square keep the calibration error small for both readings (see `bench/answers/README.md`).
 */
export function probabilityOf(estimate: number): number {
  const probability =
    estimate < ANSWERED_FROM
      ? 0.5 * Math.sqrt(estimate / ANSWERED_FROM)
      : 1 - 0.5 * ((1 - estimate) / (1 - ANSWERED_FROM)) ** 2;
  return Math.round(Math.min(MOST, Math.max(LEAST, probability)) * 1000) / 1000;
}

/** @param shares probability of each candidate; see `sharesOf` */
export function answerFeatures(
  all: Candidates,
  { candidates }: Selection,
  shares: readonly number[],
): number[] {
  const { question, passages, list } = all;
  const best = candidates[0]!;
  const met = question.terms.map((_, i) =>
    Math.max(...candidates.map((c) => Math.max(c.own[i]!, c.lead[i]!, c.headings[i]!))),
  );
  const near = question.terms.map((_, i) => Math.max(best.own[i]!, best.lead[i]!, best.headings[i]!));
  const values: Record<AnswerFeature, number> = {
    pageMass: shares.reduce((sum, share, i) => sum + (list[i]!.passage === best.passage ? share : 0), 0),
    covered: mean(met),
    anywhere: mean(all.anywhere),
    scattered: all.weights.reduce((sum, w, i) => sum + w * Math.max(0, best.page[i]! - near[i]!), 0),
    numberMissing: question.terms.some((t, i) => t.isNumber && met[i]! < MET) ? 1 : 0,
    evidence: best.evidence.isHard ? Math.max(...candidates.map((c) => c.evidence.match)) : 0.5,
    foreign: question.language === passages[best.passage]!.language ? 0 : 1,
    score: passages[best.passage]!.passage.score,
    firstPassage: best.passage === 0 ? 1 : 0,
    long: Math.min(1, Math.max(0, question.terms.length - 6) / 8),
    hardKind: best.evidence.isHard ? 1 : 0,
  };
  return FEATURE_NAMES.map((name) => values[name]);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / (values.length || 1);
}
