import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -2.8092,
  coefficients: [
    2.1579, // strictCoverage
    0.4282, // coverageCubed
    0.6264, // fullCoverage
    -3.446, // missingName
    0, // missingNumber
    -4.643, // otherYear
    0.9535, // type
    -0.9061, // decisiveMiss
    0.0512, // relation
    0.6796, // relationStrict
    0.4803, // rolesAgree
    -1.4586, // rolesClash
    -5.4724, // opposite
    -0.0065, // ordinalMissing
    -0.2316, // ordinalOther
    -0.2432, // headMissing
    0.5524, // gap
    0.3286, // order
    -1.5161, // termCount
    1.1284, // topic
  ],
};
