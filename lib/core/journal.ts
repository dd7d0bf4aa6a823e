import type { ToolContext } from './context.js';

/**
 * Remembers what a piece of work has decided and got, so that it can be begun again, in another process too, without doing twice what was
 * done. Values are JSON. The work must ask for the same steps under the same names when it is begun again.
 */
export interface Journal {
  /**
   * The value under a name; where there is none yet, makes it and keeps it.
   * @throws what `make` throws; nothing is kept then
   */
  once<T>(name: string, make: () => T | Promise<T>): Promise<T>;
  /**
   * The values of steps that do not depend on each other, in their order; done side by side where there is room, perhaps by other processes.
   *
   * @param stage as progress is told of them
   * @returns rejects with {@link SuspendedError} where the work is to be begun again when they are done
   */
  spread<T>(steps: readonly JournalStep[], stage: string): Promise<T>[];
}

/** One step that another process may do: everything it needs, as JSON. */
export interface JournalStep {
  /** The same for the same step, each time the work is begun. */
  name: string;
  input: object;
}

/** What came of a step that was done for others. */
export interface StepResult {
  /** JSON. */
  value: unknown;
  /**
   * `done`: the value holds whenever the work is begun again. `failed`: it holds for this work only. `down`: the same, and the upstream may be
   * down: after several in a row the rest is not tried.
   */
  outcome: 'done' | 'failed' | 'down';
}

/** Does single steps of work that was begun elsewhere. */
export interface StepRunner {
  /** @throws what is no outcome of the step, e.g. the context's reason */
  runStep(input: object, context: ToolContext): Promise<StepResult>;
}

/** Not a failure: the work is set aside until its steps are done elsewhere. Nothing may keep it from reaching who began the work. */
export class SuspendedError extends Error {
  override readonly name = 'SuspendedError';
  constructor() {
    super('The work waits for steps that are done elsewhere.');
  }
}
