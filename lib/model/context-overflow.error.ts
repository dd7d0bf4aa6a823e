import { ContentTooLongError } from '../core/errors/index.js';
import type { Overflow } from './context-overflow.js';

/**
 * The prompt is longer than the model's window. A method that can splits its material and goes on; where it escapes, it is the
 * caller's 422 `content_too_long`.
 */
export class ContextOverflowError extends ContentTooLongError {
  constructor(
    readonly overflow: Overflow,
    cause?: unknown,
  ) {
    const { limit, requested } = overflow;
    const numbers = limit
      ? ` (window ${limit} tokens${requested ? `, request ${requested} tokens` : ''})`
      : '';
    super(`The content does not fit the language model${numbers}.`, { cause });
  }
}
