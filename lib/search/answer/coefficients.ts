import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.1037,
  coefficients: [
    2.0595, // strictCoverage
    0.2774, // coverageCubed
    0.4345, // fullCoverage
    -4.6433, // elsewhere
    -3.1123, // missingName
    -2.5985, // missingYear
    -2.9203, // otherYear
    0.9494, // type
    -0.9435, // decisiveMiss
    0.8627, // relation
    0.2466, // relationStrict
    0.2237, // rolesAgree
    -1.4553, // rolesClash
    -5.5179, // opposite
    -0.2076, // ordinalOther
    -0.2538, // headMissing
    0.8137, // gap
    0.4002, // order
    -0.7018, // termCount
    0.8448, // topic
  ],
};
