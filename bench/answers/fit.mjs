/**
 * Fits the embedded answers on the everyday questions and the own notes and writes the coefficients into the package:
 *
 *   npm run build && node bench/answers/fit.mjs
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANDIDATE_FEATURES } from '../../dist/search/answer/extractive/features.js';
import { ANSWER_FEATURES } from '../../dist/search/answer/extractive/probability.js';
import { fitAll } from './cross-validation.mjs';
import { readRows } from './read.mjs';
import { everydayRows, noteRows } from './sets.mjs';

const items = await readRows([...everydayRows(), ...noteRows()]);
const { weights, calibration } = fitAll(items);
const list = (values, names, indent) =>
  values.map((value, i) => `${indent}${Number(value.toFixed(4))}, // ${names[i]}`).join('\n');
const target = join(import.meta.dirname, '../../lib/search/answer/extractive/coefficients.ts');
const source = `import type { Calibration } from './probability.js';

/** What the engine has learnt. */
export interface Coefficients {
  /** Weights of \`CANDIDATE_FEATURES\`, in their order. */
  weights: readonly number[];
  /** Of \`ANSWER_FEATURES\`, in their order. */
  calibration: Calibration;
}

/** Written by \`node bench/answers/fit.mjs\`. */
export const COEFFICIENTS: Coefficients = {
  weights: [
${list(weights, CANDIDATE_FEATURES, '    ')}
  ],
  calibration: {
    intercept: ${Number(calibration.intercept.toFixed(4))},
    coefficients: [
${list(calibration.coefficients, Object.keys(ANSWER_FEATURES), '      ')}
    ],
  },
};
`;
writeFileSync(target, source);
console.log(source);
