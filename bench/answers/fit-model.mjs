/**
 * Fits the coefficients of answers with a model on what planned models say to the own set, and writes them into the package:
 *
 *   npm run build && node bench/answers/fit-model.mjs
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_FEATURE_SIGNS } from '../../dist/search/answer/model-probability.js';
import { askModels, fitModels } from './model-mix.mjs';
import { loadQuestions } from './question-set.mjs';

const examples = await askModels(loadQuestions());
const { intercept, coefficients } = fitModels(examples);
const names = Object.keys(MODEL_FEATURE_SIGNS);
const lines = coefficients.map((c, i) => `    ${Number(c.toFixed(4))}, // ${names[i]}`);
writeFileSync(
  join(import.meta.dirname, '../../lib/search/answer/model-coefficients.ts'),
  `import type { Calibration } from './calibration.js';

/** Written by \`node bench/answers/fit-model.mjs\`; in the order of \`MODEL_FEATURE_SIGNS\`. */
export const MODEL_COEFFICIENTS: Calibration = {
  intercept: ${Number(intercept.toFixed(4))},
  coefficients: [
${lines.join('\n')}
  ],
};
`,
);
console.log(`${examples.length} examples\nintercept ${intercept}\n${lines.join('\n')}`);
