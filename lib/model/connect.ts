import type { ModelEnvironment } from './upstream.js';

/** Name of the method by which a part of this package that calls models of its own gets what the module has for such calls. */
export const CONNECT: unique symbol = Symbol.for('nestjs-tools:connect');

/** A part, e.g. a search provider or a reranker, that calls models of its own. */
export interface ConnectsToModels {
  /** Called when the application starts. */
  [CONNECT](environment: ModelEnvironment): void;
}

/** Gives telemetry, limits and budget of the module to a part that calls models of its own; other parts need nothing. */
export function connect(part: object, environment: ModelEnvironment): void {
  (part as Partial<ConnectsToModels>)[CONNECT]?.(environment);
}
