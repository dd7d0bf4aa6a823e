import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.1311,
  coefficients: [
    2.2504, // strictCoverage
    0, // coverageCubed
    0.6178, // fullCoverage
    -4.3243, // elsewhere
    -3.2281, // missingName
    -2.6057, // missingYear
    -2.9149, // otherYear
    0.9955, // type
    -0.9625, // decisiveMiss
    0.9092, // relation
    0.1896, // relationStrict
    0.4305, // rolesAgree
    -2.123, // rolesClash
    -5.9362, // opposite
    -0.2227, // ordinalOther
    -0.2061, // headMissing
    0.8157, // gap
    0.4068, // order
    -1.1373, // termCount
    0.8926, // topic
  ],
};
