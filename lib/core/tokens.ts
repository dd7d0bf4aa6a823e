export * from './injection-tokens.js';
