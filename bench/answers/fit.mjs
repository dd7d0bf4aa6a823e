/**
 * Fits the embedded answers on the everyday questions, the own notes and XQuAD, and writes the coefficients into the package:
 *
 *   npm run build && node bench/answers/fit.mjs --xquad FOLDER
 *
 * FOLDER is described in README.md. `npm run bench -- answers --xquad FOLDER` scores the fit on collections that it has not seen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER_FEATURES, CANDIDATE_FEATURES } from '../../dist/embedded/answer/scoring.js';
import { fitAll } from './cross-validation.mjs';
import { readRows } from './read.mjs';
import { everydayRows, noteRows, xquadFolder, xquadRows } from './sets.mjs';

const folder = xquadFolder();
if (!folder) throw new Error('Give the folder of XQuAD: node bench/answers/fit.mjs --xquad FOLDER');
const items = await readRows([...everydayRows(), ...noteRows(), ...xquadRows(folder)]);
const { weights, intercept, coefficients } = fitAll(items);
const list = (values, names) =>
  values.map((value, i) => `    ${Number(value.toFixed(3))}, // ${names[i]}`).join('\n');
const written = `export const COEFFICIENTS: Coefficients = {
  weights: [
${list(weights, CANDIDATE_FEATURES)}
  ],
  intercept: ${Number(intercept.toFixed(3))},
  coefficients: [
${list(coefficients, ANSWER_FEATURES)}
  ],
};
`;
const target = join(import.meta.dirname, '../../lib/embedded/answer/scoring.ts');
const source = readFileSync(target, 'utf8');
writeFileSync(
  target,
  source.replace(/export const COEFFICIENTS: [^]*?\n\};\n/, () => written),
);
console.log(written);
