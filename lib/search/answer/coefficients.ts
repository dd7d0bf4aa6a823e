import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -2.9484,
  coefficients: [
    5.0869, // coverage
    -2.3404, // strictCoverage
    -0.5296, // coverageAnywhere
    -5.0149, // missingAnywhere
    3.9373, // unseenTerms
    -5.176, // missingName
    2.8565, // missingNameAnywhere
    -0.1765, // missingNumber
    -5.3738, // otherYear
    1.3949, // type
    0.0223, // typeTimesCoverage
    -0.492, // decisiveMiss
    0.5513, // relation
    1.6079, // relationStrict
    1.3939, // relationMissing
    0.1016, // rolesAgree
    -0.8043, // rolesClash
    -6.191, // opposite
    0.212, // negation
    -0.1955, // ordinalMissing
    -0.3513, // ordinalOther
    -0.4499, // headMissing
    0.0569, // gap
    0.1382, // spread
    0.5372, // order
    -4.5502, // termCount
    -0.5442, // topic
    -0.031, // worstTerm
  ],
};
