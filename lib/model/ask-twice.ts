import type { ToolContext } from '../core/context.js';
import { ToolsError } from '../core/errors.js';

/**
 * What is wrong with a reply for which it is asked again, the worst first: it says nothing, is in another language, is broken JSON of which a part
 * may be lost, ends in the middle.
 */
const FLAWS = ['empty', 'language', 'broken', 'cut'] as const;
export type Flaw = (typeof FLAWS)[number];

/** For the prompt of the second call. */
export function linesAgain(flaw: Flaw | undefined): string[] {
  if (flaw === 'broken')
    return [
      'Your last reply was not valid JSON. Write \\" for a quotation mark inside a text, and close the object.',
    ];
  return flaw === 'cut' ? ['Your last reply was too long and ended in the middle. Be brief.'] : [];
}

/** For a warning about a reply that was asked for twice, and is still cut or broken. */
export const PART_MISSING =
  'may lack a part: its reply ran out of tokens, its connection was cut, or its JSON is broken.';
/** A call whose last reply ended in the middle may have so many times as many tokens. */
export const MORE_TOKENS = 2;

export interface Read<T> {
  value: T;
  flaw: Flaw | undefined;
}

/**
 * Asks a model, and once more where its reply has a flaw.
 *
 * @param ask called without a flaw, then perhaps with the flaw of the first reply
 * @returns the better of both replies; the second where both are as bad
 * @throws what the first call throws; what the second throws where the first reply said nothing
 */
export async function askTwice<A, T>(
  { signal }: ToolContext,
  ask: (again?: Flaw) => Promise<A>,
  read: (answer: A) => Promise<Read<T>>,
): Promise<Read<T>> {
  const rank = ({ flaw }: Read<T>): number => (flaw ? FLAWS.indexOf(flaw) : FLAWS.length);
  const first = await read(await ask());
  if (first.flaw === undefined) return first;
  try {
    const second = await read(await ask(first.flaw));
    return rank(second) < rank(first) ? first : second;
  } catch (error) {
    signal.throwIfAborted();
    if (first.flaw === 'empty' || !ToolsError.isInstance(error)) throw error;
    return first;
  }
}
