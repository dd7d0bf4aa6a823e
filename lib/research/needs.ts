// Small, for the description of the tool needs it when the host starts.
import type { AnswerPassage } from '../search/answer-engine.js';

export const EFFORTS = ['quick', 'standard', 'thorough'] as const;
/** How many rounds may be made: 1, 3 or 4. */
export type Effort = (typeof EFFORTS)[number];

/**
 * Why the search ended: everything was found; nothing else could be searched, or the searches led to no new page; two rounds found nothing; the effort;
 * the budget; the time.
 */
export const STOPS = ['complete', 'no_new_pages', 'no_new_findings', 'rounds', 'budget', 'deadline'] as const;
export type Stop = (typeof STOPS)[number];

/** `answered`: everything was found, and the report is likely right; `partly`: something is missing or doubtful; `not_found`. */
export const RESEARCH_OUTCOMES = ['answered', 'partly', 'not_found'] as const;

export const REPORT_WORDS = { short: 150, medium: 350, long: 700 } as const;
export type ReportLength = keyof typeof REPORT_WORDS;
export const LENGTHS = Object.keys(REPORT_WORDS) as readonly ReportLength[];

/**
 * What is known of a need: `found`; `partly`; `disputed`: sources contradict each other; `missing`: nothing was found; `failed`: its search
 * failed, so nobody knows; `not_read`: the model failed to read what was found, so nobody knows either.
 */
export const NEED_STATES = ['found', 'partly', 'disputed', 'missing', 'failed', 'not_read'] as const;
export type NeedState = (typeof NEED_STATES)[number];

/** Why a need is open: only a part was found; its search failed; its passages were not read; no page says it; it was not searched, for lack of an earlier value, time or budget. */
export const OPEN_REASONS = [
  'partly_found',
  'search_failed',
  'not_read',
  'not_found',
  'not_searched',
] as const;

export interface FoundSentence {
  text: string;
  /** Verbatim words, and the index of their passage in {@link ResearchState.passages}. */
  quotes: readonly { passage: number; quote: string }[];
}

export interface Need {
  /** In words. `{1}` stands for the value of the first need. */
  text: string;
  /** Searches to make, with blanks. */
  queries: string[];
  tried: string[];
  state: NeedState;
  findings: FoundSentence[];
  /** What other needs put into their blanks; empty where it is not known. */
  value: string;
}

/** How far a research is. JSON: a job keeps it, and another worker goes on from there. */
export interface ResearchState {
  /** The question as it stands alone. */
  question: string;
  needs: Need[];
  /** What a model was shown, in order. */
  passages: AnswerPassage[];
  rounds: number;
  searches: number;
  /** Canonical addresses of the pages that were read. */
  pages: readonly string[];
}

/** A finding that names no value fills a blank with so many of its characters; a plain bound. */
const MOST_VALUE = 120;
const BLANK = /\{(\d)\}/g;

export function newNeed(text: string, query: string): Need {
  return { text, queries: [query], tried: [], state: 'missing', findings: [], value: '' };
}

export function isSettled({ state }: Need): boolean {
  return state === 'found' || state === 'disputed';
}

/** A text of a need with the values of earlier needs in its blanks, and `unknown` for those that are not known. Braces for no earlier need are the question's own. */
function filled(text: string, need: Need, needs: readonly Need[], unknown: string): string {
  const earlier = needs.slice(0, needs.indexOf(need));
  const result = text.replace(BLANK, (blank, number: string) => {
    const other = earlier[Number(number) - 1];
    if (!other) return blank;
    const value = other.value || (isSettled(other) ? other.findings[0]?.text : '');
    return value ? value.slice(0, MOST_VALUE) : unknown;
  });
  return result.replace(/\s+/g, ' ').trim();
}

/** A need in words, with `…` for what is not known. */
export function describeNeed(need: Need, needs: readonly Need[]): string {
  return filled(need.text, need, needs, '…');
}

const UNKNOWN = '\0';

/** The searches of a need that can be made: it is open, all blanks are known, and they were not made before. */
export function nextQueries(need: Need, needs: readonly Need[]): string[] {
  if (isSettled(need)) return [];
  const tried = new Set(need.tried.map(plainQuery));
  const queries = need.queries.map((query) => filled(query, need, needs, UNKNOWN));
  return queries.filter((query) => query && !query.includes(UNKNOWN) && !tried.has(plainQuery(query)));
}

/** Equal for searches that differ in capitals, blanks and the mark at the end alone. `C++` and `C#` differ. */
export const plainQuery = (query: string): string =>
  query
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.?!]$/, '');
