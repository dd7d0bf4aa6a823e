export * from '../telemetry.js';
