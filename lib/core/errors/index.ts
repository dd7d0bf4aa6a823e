export * from '../errors.js';
