/**
 * Fits the coefficients of the embedded answers on the own set and writes them into the package:
 *
 *   npm run build && node bench/answers/fit.mjs
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../dist/search/answer/features.js';
import { bestRidge, fit, trainingSet } from './cross-validation.mjs';
import { loadQuestions } from './question-set.mjs';

const examples = await trainingSet(loadQuestions());
const ridge = bestRidge(examples);
const { intercept, coefficients } = fit(examples, ridge);
const lines = coefficients.map((c, i) => `    ${Number(c.toFixed(4))}, // ${FEATURES[i]}`);
const target = join(import.meta.dirname, '../../lib/search/answer/coefficients.ts');
writeFileSync(
  target,
  `import type { Calibration } from './calibration.js';

/** Written by \`node bench/answers/fit.mjs\`; in the order of \`FEATURES\`. */
export const COEFFICIENTS: Calibration = {
  intercept: ${Number(intercept.toFixed(4))},
  coefficients: [
${lines.join('\n')}
  ],
};
`,
);
console.log(`${examples.length} examples, ridge ${ridge}\n${lines.join('\n')}`);
