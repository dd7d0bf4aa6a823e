import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * Runs of each property. `npm test` takes few, and the same ones each time: a change is judged by what it changed. `npm run check -- properties`
 * takes many, and other ones each time.
 */
const { PROPERTY_RUNS } = process.env;
fc.configureGlobal(PROPERTY_RUNS ? { numRuns: Number(PROPERTY_RUNS) } : { numRuns: 30, seed: 1 });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
