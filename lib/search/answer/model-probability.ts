import { AGREEMENT } from './agreement.js';
import { MODEL_COEFFICIENTS } from './model-coefficients.js';

/** What is known of a model's answer after the checks. */
export interface ModelSigns {
  /** The extractive engine's estimate that the passages answer, 0..1: retrieval coverage, kinds of words, roles. */
  evidence: number;
  /** The same of the quoted sentences alone: that they, and not others, are the ones that answer. */
  quoted: number;
  /** Share of the written sentences that stood the checks, 0..1. */
  supported: number;
  /** The model's own verdict; undefined when it gave none. */
  verdict: boolean | undefined;
  /** True when a second page says the same. */
  agreement: boolean;
  /** Share of the pages with a comparable value that do not contradict the answer, 0..1; see `shareOf`. */
  share: number;
  /** How much of what the question pins down the cited passages lack, 0..1. */
  missing: number;
}

/** Names of the numbers that the probability is made of, in the order of the coefficients, and which way each may push. */
export const MODEL_FEATURE_SIGNS = {
  evidence: 1,
  quoted: 1,
  nothingKept: -1,
  supported: 1,
  verdict: 1,
  missing: -1,
} as const;

/** Nothing is certain either way. */
const LEAST = 0.02;
const MOST = 0.98;

/** Estimated probability that the answer is correct and grounded, .02...98, to 3 decimals. */
export function modelProbability(signs: ModelSigns): number {
  const { intercept, coefficients } = MODEL_COEFFICIENTS;
  let sum = intercept + (signs.agreement ? AGREEMENT : 0);
  modelFeatures(signs).forEach((value, i) => (sum += coefficients[i]! * value));
  return Math.round(bounded(bounded(1 / (1 + Math.exp(-sum))) * signs.share) * 1000) / 1000;
}

/** In the order of {@link MODEL_FEATURE_SIGNS}: log-odds of the evidence, -1..1, the others 0..1. */
export function modelFeatures(signs: ModelSigns): number[] {
  return [
    logit(signs.evidence) / logit(MOST),
    logit(signs.quoted) / logit(MOST),
    signs.supported === 0 ? 1 : 0,
    signs.supported,
    signs.verdict === undefined ? 0.5 : Number(signs.verdict),
    signs.missing,
  ];
}

function logit(p: number): number {
  const q = bounded(p);
  return Math.log(q / (1 - q));
}

function bounded(p: number): number {
  return Math.min(MOST, Math.max(LEAST, p));
}
