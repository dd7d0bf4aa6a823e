import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -2.878,
  coefficients: [
    0, // coverage
    2.4795, // strictCoverage
    0, // pageCoverage
    0, // worstTerm
    0, // missingAnywhere
    0, // missingOnPage
    0, // unseenTerms
    -4.1188, // missingName
    0, // missingNameAnywhere
    -0.3968, // missingNumber
    -4.7563, // otherYear
    0.9504, // type
    0, // typeTimesCoverage
    -0.8377, // decisiveMiss
    0.2461, // relation
    0.9559, // relationStrict
    0, // nounMissing
    0, // nounMissingOnPage
    0, // nounMissingHere
    0, // verbMissing
    0, // knownWordMissingOnPage
    0, // knownWordMissingHere
    0.5692, // rolesAgree
    -1.216, // rolesClash
    -5.3037, // opposite
    0, // negation
    -0.0286, // ordinalMissing
    -0.2066, // ordinalOther
    -0.5486, // headMissing
    0.5928, // gap
    0, // spread
    0.3754, // order
    -1.6969, // termCount
    -0.0016, // topic
  ],
};
