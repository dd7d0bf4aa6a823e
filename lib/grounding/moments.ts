import type { Language } from '../text/languages.js';
import type { Evidence, Place } from './evidence.js';
import { findQuotation, QUOTED_SPEECH, comparedWords } from './quotations.js';

/** A statement about a video, with what the model gave for it. */
export interface SpokenStatement {
  text: string;
  /** Words that the model says are copied from the transcript. */
  quotation?: string;
  /** The second that the model names. */
  second?: number;
}

/** What is known about the statements of a video. */
export interface MomentOptions {
  /** Language of the statement; undefined where it is none of the six. */
  language: Language | undefined;
  /** The part of the transcript that the model has seen. Default: all of it. */
  within?: Place;
  /** Whether a second was shown to the model as a mark: in another language such a second is believed. Default: none was. */
  isMark?: (second: number) => boolean;
}

/** Where a video bears a statement out. */
export interface Moment {
  place: Place;
  /** Beginning of the sentence that is said there, ms. */
  startMs: number;
}

/** Share of a statement's words that must stand together: near the second that the model names, and elsewhere; set by hand. */
const NEAR_SHARE = 0.4;
const FAR_SHARE = 0.6;
const NEAR_MS = 90_000; // before and after that second; set by hand
/** A shorter quotation stands anywhere; set by hand. */
const LEAST_WORDS = 3;

/**
 * Where a statement about a video is said: where its quotation stands, else where its words stand, first near the second that the model
 * names; in another language, near that second.
 *
 * @returns undefined where nothing of it is said
 */
export function findMoment(
  { text, quotation, second }: SpokenStatement,
  evidence: Evidence,
  { language, within = evidence.wholeOf(), isMark = () => false }: MomentOptions,
): Moment | undefined {
  const near =
    second === undefined
      ? undefined
      : overlapOf(evidence.between(second * 1000 - NEAR_MS, second * 1000 + NEAR_MS), within);
  const momentAt = (place: Place): Moment => ({ place, startMs: evidence.sentenceTimeOf(place) });
  if (quotation && comparedWords(quotation).length >= LEAST_WORDS) {
    const at = second === undefined ? undefined : evidence.between(second * 1000, Infinity);
    const found = findQuotation(quotation, evidence, within, at);
    if (found && found.share >= QUOTED_SPEECH) return momentAt(found.place);
  }
  const [around] = near ? evidence.overlaps(text, language, '', near) : [];
  if (around && around.together >= NEAR_SHARE) return momentAt(around.place);
  const [anywhere] = evidence.overlaps(text, language, '', within);
  if (anywhere && anywhere.together >= FAR_SHARE) return momentAt(anywhere.place);
  if (second === undefined || !near) return undefined;
  // Words of another language cannot be looked up.
  const isForeign = language !== evidence.sources[0]!.reading;
  return isForeign && isMark(second) ? { place: near, startMs: second * 1000 } : undefined;
}

function overlapOf(a: Place, b: Place): Place {
  return { ...a, start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}
