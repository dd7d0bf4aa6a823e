export * from './cache-store.js';
export * from './result-cache.js';
export * from './single-flight.js';
