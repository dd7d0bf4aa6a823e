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
    1.8791, // own
    2.0281, // relation
    -0.7742, // before
    1.796, // beforePronoun
    2.1945, // score
    3.1261, // evidence
    1.7072, // softEvidence
    3.9933, // relative
    1.0099, // after
    -1.1245, // older
    -0.9588, // novelty
  ],
  calibration: {
    intercept: -4.7081,
    coefficients: [
      0.4344, // pageMass
      0.5472, // covered
      1.6674, // anywhere
      -2.7865, // scattered
      -2.6393, // numberMissing
      2.0878, // evidence
      2.3552, // foreign
      2.9514, // score
      0.736, // firstPassage
      5.6575, // long
      -1.6689, // hardKind
    ],
  },
};
