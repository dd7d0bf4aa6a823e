import { VERIFY_OPTION, type VerifyOption } from '../grounding/verifier.js';
import { integer, oneOf, options, withDefault, type Infer } from '../core/schema.js';
import { SUMMARY_LENGTHS, type SummaryLength } from './summarizer.js';

/** How summaries are made. */
export interface SummarizeOptions {
  /** `short`, `medium` or `long`: about 100, 180 or 320 words. Default `medium`. */
  length?: SummaryLength;
  /** Time for a whole request, ms, 1,000..3,600,000. Default 120,000. */
  deadlineMs?: number;
  /** How long a summary is cached, ms; 0: not at all. Default one hour. */
  cacheTtlMs?: number;
  /**
   * A second look at summaries that the model wrote: one more call that finds sentences whose meaning the transcript does not support.
   * `'model'` asks the model itself; `modelVerifier(cheaperModel)` another one; or a verifier of the host's own. Default: none.
   */
  verify?: VerifyOption;
}

const HOUR_MS = 3_600_000;

/** The options `summarize.…`. */
export const SUMMARIZE_SCHEMA = options({
  length: withDefault(oneOf(...SUMMARY_LENGTHS), 'medium' as const),
  deadlineMs: withDefault(integer(1_000, HOUR_MS), 120_000),
  cacheTtlMs: withDefault(integer(0, 365 * 24 * HOUR_MS), HOUR_MS),
  verify: VERIFY_OPTION,
});

/** {@link SummarizeOptions} with every default filled in. */
export type ResolvedSummarizeOptions = Infer<typeof SUMMARIZE_SCHEMA>;
