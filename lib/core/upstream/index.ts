export * from './request.js';
export * from './retry.js';
export * from './circuit-breaker.js';
