export * from './call-gate.js';
export * from './lease-store.js';
export * from './shared-state.js';
