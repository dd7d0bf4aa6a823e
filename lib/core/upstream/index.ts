export * from './upstream-request.js';
export * from './retry-after.js';
export * from './retry.js';
export * from './circuit-breaker.js';
export * from './back-off.js';
