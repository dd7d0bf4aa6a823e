import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.1035,
  coefficients: [
    2.0497, // strictCoverage
    0.2389, // coverageCubed
    0.3929, // fullCoverage
    -4.9029, // elsewhere
    -3.2028, // missingName
    -4.3994, // otherYear
    0.9602, // type
    -0.9426, // decisiveMiss
    0.8683, // relation
    0.2617, // relationStrict
    0.3915, // rolesAgree
    -1.4945, // rolesClash
    -5.4573, // opposite
    -0.2469, // ordinalOther
    -0.257, // headMissing
    0.8244, // gap
    0.3721, // order
    -0.6361, // termCount
    0.842, // topic
  ],
};
