export * from './limit-store.js';
export * from './memory-limit-store.js';
export * from './rate-limiter-store.js';
