export { SharingLifecycle } from '../shared-state.js';
