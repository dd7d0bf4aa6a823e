export * from './async.js';
