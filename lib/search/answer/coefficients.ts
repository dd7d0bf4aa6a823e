import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -4.4678,
  coefficients: [
    -0.9837, // coverage
    5.0348, // strictCoverage
    -1.7116, // coverageAnywhere
    -5.5113, // missingAnywhere
    3.3988, // unseenTerms
    -3.2408, // missingName
    1.5322, // missingNameAnywhere
    0.2475, // missingNumber
    -5.2567, // otherYear
    1.2545, // type
    0.0315, // typeTimesCoverage
    -0.6435, // decisiveMiss
    3.052, // relation
    0.6952, // relationStrict
    2.2194, // relationMissing
    -0.4504, // nounMissing
    1.1792, // nounMissingHere
    1.0853, // verbMissing
    -1.244, // knownWordMissing
    0.9078, // knownWordMissingHere
    0.6513, // rolesAgree
    -1.2608, // rolesClash
    -6.2361, // opposite
    0.4143, // negation
    -0.3005, // ordinalMissing
    -0.3044, // ordinalOther
    -0.4622, // headMissing
    0.3862, // gap
    0.1805, // spread
    0.2271, // order
    -4.9833, // termCount
    -0.0829, // topic
    -0.0393, // worstTerm
  ],
};
