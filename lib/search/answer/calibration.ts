import { FEATURES } from './features.js';

/** Coefficients of a logistic regression over {@link FEATURES}. */
export interface Calibration {
  intercept: number;
  coefficients: readonly number[];
}

/** Nothing is certain either way. */
const LEAST = 0.02;
const MOST = 0.98;

/** Probability that the best sentence answers the question, 0.02..0.98. */
export function probabilityOf(features: readonly number[], calibration: Calibration): number {
  let sum = calibration.intercept;
  for (let i = 0; i < FEATURES.length; i++) sum += (calibration.coefficients[i] ?? 0) * (features[i] ?? 0);
  return Math.min(MOST, Math.max(LEAST, 1 / (1 + Math.exp(-sum))));
}
