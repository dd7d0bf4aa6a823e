import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -2.3121,
  coefficients: [
    1.1262, // strictCoverage
    0.6123, // coverageCubed
    0.5971, // fullCoverage
    -3.7502, // missingName
    -0.3274, // missingNumber
    -4.5887, // otherYear
    0.8991, // type
    -0.884, // decisiveMiss
    0.0789, // relation
    0.8173, // relationStrict
    0.4871, // rolesAgree
    -1.3979, // rolesClash
    -5.453, // opposite
    -0.0903, // ordinalMissing
    -0.2088, // ordinalOther
    -0.3581, // headMissing
    0.7177, // gap
    0.4363, // order
    -1.5647, // termCount
    1.0074, // topic
  ],
};
