import { UpstreamInvalidError } from '../core/errors/index.js';
import type { AttemptResult, ModelAnswer } from './model-call.js';
import { refusedByFilter } from './model-errors.js';

/** A reasoning model has spent its tokens on thinking: it needs more of them. */
export class TokensSpentError extends UpstreamInvalidError {}

/**
 * Takes what one try has given for an answer, or does not.
 * @param again false for the first try
 * @throws UpstreamInvalidError when it is refused, empty or broken off; TokensSpentError when it is empty for want of tokens
 */
export function judgeAnswer({ text, finishReason }: AttemptResult, again: boolean): ModelAnswer {
  if (finishReason === 'content-filter') throw refusedByFilter();
  const empty = text.trim() === '';
  if (empty && finishReason === 'length')
    throw new TokensSpentError('The language model used up its tokens before it answered.');
  if (empty) throw new UpstreamInvalidError('The language model gave an empty answer.');
  if (finishReason === 'error') throw new UpstreamInvalidError('The language model broke off its answer.');
  // A server that never names a reason is believed at the second try.
  if (isUnexplained(finishReason) && !again)
    throw new UpstreamInvalidError('The answer of the language model was cut off.');
  return { text, truncated: finishReason === 'length' };
}

/** True when a stream ended without saying why: a cut connection looks like this where the cut falls between two events. */
function isUnexplained(finishReason: string): boolean {
  return finishReason === 'other' || finishReason === 'unknown';
}
