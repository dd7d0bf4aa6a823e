import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.1451,
  coefficients: [
    2.2498, // strictCoverage
    0, // coverageCubed
    0.6255, // fullCoverage
    -4.3418, // elsewhere
    -3.2179, // missingName
    -2.5941, // missingYear
    -2.9157, // otherYear
    0.993, // type
    -0.966, // decisiveMiss
    0.9205, // relation
    0.1934, // relationStrict
    0.376, // rolesAgree
    -2.2321, // rolesClash
    -5.9478, // opposite
    -0.226, // ordinalOther
    -0.2072, // headMissing
    0.8141, // gap
    0.4207, // order
    -1.1079, // termCount
    0.8842, // topic
  ],
};
