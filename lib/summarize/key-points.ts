import { yielder } from '../core/async.js';
import { checkStatements, type Check } from '../grounding/check-statements.js';
import type { Calculation } from '../grounding/calculations.js';
import { findMoment } from '../grounding/moments.js';
import { findQuotation, QUOTED_SPEECH } from '../grounding/quotations.js';
import { detectLanguage } from '../text/detect-language.js';
import { identifyLanguage } from '../text/identify-language.js';
import { languageOf } from '../text/languages.js';
import { words } from '../text/tokens.js';
import type { Problem } from '../data/prompts.js';
import { problemOf } from '../writing/write-checked.js';
import type { ProposedPoint } from './prompts.js';
import type { SummaryRun } from './summary-run.js';

/** A statement that the transcript bears out. */
export interface Point {
  text: string;
  /** Time at which the words that bear it out are said, ms. */
  startMs: number;
  /** Those words, where they are few. */
  quote?: string;
  /** `frame` if it was seen in a picture and not said. */
  source?: 'frame';
}

/** Checks statements of one text, in order. @param language of the text, BCP 47 base */
export function checkDraft(
  run: SummaryRun,
  statements: readonly { text: string; quote?: string }[],
  language: string,
  calculations: readonly Calculation[],
): Promise<Check[]> {
  const quoted = statements.map(({ text, quote }) => {
    const found = quote ? findQuotation(quote, run.transcript) : undefined;
    return { text, quoted: found && found.share >= QUOTED_SPEECH ? [found.place] : [] };
  });
  return checkStatements(quoted, run.transcript, {
    language: languageOf(language),
    calculations,
    signal: run.context.signal,
  });
}

/** A longer stretch of words is no quotation, characters; a plain bound. */
const LONGEST_QUOTE = 120;

interface PointOptions {
  /** BCP 47 base of the language of the statements. */
  language: string;
  /** How the model worked out numbers. Default: none. */
  calculations?: readonly Calculation[];
  /** The part of the transcript that the model has seen, ms. Default: all of it. */
  range?: { startMs: number; endMs: number };
  /** Whether a second was shown to the model in brackets. */
  isMark?: (second: number) => boolean;
  /** The note that a statement rests on. Default: none. */
  noted?: (point: ProposedPoint) => Point | undefined;
}

/**
 * Checks statements that stand alone, and finds the time at which each is said.
 * @returns those that hold, in order of time, and those that do not
 */
export async function checkPoints(
  run: SummaryRun,
  proposed: readonly ProposedPoint[],
  { language, calculations = [], range, isMark, noted = () => undefined }: PointOptions,
): Promise<{ points: Point[]; dropped: Problem[] }> {
  const { transcript } = run;
  const points: Point[] = [];
  const dropped: Problem[] = [];
  const statements = distinct(proposed);
  const checks = await checkDraft(run, statements, language, calculations);
  const within = range && transcript.between(range.startMs, range.endMs);
  const pause = yielder(run.context.signal);
  for (const [i, point] of statements.entries()) {
    const { text, quote, t } = point;
    const fault = problemOf({ text, ...checks[i]! });
    const note = noted(point);
    if (fault) dropped.push(fault);
    else if (note) points.push({ ...note, text });
    else {
      const written = detectLanguage(text) ?? languageOf(language);
      const statement = { text, quotation: quote, second: t };
      const moment = findMoment(statement, transcript, { language: written, within, isMark });
      const said = moment && transcript.textAt(moment.place);
      if (!moment) dropped.push({ text, why: 'its words are not said' });
      else
        points.push({
          text,
          startMs: moment.startMs,
          quote: said!.length <= LONGEST_QUOTE ? said : undefined,
        });
    }
    await pause();
  }
  return { points: points.sort((a, b) => a.startMs - b.startMs), dropped };
}

/** The statements that say something, each once. */
function distinct<P extends { text: string }>(points: readonly P[]): P[] {
  const seen = new Set(['']);
  return points.filter(({ text }) => {
    const key = words(text).join(' ');
    return !seen.has(key) && seen.add(key);
  });
}

/** Fewest letters that tell a language, in Latin script; set by hand. */
const FEWEST_LETTERS = 40;

/**
 * The language of a text: one of the six, or the code of another.
 * @returns undefined where it does not tell
 */
export function writtenIn(text: string): string | undefined {
  if (text.length < FEWEST_LETTERS && !/[^\p{sc=Latin}\P{L}]/u.test(text)) return undefined;
  return identifyLanguage(text);
}

/** How refusals begin, in the six languages. */
const REFUSAL =
  /^(?:(?:i[’']?m|i am|we[’']?re) (?:\w+ )?(?:sorry|unable|not able|afraid)|sorry|i apologi[sz]e|(?:unfortunately|regrettably),? (?:i|we)\b|i (?:can(?:no|[’'])t|can not|won[’']t|will not|do(?: not|n[’']t) have|must decline)|as an? (?:ai|language model)|(?:please|could you|kindly) (?:provide|share|paste|send)|(?:es tut mir|tut mir) leid|leider (?:kann|konnte|darf) ich|ich (?:kann|darf) (?:\S+ ){0,6}nicht|als (?:ki|sprachmodell)|bitte (?:geben|stellen|teilen|senden)|(?:je suis |)désolée?|(?:malheureusement|hélas),? je|je ne (?:peux|suis) pas|en tant qu|veuillez (?:fournir|partager)|lo siento|lamentablemente|no puedo|como (?:modelo|ia)\b|por favor,? (?:proporcion|compart|envía|forne)|mi dispiace|purtroppo (?:non|io)|non (?:posso|sono in grado)|come (?:modello|ia)\b|per favore,? (?:forn|condivid)|desculpe|sinto muito|lamento|infelizmente|não (?:posso|consigo))/iu;
/** A text with a smaller share of words that are said is about something else. The lowest share of 64 human summaries of meetings is 0.39. Set by hand. */
const TEXT_SHARE = 0.35;

/** Whether a text refuses, or says nothing about the video. */
export function isRefusal(run: SummaryRun, text: string): boolean {
  if (REFUSAL.test(text)) return true;
  const language = languageOf(writtenIn(text));
  const [overlap] = run.transcript.overlaps(text, language);
  return overlap !== undefined && overlap.anywhere < TEXT_SHARE;
}
