export * from '../cache.js';
