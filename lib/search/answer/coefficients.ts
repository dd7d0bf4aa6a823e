import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -2.309,
  coefficients: [
    0, // coverage
    1.0353, // strictCoverage
    0, // pageCoverage
    0, // worstTerm
    0.7459, // coverageCubed
    0.5341, // fullCoverage
    0, // missingAnywhere
    0, // missingOnPage
    0, // unseenTerms
    -3.7157, // missingName
    0, // missingNameAnywhere
    -0.334, // missingNumber
    -4.5695, // otherYear
    0.8822, // type
    0, // typeTimesCoverage
    -0.8862, // decisiveMiss
    0.088, // relation
    0.8036, // relationStrict
    0, // nounMissing
    0, // nounMissingOnPage
    0, // nounMissingHere
    0, // verbMissing
    0, // knownWordMissingOnPage
    0, // knownWordMissingHere
    0.459, // rolesAgree
    -1.3969, // rolesClash
    -5.4253, // opposite
    0, // negation
    -0.0925, // ordinalMissing
    -0.2028, // ordinalOther
    -0.3613, // headMissing
    0.7155, // gap
    0, // spread
    0.4347, // order
    -1.4627, // termCount
    1.0057, // topic
  ],
};
