export * from './cache-store.js';
export * from './kept-result.js';
export * from './result-cache.js';
export * from './single-flight.js';
