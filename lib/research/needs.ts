import type { AnswerPassage } from '../search/answer-engine.js';

/**
 * What is known of a need: `found`; `partly`; `disputed`: sources contradict each other; `missing`: nothing was found; `failed`: its search
 * failed, so nobody knows.
 */
export const NEED_STATES = ['found', 'partly', 'disputed', 'missing', 'failed'] as const;

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

/** A text with the values in its blanks; undefined where one of them is not known. */
export function filled(text: string, needs: readonly Need[]): string | undefined {
  let isOpen = false;
  const result = text.replace(BLANK, (_, number: string) => {
    const need = needs[Number(number) - 1];
    const value = need?.value || (need && isSettled(need) ? need.findings[0]?.text : '');
    isOpen ||= need !== undefined && !value;
    return value?.slice(0, MOST_VALUE) ?? '';
  });
  return isOpen ? undefined : result.replace(/\s+/g, ' ').trim();
}

/** A need in words, with `…` for what is not known. */
export function describeNeed({ text }: Need, needs: readonly Need[]): string {
  return text.replace(BLANK, (blank) => filled(blank, needs) || '…');
}

/** The searches of a need that can be made: it is open, all blanks are known, and they were not made before. */
export function nextQueries(need: Need, needs: readonly Need[]): string[] {
  const queries = isSettled(need) ? [] : need.queries.flatMap((query) => filled(query, needs) || []);
  return queries.filter((query) => !need.tried.some((one) => sameQuery(one, query)));
}

export const sameQuery = (a: string, b: string): boolean => plainQuery(a) === plainQuery(b);

const plainQuery = (query: string): string => (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
