import type { Candidate, Candidates } from './candidates.js';

/** Features of a candidate, 0..1 each, in the order of their weights. Coverage is the share of what the question's terms tell. */
export const CANDIDATE_FEATURES = [
  /** Coverage by the text itself. */
  'own',
  /** Coverage that lead-in, headings and title add. */
  'context',
  /** Coverage with context and the units before, relative to the best candidate. */
  'relative',
  /** Evidence of the kind asked for, if code can recognise the kind. */
  'evidence',
  /** It stands in the first passage. */
  'first',
  /** Share of what the terms tell that stands at its beginning, less for each word before: it is about them. */
  'opens',
] as const;

/** A term this many words from the beginning says nothing about what a text is about; set by hand. */
const FAR = 8;

/** The features of each candidate, in the order of {@link CANDIDATE_FEATURES}. */
export function candidateFeatures({ question, list, weights }: Candidates): number[][] {
  const coverage = (...vectors: readonly (readonly number[])[]): number =>
    coverageOf(
      weights.map((_, i) => Math.max(...vectors.map((vector) => vector[i]!))),
      weights,
    );
  const wide = list.map((c) => coverage(c.own, c.context, c.before));
  const best = Math.max(...wide, 1e-9);
  return list.map((c, i) => {
    const own = coverage(c.own);
    const context = coverage(c.own, c.context) - own;
    const early = question.terms.map(({ term }) => {
      const at = c.unit.words.findIndex((w) => w.term === term);
      return at < 0 ? 0 : Math.max(0, 1 - at / FAR);
    });
    const first = c.passage === 0 ? 1 : 0;
    return [own, context, wide[i]! / best, c.evidence ?? 0, first, coverageOf(early, weights)];
  });
}

/** Features of an answer, 0..1 each, in the order of the coefficients. */
export const ANSWER_FEATURES = [
  /** Coverage by what is quoted and its lead-in, headings and title. */
  'covered',
  /** How much the terms that are met tell: many, or rare ones, are not met by chance. */
  'told',
  /** Probability that what is quoted has the answer, if any candidate has. */
  'share',
  /** The question has a number that the quoted text and its context do not have. */
  'numberMissing',
  /** Lack of evidence of the kind asked for, if code can recognise the kind. */
  'kindMissing',
  /** The same where a number is asked for. */
  'amountMissing',
] as const;

export interface Quoted {
  best: Candidate;
  /** How well the quoted text with its context meets each term. */
  met: readonly number[];
  share: number;
}

/** Terms that tell this much count as 1, in nats; set by hand. */
const MUCH = 20;

/** In the order of {@link ANSWER_FEATURES}. */
export function answerFeatures(
  { question, weights, told }: Candidates,
  { best, met, share }: Quoted,
): number[] {
  const kindMissing = 1 - (best.evidence ?? 1);
  return [
    coverageOf(met, weights),
    Math.min(1, (coverageOf(met, weights) * told) / MUCH),
    share,
    question.terms.some((t, i) => t.isNumber && met[i] === 0) ? 1 : 0,
    kindMissing,
    question.kind === 'number' ? kindMissing : 0,
  ];
}

function coverageOf(met: readonly number[], weights: readonly number[]): number {
  return met.reduce((sum, value, i) => sum + value * weights[i]!, 0);
}

export interface Coefficients {
  /** Weights of {@link CANDIDATE_FEATURES}, in their order. */
  weights: readonly number[];
  /** A logistic regression over {@link ANSWER_FEATURES}, in their order. */
  intercept: number;
  coefficients: readonly number[];
}

/** Written by `node bench/answers/fit.mjs`. */
export const COEFFICIENTS: Coefficients = {
  weights: [
    3.137, // own
    2.013, // context
    3.829, // relative
    2.934, // evidence
    1.412, // first
    2.077, // opens
  ],
  intercept: -6.386,
  coefficients: [
    5.421, // covered
    6.762, // told
    2.196, // share
    -2.754, // numberMissing
    -1.416, // kindMissing
    -1.599, // amountMissing
  ],
};

/** No answer is certain, nor is it certain that there is none; plain bounds. */
export const LEAST = 0.02;
const MOST = 0.98;

/** Probability of each candidate to have the answer, if one of them has: a softmax of the weighted features. */
export function sharesOf(features: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const scores = features.map((values) => values.reduce((sum, value, i) => sum + value * weights[i]!, 0));
  const best = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - best));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** The probability of an answer, {@link LEAST}..0.98. */
export function probabilityOf(
  features: readonly number[],
  { intercept, coefficients }: Coefficients,
): number {
  const sum = coefficients.reduce((total, c, i) => total + c * features[i]!, intercept);
  return Math.min(MOST, Math.max(LEAST, 1 / (1 + Math.exp(-sum))));
}
