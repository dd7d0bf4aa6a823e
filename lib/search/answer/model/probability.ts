import type { CheckedSentence, SentenceFault } from './verify.js';

/** Findings of the checks in a reply. Each sign can only lower the probability. */
interface ReplySigns {
  /** 1 when the model invented a quotation, claims what it changed in one, or obeyed a page; else 0. */
  discredited: number;
  /** Sentences removed for a value, and quotations with small changes: 0, 1, or 2 for more. */
  doubts: number;
}

/**
 * `intercept` and `discredited` are fitted by `npm run bench:replies -- --fit` on the replies in bench/replies. `doubts` is set by hand: the good
 * replies there never have any, because they were written so. One alone leaves an answer above 0.5, two do not.
 */
export const COEFFICIENTS = { intercept: 0.86, discredited: -3.56, doubts: -0.8 } as const;
/**
 * What a second look makes of an answer whose shown sentences it supports, whatever was wrong with the rest: a verifier that lets one wrong
 * sentence in seven pass leaves about this share of answers right. Set by hand, for the verifier is not known.
 */
const CONFIRMED = 0.85;

const DISCREDITING: ReadonlySet<SentenceFault> = new Set(['altered_quotation', 'instruction']);
/** Nothing is certain. */
const LEAST = 0.02;
const MOST = 0.98;
/** Probability after the answering sentence was removed. */
const MOST_RELATED = 0.2;
/** The model itself says that the sources do not answer. */
const DENIED = 0.05;

/** Reads the signs off the checked sentences. */
export function signsOf(sentences: readonly CheckedSentence[]): ReplySigns {
  const quotes = sentences.flatMap((s) => s.located);
  const isDiscredited =
    sentences.some((s) => s.fault && DISCREDITING.has(s.fault)) || quotes.some((q) => q.status === 'missing');
  const values = sentences.filter((s) => s.fault === 'value').length;
  const changed = sentences.filter(
    (s) => s.fault !== 'altered_quotation' && s.located.some((q) => q.status === 'altered'),
  ).length;
  return { discredited: isDiscredited ? 1 : 0, doubts: Math.min(2, values + changed) };
}

/**
 * Estimated probability that the shown answer is right and grounded in its sources, 0.02..0.98 to 3 decimals: a logistic regression on two
 * signs. It never rises when a reply gets worse. An answer that is not shown as one stays below the threshold.
 *
 * @param outcome `answers`: the answering sentence stands. `related`: it fell. `denied`: the model says that the sources do not answer
 * @param isConfirmed a second look has supported every shown sentence
 * @param threshold of an answer, 0..1
 */
export function replyProbability(
  signs: ReplySigns,
  outcome: 'answers' | 'related' | 'denied',
  isConfirmed: boolean,
  threshold: number,
): number {
  const { intercept, discredited, doubts } = COEFFICIENTS;
  const logit = intercept + discredited * signs.discredited + doubts * signs.doubts;
  const estimate = isConfirmed ? CONFIRMED : 1 / (1 + Math.exp(-logit));
  const most = outcome === 'answers' ? MOST : outcome === 'related' ? MOST_RELATED : DENIED;
  const bounded = Math.max(LEAST, Math.min(estimate, most));
  // Whatever the threshold: what is not shown as an answer is estimated below it.
  const value = outcome === 'answers' ? bounded : Math.min(bounded, 0.9 * threshold);
  return Math.round(value * 1000) / 1000;
}
