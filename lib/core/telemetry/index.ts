export * from '../telemetry.js';
export * from '../request-event.js';
export * from './model-call.js';
