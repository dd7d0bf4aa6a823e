import type { Candidate, Candidates } from './candidates.js';
import { MET } from './words.js';

/**
 * What the probability of an answer is computed from, 0..1 each, in the order of the coefficients, and which way each may push it: 1 only up,
 * -1 only down, 0 either.
 */
export const ANSWER_FEATURES = {
  /** Share of the question's terms that the quoted texts, their lead-ins, headings and antecedents meet. */
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
  /** Questions of one or two terms. */
  short: 0,
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
const ANSWERED_FROM = 0.62;

/** The estimate that the answer is right, 0..1: a logistic regression. */
export function estimateOf(features: readonly number[], { intercept, coefficients }: Calibration): number {
  const sum = coefficients.reduce((total, c, i) => total + c * features[i]!, intercept);
  return 1 / (1 + Math.exp(-sum));
}

/** Powers of the two halves of the scale. */
const LOWER = 0.4;
const UPPER = 2.5;

/**
 * The probability of an answer, {@link LEAST}..{@link MOST}. More questions are answerable than the engine answers rightly, above all near the
 * ends of the scale; the powers keep the calibration error small for both readings (see `bench/answers/README.md`).
 */
export function probabilityOf(estimate: number): number {
  const probability =
    estimate < ANSWERED_FROM
      ? 0.5 * (estimate / ANSWERED_FROM) ** LOWER
      : 1 - 0.5 * ((1 - estimate) / (1 - ANSWERED_FROM)) ** UPPER;
  return Math.round(Math.min(MOST, Math.max(LEAST, probability)) * 1000) / 1000;
}

/** @param chosen what the answer quotes, best first */
export function answerFeatures(all: Candidates, chosen: readonly Candidate[]): number[] {
  const { question, passages, weights } = all;
  const best = chosen[0]!;
  const near = question.terms.map((_, i) => metNear(best, i));
  const met = question.terms.map((_, i) => Math.max(...chosen.map((c) => metNear(c, i))));
  const size = question.terms.length;
  const values: Record<AnswerFeature, number> = {
    covered: mean(met),
    anywhere: mean(all.anywhere),
    scattered: weights.reduce((sum, w, i) => sum + w * Math.max(0, best.page[i]! - near[i]!), 0),
    numberMissing: question.terms.some((t, i) => t.isNumber && met[i]! < MET) ? 1 : 0,
    evidence: best.evidence.isHard ? Math.max(...chosen.map((c) => c.evidence.match)) : 0.5,
    foreign: question.language === passages[best.passage]!.language ? 0 : 1,
    score: passages[best.passage]!.passage.score,
    firstPassage: best.passage === 0 ? 1 : 0,
    long: Math.min(1, Math.max(0, size - 6) / 8),
    short: size <= 2 ? 1 : 0,
    hardKind: best.evidence.isHard ? 1 : 0,
  };
  return FEATURE_NAMES.map((name) => values[name]);
}

/** How well a candidate meets a term with its lead-in, its headings, and the sentences that its first word refers to. */
function metNear(c: Candidate, i: number): number {
  return Math.max(c.own[i]!, c.lead[i]!, c.headings[i]!, c.isOrphan ? c.before[i]! : 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / (values.length || 1);
}
