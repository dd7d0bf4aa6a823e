import type { Calibration } from './probability.js';

/** What the engine has learnt. */
export interface Coefficients {
  /** Weights of `CANDIDATE_FEATURES`, in their order. */
  weights: readonly number[];
  /** Of `ANSWER_FEATURES`, in their order. */
  calibration: Calibration;
}

/** Written by `node bench/answers/fit.mjs`. */
export const COEFFICIENTS: Coefficients = {
  weights: [
    1.9318, // own
    2.0104, // relation
    -0.8027, // before
    2.032, // beforePronoun
    2.1656, // score
    3.1755, // evidence
    0.9548, // softEvidence
    4.0626, // relative
    0.9696, // after
    -1.0887, // older
    -0.9042, // novelty
  ],
  calibration: {
    intercept: -3.805,
    coefficients: [
      1.1505, // covered
      1.3854, // anywhere
      -4.1314, // scattered
      -2.2499, // numberMissing
      2.1465, // evidence
      2.5477, // foreign
      2.4743, // score
      0.5367, // firstPassage
      5.8879, // long
      -0.3478, // short
      -1.7189, // hardKind
    ],
  },
};
