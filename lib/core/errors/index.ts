export * from './error-codes.js';
export * from './tools.error.js';
export * from './access.errors.js';
export * from './input.errors.js';
export * from './content.errors.js';
export * from './upstream.errors.js';
export * from './configuration.errors.js';
