import type { Calibration } from './probability.js';

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
    1.9592, // own
    2.0057, // relation
    -0.7983, // before
    2.0421, // beforePronoun
    2.1783, // score
    3.1104, // evidence
    1.0073, // softEvidence
    4.0586, // relative
    0.9743, // after
    -1.0933, // older
    -0.881, // novelty
  ],
  calibration: {
    intercept: -3.736,
    coefficients: [
      1.2203, // covered
      1.3417, // anywhere
      -4.1209, // scattered
      -2.2531, // numberMissing
      2.0665, // evidence
      2.6089, // foreign
      2.4475, // score
      0.5367, // firstPassage
      5.94, // long
      -0.3579, // short
      -1.7303, // hardKind
    ],
  },
};
