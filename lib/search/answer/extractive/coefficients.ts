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
    1.8887, // own
    2.012, // relation
    -0.7991, // before
    1.9241, // beforePronoun
    2.1959, // score
    3.1909, // evidence
    1.4522, // softEvidence
    3.9732, // relative
    0.9864, // after
    -1.1267, // older
    -0.9788, // novelty
  ],
  calibration: {
    intercept: -3.8949,
    coefficients: [
      0.848, // covered
      1.4613, // anywhere
      -4.063, // scattered
      -2.2565, // numberMissing
      2.2412, // evidence
      2.5341, // foreign
      2.6151, // score
      0.6486, // firstPassage
      5.8933, // long
      -0.2993, // short
      -1.7634, // hardKind
    ],
  },
};
