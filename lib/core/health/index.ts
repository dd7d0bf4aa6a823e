export * from '../health.js';
