export * from './language-model.js';
export type { PromptPart } from './ai-sdk.js';
export * from './model.options.js';
export * from './model-call.js';
export * from './model-client.js';
export * from './usage-meter.js';
export * from './context-overflow.error.js';
export type { Overflow } from './context-overflow.js';
