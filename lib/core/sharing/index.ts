export * from '../shared-state.js';
