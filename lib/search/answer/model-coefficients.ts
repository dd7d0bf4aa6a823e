import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit-model.mjs`; in the order of `MODEL_FEATURE_SIGNS`. */
export const MODEL_COEFFICIENTS: Calibration = {
  intercept: -2.7611,
  coefficients: [
    0.4216, // evidence
    3.245, // quoted
    -0.7285, // nothingKept
    1.1116, // supported
    2.2804, // verdict
    -1.2961, // missing
  ],
};
