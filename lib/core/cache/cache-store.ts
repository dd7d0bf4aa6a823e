export * from '../cache-store.js';
