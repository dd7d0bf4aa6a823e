import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; in the order of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -3.151,
  coefficients: [
    2.2055, // strictCoverage
    0, // coverageCubed
    0.6319, // fullCoverage
    -4.3274, // elsewhere
    -3.2528, // missingName
    -2.638, // missingYear
    -2.934, // otherYear
    1.0118, // type
    -0.9539, // decisiveMiss
    0.9077, // relation
    0.2005, // relationStrict
    0.4691, // rolesAgree
    -2.1263, // rolesClash
    -5.2786, // opposite
    -0.2273, // ordinalOther
    -0.2108, // headMissing
    0.8219, // gap
    0.4028, // order
    -1.0598, // termCount
    0.8905, // topic
  ],
};
