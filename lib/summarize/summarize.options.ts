import { integer, oneOf, options, parseOption, withDefault } from '../core/schema.js';
import { SUMMARY_LENGTHS, type SummaryLength } from './summarizer.js';

/** How summaries are made. */
export interface SummarizeOptions {
  /** `short`, `medium` or `long`: about 100, 180 or 320 words. Default `medium`. */
  length?: SummaryLength;
  /** Time for a whole request, ms, 1,000..3,600,000. Default 120,000. */
  deadlineMs?: number;
  /** How long a summary is kept in the cache, ms; 0 keeps none. Default one hour. */
  cacheTtlMs?: number;
}

/** {@link SummarizeOptions} with every default filled in. */
export interface ResolvedSummarizeOptions extends Required<SummarizeOptions> {
  /** False: the tool is off, and every call is 501. */
  enabled: boolean;
}

const HOUR_MS = 3_600_000;

/** The options `summarize.…`. */
export const SUMMARIZE_SCHEMA = options({
  length: withDefault(oneOf(...SUMMARY_LENGTHS), 'medium' as const),
  deadlineMs: withDefault(integer(1_000, HOUR_MS), 120_000),
  cacheTtlMs: withDefault(integer(0, 365 * 24 * HOUR_MS), HOUR_MS),
});

/**
 * Fills in the defaults of the module's option `summarize`.
 * @param given false: the tool is off
 * @throws InvalidOptionError
 */
export function resolveSummarize(given: SummarizeOptions | false = {}): ResolvedSummarizeOptions {
  const enabled = given !== false;
  return { ...parseOption('summarize', SUMMARIZE_SCHEMA, enabled ? given : {}), enabled };
}
