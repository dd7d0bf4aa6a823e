export * from './jobs-health.js';
export * from './tools-health.indicator.js';
export * from './upstream-health.js';
export * from './watch.js';
