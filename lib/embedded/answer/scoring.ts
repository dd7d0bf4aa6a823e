import type { Candidate, Candidates } from './candidates.js';
import { MET } from './words.js';

/**
 * Features of a candidate, 0..1 each, in the order of their weights. Coverage is the share of the question's terms that a
 * text meets.
 */
export const CANDIDATE_FEATURES = [
  /** Coverage by the text itself. */
  'own',
  /** Coverage that the two units before add to text, lead-in and title. */
  'before',
  /** Evidence of the kind asked for, if code can recognise the kind. */
  'evidence',
  /** Coverage with lead-in, title and the units before, relative to the best candidate. */
  'relative',
  /** Coverage by the units before alone. */
  'after',
  /** 1 if a newer page has nearly the same title. */
  'older',
  /** Words that the question does not have: 1 from six words. */
  'novelty',
] as const;

const MUCH_NEW = 6;

/** The share of the question's terms that at least one of the vectors meets, 0..1. */
function coverage(...vectors: readonly (readonly number[])[]): number {
  return mean(vectors[0]!.map((_, i) => Math.max(...vectors.map((vector) => vector[i]!))));
}

/** The features of each candidate, in the order of {@link CANDIDATE_FEATURES}. */
export function candidateFeatures(all: Candidates): number[][] {
  const { list } = all;
  const withBefore = list.map((c) => coverage(c.own, c.context, c.before));
  const best = Math.max(...withBefore, 1e-9);
  const asked = new Set(all.question.words.map((w) => w.term));
  return list.map((c, i) => {
    const fresh = c.words.filter((w) => !w.isFunctional && !asked.has(w.term)).length;
    return [
      coverage(c.own),
      withBefore[i]! - coverage(c.own, c.context),
      c.evidence ?? 0,
      withBefore[i]! / best,
      coverage(c.before),
      all.older[c.passage]!,
      Math.min(1, fresh / MUCH_NEW),
    ];
  });
}

/**
 * Features of an answer, 0..1 each, in the order of the coefficients. The value says which way a feature may push the probability: 1 only up,
 * -1 only down, 0 either.
 */
export const ANSWER_FEATURES = {
  /** Share of the question's terms that the quoted texts, their lead-ins, titles and antecedents meet. */
  covered: 1,
  /** Share of the question's terms that any passage meets. */
  anywhere: 1,
  /** Share of the terms that the page meets only away from the best candidate: facts may have been put together wrongly. */
  scattered: -1,
  /** The question has a number that the quoted texts, their lead-ins and titles do not have. */
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

/** Coefficients of a logistic regression over {@link ANSWER_FEATURES}. */
export interface Calibration {
  intercept: number;
  coefficients: readonly number[];
}

/** Fitted coefficients of the engine. */
export interface Coefficients {
  /** Weights of `CANDIDATE_FEATURES`, in their order. */
  weights: readonly number[];
  /** For `ANSWER_FEATURES`, in their order. */
  calibration: Calibration;
}

/** Written by `node bench/answers/fit.mjs`. */
export const COEFFICIENTS: Coefficients = {
  weights: [
    2.6531, // own
    -1.4247, // before
    3.1642, // evidence
    5.8218, // relative
    0.837, // after
    -1.1252, // older
    -1.0236, // novelty
  ],
  calibration: {
    intercept: -3.5652,
    coefficients: [
      1.2693, // covered
      1.1772, // anywhere
      -3.4132, // scattered
      -1.9676, // numberMissing
      2.023, // evidence
      2.7952, // foreign
      2.2787, // score
      0.6071, // firstPassage
      5.7784, // long
      -0.2782, // short
      -1.7667, // hardKind
    ],
  },
};

/** No answer is certain, nor is it certain that there is none. */
export const LEAST = 0.02;
const MOST = 0.98;
/**
 * A text is shown as an answer from this estimate on: a wrong answer does more harm than a missing one. It becomes a probability of one half.
 */
const ANSWERED_FROM = 0.63;

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

/** In the order of {@link ANSWER_FEATURES}. @param chosen what the answer quotes, best first */
export function answerFeatures(all: Candidates, chosen: readonly Candidate[]): number[] {
  const { question, passages } = all;
  const best = chosen[0]!;
  const near = question.terms.map((_, i) => metNear(best, i));
  const met = question.terms.map((_, i) => Math.max(...chosen.map((c) => metNear(c, i))));
  const size = question.terms.length;
  return [
    mean(met),
    mean(all.anywhere),
    mean(near.map((own, i) => Math.max(0, best.page[i]! - own))),
    question.terms.some((t, i) => t.isNumber && met[i]! < MET) ? 1 : 0,
    best.evidence === undefined ? 0.5 : Math.max(...chosen.map((c) => c.evidence ?? 0)),
    question.language === passages[best.passage]!.language ? 0 : 1,
    passages[best.passage]!.passage.score,
    best.passage === 0 ? 1 : 0,
    Math.min(1, Math.max(0, size - 6) / 8),
    size <= 2 ? 1 : 0,
    best.evidence === undefined ? 0 : 1,
  ];
}

/** How well a candidate meets a term with its lead-in, the title, and the sentences that its first word refers to. */
function metNear(c: Candidate, i: number): number {
  return Math.max(c.own[i]!, c.context[i]!, c.isOrphan ? c.before[i]! : 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / (values.length || 1);
}
