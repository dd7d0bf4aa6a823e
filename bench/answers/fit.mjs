/**
 * Fits the embedded answers on the everyday questions and the own notes and writes the coefficients into the package:
 *
 *   npm run build && node bench/answers/fit.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER_FEATURES, CANDIDATE_FEATURES } from '../../dist/embedded/answer/scoring.js';
import { fitAll } from './cross-validation.mjs';
import { readRows } from './read.mjs';
import { everydayRows, noteRows } from './sets.mjs';

const items = await readRows([...everydayRows(), ...noteRows()]);
const { weights, calibration } = fitAll(items);
const list = (values, names, indent) =>
  values.map((value, i) => `${indent}${Number(value.toFixed(4))}, // ${names[i]}`).join('\n');
const coefficients = `export const COEFFICIENTS: Coefficients = {
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
const target = join(import.meta.dirname, '../../lib/embedded/answer/scoring.ts');
const source = readFileSync(target, 'utf8');
writeFileSync(
  target,
  source.replace(/export const COEFFICIENTS: [^]*?\n\};\n/, () => coefficients),
);
console.log(coefficients);
