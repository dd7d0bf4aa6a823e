import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit-model.mjs`; in the order of `MODEL_FEATURE_SIGNS`. */
export const MODEL_COEFFICIENTS: Calibration = {
  intercept: -2.7606,
  coefficients: [
    0.41, // evidence
    3.2459, // quoted
    0, // nothingKept
    1.1199, // supported
    2.2819, // verdict
    -1.2836, // missing
  ],
};
