import { detectLanguage, WHOLE_TEXT } from '../../../text/detect-language.js';
import { identifyLanguage } from '../../../text/identify-language.js';
import type { Language } from '../../../text/languages.js';
import { words } from '../../../text/tokens.js';
import type { ProposedPoint } from '../../prompts.js';
import type { UnsupportedReason } from '../../summarizer.js';
import type { SummaryRun } from '../summary-run.js';
import type { Flaw, Point } from '../verify/fact-checker.js';

/** What the check found about a sentence. */
export interface Finding {
  sentence: string;
  reason: UnsupportedReason;
  /** For the model that corrects it, and for warnings. */
  why: string;
}

const REASON_OF_FLAW: Readonly<Record<Flaw, UnsupportedReason>> = {
  number: 'value',
  name: 'name',
  words: 'few_words_in_common',
};
const WHY: Readonly<Record<UnsupportedReason, string>> = {
  value: 'a number that is not said',
  name: 'a name that is not said',
  quotation: 'a quotation that is not said',
  contradicted: 'the video says otherwise',
  few_words_in_common: 'it is not said',
};

/** Whether a finding is certain: a value, name or quotation that the content does not have, or that it contradicts. */
export function isHard({ reason }: Finding): boolean {
  return reason !== 'few_words_in_common';
}

/** Share of a sentence's content words that must be said somewhere. Nine of ten sentences of human summaries have more (QMSum, FREDSum). */
const SAID_SHARE = 0.4;
const QUOTED_WORDS = 4;
const QUOTATION = /["“„«]([^"“”„«»]{12,300})["”“»]/gu;

/** Checks one sentence against the transcript. @returns undefined where nothing in it can be checked */
export function checkSentence(
  run: SummaryRun,
  sentence: string,
  language: Language | undefined,
): Finding | 'holds' | undefined {
  const { facts, index } = run;
  const { flaw, checked } = facts.facts(sentence, undefined, language);
  const found = (reason: UnsupportedReason): Finding => ({ sentence, reason, why: WHY[reason] });
  if (flaw) return found(REASON_OF_FLAW[flaw]);
  const isOfTranscript = language !== undefined && language === run.language;
  const quoted = isOfTranscript
    ? [...sentence.matchAll(QUOTATION)]
        .map((match) => match[1]!)
        .filter((one) => words(one).length >= QUOTED_WORDS)
    : [];
  if (quoted.some((one) => index.findQuote(one, index.whole) === undefined)) return found('quotation');
  const share = isOfTranscript ? index.shareSaid(sentence, facts.known) : undefined;
  if (share !== undefined && share < SAID_SHARE) return found('few_words_in_common');
  return checked > 0 || quoted.length > 0 || share !== undefined ? 'holds' : undefined;
}

/**
 * Checks a statement that stands alone, and finds the time of the words it rests on.
 * @param isMark says whether a second was sent with the material
 */
export function checkPoint(
  run: SummaryRun,
  { t, text, quote }: ProposedPoint,
  language: Language | undefined,
  isMark: (second: number) => boolean = () => false,
  range = run.index.whole,
): Point | Finding {
  const point = run.facts.checkPoint(
    { claim: text, second: t, quote: quote || undefined },
    range,
    language,
    isMark,
  );
  if (typeof point !== 'string') return point;
  const reason = REASON_OF_FLAW[point];
  return { sentence: text, reason, why: WHY[reason] };
}

/** Fewest letters that tell a language. */
const FEWEST_LETTERS = 40;

/**
 * The language of a text: one of the six, or the code of another.
 * @returns undefined where it does not tell
 */
export function writtenIn(text: string): string | undefined {
  if (text.length < FEWEST_LETTERS && !/[^\p{sc=Latin}\P{L}]/u.test(text)) return undefined;
  return detectLanguage(text, WHOLE_TEXT) ?? identifyLanguage(text);
}
