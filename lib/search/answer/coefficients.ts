import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.0506,
  coefficients: [
    1.9717, // strictCoverage
    0.3372, // coverageCubed
    0.4624, // fullCoverage
    -4.553, // elsewhere
    -3.1663, // missingName
    -2.6174, // missingYear
    -2.9143, // otherYear
    1.0098, // type
    -0.9392, // decisiveMiss
    0.7947, // relation
    0.2474, // relationStrict
    0.3882, // rolesAgree
    -2.2283, // rolesClash
    -5.5314, // opposite
    -0.2222, // ordinalOther
    -0.2194, // headMissing
    0.8214, // gap
    0.411, // order
    -0.9251, // termCount
    0.8716, // topic
  ],
};
