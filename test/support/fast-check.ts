import fc from '../../node_modules/fast-check/lib/fast-check.js';

/** Runs of each property: few in `npm test`, many in `npm run check -- properties`. */
fc.configureGlobal({ numRuns: Number(process.env.PROPERTY_RUNS ?? 30) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;
