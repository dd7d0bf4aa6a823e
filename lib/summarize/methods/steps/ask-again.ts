import type { ToolContext } from '../../../core/context.js';
import { ToolsError } from '../../../core/errors.js';
import type { ModelAnswer } from '../../../model/call.js';
import type { Again } from '../../prompts.js';

/** A reply that was read, with what is wrong with it. */
export interface Read<T> {
  value: T;
  /** Undefined for a good one. */
  flaw: Again | undefined;
}

/** A worse flaw comes first. */
const ORDER: readonly (Again | undefined)[] = ['empty', 'language', 'cut', undefined];

/**
 * Asks the model, and once more where its reply says nothing, is in another language or ends in the middle.
 *
 * @param ask called without a flaw, then perhaps with the flaw of the first reply
 * @returns the better of both replies; the second where both are as bad
 * @throws what the first call throws; what the second throws where the first reply said nothing
 */
export async function askTwice<T>(
  { signal }: ToolContext,
  ask: (again?: Again) => Promise<ModelAnswer>,
  read: (answer: ModelAnswer) => Promise<Read<T>>,
): Promise<Read<T>> {
  const first = await read(await ask());
  if (first.flaw === undefined) return first;
  try {
    const second = await read(await ask(first.flaw));
    return ORDER.indexOf(second.flaw) < ORDER.indexOf(first.flaw) ? first : second;
  } catch (error) {
    signal.throwIfAborted();
    if (first.flaw === 'empty' || !ToolsError.isInstance(error)) throw error;
    return first;
  }
}
