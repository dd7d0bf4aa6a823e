import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError, UpstreamInvalidError } from '../core/errors/index.js';
import type { ToolContext } from '../core/tool-context.js';
import { backOffMs } from '../core/upstream/index.js';
import { TokensSpentError } from './judge-answer.js';
import { ModelRateLimitedError } from './model-errors.js';
import type { ResolvedModelOptions } from './model.options.js';

/** Tries of one call that may be put off by the server with the time to come again, and are then not counted among its attempts. */
const MAX_ANNOUNCED_WAITS = 3;
/** How many times the tokens of an answer are allowed after a model has thought them away. */
const MORE_TOKENS = 4;

/**
 * The tries of one call: how many there were, what they ended in, and whether there is to be another. At most `attempts` are sent, failed
 * ones, refused ones (429) and those beside a hung one together. A 429 that says when to come again, and is obeyed, allows for one more, up
 * to {@link MAX_ANNOUNCED_WAITS} times.
 */
export class CallRetries {
  private failures = 0;
  private refusals = 0;
  private announcedWaits = 0;
  private begun = 0;
  private wasUnreadable = false;
  private factor = 1;

  constructor(
    private readonly options: Pick<ResolvedModelOptions, 'attempts' | 'backOffMs' | 'maxRetryAfterMs'>,
  ) {}

  /** Tries begun, those beside a hung one included. */
  get sent(): number {
    return this.begun;
  }

  /** Whether one more may be begun. */
  get left(): boolean {
    return this.begun < this.options.attempts + this.announcedWaits;
  }

  /** True once a try has ended without an answer. */
  get again(): boolean {
    return this.failures + this.refusals > 0;
  }

  /** True once a try has failed: a 429 is none, for it says nothing of how the server answers. */
  get failed(): boolean {
    return this.failures > 0;
  }

  /** True once a try has ended in something that was no stream; no answer at all (429, 503, a hang) says nothing of how the server answers. */
  get unreadable(): boolean {
    return this.wasUnreadable;
  }

  /** How many times the answer's tokens are allowed. */
  get outputFactor(): number {
    return this.factor;
  }

  /** Wait after a 429 that names none, ms. */
  get refusalBackOffMs(): number {
    return backOffMs(this.options.backOffMs, this.refusals + 1);
  }

  /** Counts a try; its number, from 1. */
  begin(): number {
    return ++this.begun;
  }

  /** Returns when it is time for another try; throws the error when another makes no sense. */
  async next(error: Error, context: ToolContext): Promise<void> {
    this.wasUnreadable ||= error instanceof UpstreamInvalidError;
    if (error instanceof TokensSpentError) this.factor = MORE_TOKENS;
    // The limiter keeps the wait, for this call and for all others.
    if (error instanceof ModelRateLimitedError) return this.refused(error, context);
    if (!(error instanceof ToolsError) || !error.shouldRetry || error.getStatus() < 502) throw error;
    this.failures++;
    if (!this.left) throw error;
    const asked = (error.retryAfterSeconds ?? 0) * 1000;
    const wait = Math.max(asked, backOffMs(this.options.backOffMs, this.failures));
    if (asked > this.options.maxRetryAfterMs || wait >= context.remainingMs()) throw error;
    await sleep(wait, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }

  private refused(error: ModelRateLimitedError, context: ToolContext): void {
    this.refusals++;
    const wait = error.waitMs ?? 0;
    if (wait > this.options.maxRetryAfterMs || wait >= context.remainingMs()) throw error;
    if (wait > 0 && this.announcedWaits < MAX_ANNOUNCED_WAITS) this.announcedWaits++;
    if (!this.left) throw error;
  }
}
