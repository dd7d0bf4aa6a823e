export * from './model-call.js';
export * from './request-event.js';
export * from './telemetry.js';
