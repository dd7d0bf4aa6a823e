import type { ToolContext } from '../core/context.js';
import { ToolsError } from '../core/errors.js';
import type { ModelReply } from './call.js';
import type { ReplyForm } from './object-reply.js';

/**
 * What is wrong with a reply for which it is asked again, the worst first: it says nothing, is in another language, is broken JSON of which a part
 * may be lost, ends in the middle.
 */
const FLAWS = ['empty', 'language', 'broken', 'cut'] as const;
export type Flaw = (typeof FLAWS)[number];

export function linesAgain(flaw: Flaw | undefined): string[] {
  if (flaw === 'broken')
    return [
      'Your last reply was not valid JSON. Write \\" for a quotation mark inside a text, and close the object.',
    ];
  return flaw === 'cut' ? ['Your last reply was too long and ended in the middle. Be brief.'] : [];
}

/** A call whose last reply ended in the middle may have so many times as many tokens; set by hand. */
export const MORE_TOKENS = 2;

export type BadEnd = 'broken' | 'cut' | undefined;

/** A reply in its form, and what is wrong with its end. Never throws. */
export function readReply<T extends object>(
  form: ReplyForm<T>,
  { text, truncated }: ModelReply,
): { value: T; unstructured: boolean; end: BadEnd } {
  const { value, unstructured, isDamaged } = form.read(text);
  return { value, unstructured, end: truncated ? 'cut' : isDamaged ? 'broken' : undefined };
}

/**
 * Asks a model, and once more where its reply has a flaw.
 *
 * @param ask called without a flaw, then perhaps with the flaw of the first reply
 * @returns the better of both replies; the second where both are as bad
 * @throws what the first call throws; what the second throws where the first reply said nothing
 */
export async function askTwice<T extends { flaw?: Flaw | undefined }>(
  { signal }: ToolContext,
  ask: (again?: Flaw) => Promise<T>,
): Promise<T> {
  const rank = ({ flaw }: T): number => (flaw ? FLAWS.indexOf(flaw) : FLAWS.length);
  const first = await ask();
  if (first.flaw === undefined) return first;
  try {
    const second = await ask(first.flaw);
    return rank(second) < rank(first) ? first : second;
  } catch (error) {
    signal.throwIfAborted();
    if (first.flaw === 'empty' || !ToolsError.isInstance(error)) throw error;
    return first;
  }
}
