// Apart from the work: the description of the tool needs them when the host starts.

export const EFFORTS = ['quick', 'standard', 'thorough'] as const;
/** How many rounds may be made: 1, 3 or 4. */
export type Effort = (typeof EFFORTS)[number];

/**
 * Why the search ended: everything was found; nothing else could be searched, or the searches led to no new page; a round found nothing; the effort;
 * the budget; the time.
 */
export const STOPS = ['complete', 'no_new_pages', 'no_new_findings', 'rounds', 'budget', 'deadline'] as const;
/** One of {@link STOPS}. */
export type Stop = (typeof STOPS)[number];

/** `answered`: everything was found, and the report is likely right; `partly`: something is missing or doubtful; `not_found`. */
export const RESEARCH_OUTCOMES = ['answered', 'partly', 'not_found'] as const;

/** Why a need is open: only a part was found; its search failed; its passages were not read; no page says it; it was not searched, for lack of an earlier value, time or budget. */
export const OPEN_REASONS = [
  'partly_found',
  'search_failed',
  'not_read',
  'not_found',
  'not_searched',
] as const;

/** Words of a report. */
export const REPORT_WORDS = { short: 150, medium: 350, long: 700 } as const;
export type ReportLength = keyof typeof REPORT_WORDS;
export const LENGTHS = Object.keys(REPORT_WORDS) as readonly ReportLength[];
