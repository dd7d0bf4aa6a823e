import type { AnswerPassage } from '../search/answer-engine.js';

/**
 * What is known of a need: `found`; `partly`; `disputed`: sources contradict each other; `missing`: nothing was found; `failed`: its search
 * failed, so nobody knows; `not_read`: the model failed to read what was found, so nobody knows either.
 */
export const NEED_STATES = ['found', 'partly', 'disputed', 'missing', 'failed', 'not_read'] as const;

/** One of {@link NEED_STATES}. */
export type NeedState = (typeof NEED_STATES)[number];

/** A sentence whose words were found in a passage. */
export interface FoundSentence {
  /** Without source numbers. */
  text: string;
  /** Verbatim words, and the index of their passage in {@link ResearchState.passages}. */
  quotes: readonly { passage: number; quote: string }[];
}

/** Something that must be known to answer the question. */
export interface Need {
  /** In words. `{1}` stands for the value of the first need. */
  text: string;
  /** Searches to make, with blanks. */
  queries: string[];
  /** The searches that were made. */
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
  pages: string[];
}

export const MOST_NEEDS = 6;
/** A finding that names no value fills a blank with so many of its characters. */
const MOST_VALUE = 120;
const BLANK = /\{(\d)\}/g;

export function newNeed(text: string, query: string): Need {
  return { text, queries: [query], tried: [], state: 'missing', findings: [], value: '' };
}

export function isSettled({ state }: Need): boolean {
  return state === 'found' || state === 'disputed';
}

/** A text with the values of earlier needs in its blanks; undefined where one of them is not known. Braces for no earlier need are the question's own. */
function filled(text: string, earlier: readonly Need[]): string | undefined {
  let isOpen = false;
  const result = text.replace(BLANK, (blank, number: string) => {
    const need = earlier[Number(number) - 1];
    if (!need) return blank;
    const value = need.value || (isSettled(need) ? need.findings[0]?.text : '');
    isOpen ||= !value;
    return value?.slice(0, MOST_VALUE) ?? '';
  });
  return isOpen ? undefined : result.replace(/\s+/g, ' ').trim();
}

/** A need in words, with `…` for what is not known. */
export function describeNeed(need: Need, needs: readonly Need[]): string {
  return need.text.replace(BLANK, (blank) => filled(blank, before(need, needs)) || '…');
}

/** The searches of a need that can be made: it is open, all blanks are known, and they were not made before. */
export function nextQueries(need: Need, needs: readonly Need[]): string[] {
  const earlier = before(need, needs);
  const queries = isSettled(need) ? [] : need.queries.flatMap((query) => filled(query, earlier) || []);
  return queries.filter((query) => !need.tried.some((one) => sameQuery(one, query)));
}

function before(need: Need, needs: readonly Need[]): readonly Need[] {
  return needs.slice(0, needs.indexOf(need));
}

/** Whether two searches differ in capitals, blanks and the mark at the end alone. `C++` and `C#` differ. */
export const sameQuery = (a: string, b: string): boolean => plainQuery(a) === plainQuery(b);

const plainQuery = (query: string): string =>
  query
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.?!]$/, '');
