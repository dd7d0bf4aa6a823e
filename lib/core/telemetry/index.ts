export * from '../telemetry.js';
export * from '../request-event.js';
