import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsError, UpstreamInvalidError } from '../core/errors.js';
import type { ToolContext } from '../core/context.js';
import { backOffMs } from '../core/upstream/retry.js';
import { CutAnswerError, ModelRateLimitedError, TokensSpentError } from './errors.js';
import type { ResolvedModelOptions } from './options.js';

/** Waits that the server asked for, with a time, and that do not count as attempts; per call. */
const MAX_ANNOUNCED_WAITS = 3;
/** Factor for the answer's tokens after a model has spent them on thinking. */
const MORE_TOKENS = 4;

/**
 * The attempts of one call: how many were sent, how they ended, and whether to send another. At most `attempts` are sent, including failed
 * ones, rate-limited ones (429) and hedges. A 429 that names a time, and that is waited for, allows one more, up to
 * {@link MAX_ANNOUNCED_WAITS} times.
 */
export class CallRetries {
  private failures = 0;
  private refusals = 0;
  private announcedWaits = 0;
  private begun = 0;
  private wasUnreadable = false;
  private wasCut = false;
  private speaking = false;
  private factor = 1;

  constructor(
    private readonly options: Pick<ResolvedModelOptions, 'attempts' | 'backOffMs' | 'maxRetryAfterMs'>,
  ) {}

  /** Attempts sent, hedges included. */
  get sent(): number {
    return this.begun;
  }

  /** Whether one more may be sent. */
  get left(): boolean {
    return this.begun < this.options.attempts + this.announcedWaits;
  }

  /** True once an attempt has ended without an answer. */
  get again(): boolean {
    return this.failures + this.refusals > 0;
  }

  /** Whether a cut answer is a reason for another attempt: only once, and only where one is left. */
  get mayRetryCut(): boolean {
    return this.left && !this.wasCut;
  }

  /** True while the latest attempt is producing tokens. */
  get answering(): boolean {
    return this.speaking;
  }

  /** True once an attempt got an answer that was no stream. No answer at all (429, 503, a hang) says nothing about streaming. */
  get unreadable(): boolean {
    return this.wasUnreadable;
  }

  /** Factor for the tokens that the answer may have. */
  get outputFactor(): number {
    return this.factor;
  }

  /** Wait after a 429 that names none, ms. */
  get refusalBackOffMs(): number {
    return backOffMs(this.options.backOffMs, this.refusals + 1);
  }

  /** Counts an attempt. @returns its number, from 1 */
  begin(): number {
    this.speaking = false;
    return ++this.begun;
  }

  /** Notes that the latest attempt has produced a token. */
  answered(): void {
    this.speaking = true;
  }

  /** Returns when it is time for another attempt. @throws the error when another makes no sense */
  async next(error: Error, context: ToolContext): Promise<void> {
    if (error instanceof CutAnswerError) this.wasCut = true;
    else this.wasUnreadable ||= error instanceof UpstreamInvalidError;
    if (error instanceof TokensSpentError) this.factor = MORE_TOKENS;
    // `CallSlots` keeps the wait, for this call and for all others.
    if (error instanceof ModelRateLimitedError) return this.refused(error, context);
    if (!ToolsError.isInstance(error) || !error.shouldRetry || error.getStatus() < 502) throw error;
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
