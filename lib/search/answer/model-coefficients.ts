import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit-model.mjs`; in the order of `MODEL_FEATURE_SIGNS`. */
export const MODEL_COEFFICIENTS: Calibration = {
  intercept: -2.7683,
  coefficients: [
    0.4262, // evidence
    3.2429, // quoted
    -0.8115, // nothingKept
    1.1131, // supported
    2.2804, // verdict
    -1.2895, // missing
  ],
};
