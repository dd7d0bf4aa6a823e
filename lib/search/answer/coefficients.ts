import type { Calibration } from './calibration.js';

/** Written by `node bench/answers/fit.mjs`; the order is that of `FEATURES`. */
export const COEFFICIENTS: Calibration = {
  intercept: -6,
  coefficients: [
    4, 2, 1, -1, -1, -1, -1, -1, -1, 1, 1, -1, 1, 1, -1, 0.5, -1.5, -1, -0.7, -1, -0.3, 0, 0.5, 0.3, 0.2, 0,
    0.5, 0.5,
  ],
};
