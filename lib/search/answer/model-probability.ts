/** What is known of a model's answer after the checks. */
export interface ModelSigns {
  /** The extractive engine's estimate that the passages answer, 0..1: retrieval coverage, kinds of words, roles. */
  evidence: number;
  /** Share of the written sentences that stood the checks, 0..1. */
  supported: number;
  /** The model's own verdict; undefined when it gave none. */
  verdict: boolean | undefined;
  /** True when a second page says the same. */
  agreement: boolean;
  /** How much of what the question pins down the cited passages lack, 0..1. */
  missing: number;
}

/**
 * Coefficients of the logistic. **Set by hand, not fitted**: there is no set of real models' answers to fit them on. With evidence
 * in the middle, all sentences supported and a model that is sure: .80; with the best evidence and two pages .97; with the worst
 * .55; with half of the sentences gone .60; with a number of the question missing .17. A model that says no is held below the
 * threshold besides (see `ModelAnswer`).
 */
export const MODEL_COEFFICIENTS = {
  intercept: -3.6,
  /** Times the log-odds of `evidence`, scaled so that .98 is 1 and .02 is -1. */
  evidence: 1.2,
  supported: 2,
  /** 1 yes, .5 none, 0 no. */
  verdict: 3,
  agreement: 0.8,
  missing: -3,
} as const;

/** Nothing is certain either way. */
const LEAST = 0.02;
const MOST = 0.98;

/** Estimated probability that the answer is correct and grounded, .02...98, to 3 decimals. */
export function modelProbability(signs: ModelSigns): number {
  const c = MODEL_COEFFICIENTS;
  const verdict = signs.verdict === undefined ? 0.5 : Number(signs.verdict);
  const sum =
    c.intercept +
    (c.evidence * logit(signs.evidence)) / logit(MOST) +
    c.supported * signs.supported +
    c.verdict * verdict +
    c.agreement * Number(signs.agreement) +
    c.missing * signs.missing;
  return Math.round(bounded(1 / (1 + Math.exp(-sum))) * 1000) / 1000;
}

function logit(p: number): number {
  const q = bounded(p);
  return Math.log(q / (1 - q));
}

function bounded(p: number): number {
  return Math.min(MOST, Math.max(LEAST, p));
}
