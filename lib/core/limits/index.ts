export * from '../limit-stores.js';
export type { LimitCount, LimitStore } from '../shared-state.js';
