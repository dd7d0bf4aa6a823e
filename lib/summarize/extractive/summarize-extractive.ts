import { detectLanguage, languageOf, WHOLE_TEXT, type Language } from '../../core/text/index.js';
import { yielder } from '../../core/async.js';
import { choose, coverageOf, evidenceOf, type Evidence } from './selection.js';
import { findSentences } from './sentences.js';
import { type Pause, tokenize, type TimedText } from './token-table.js';
import { findUnits } from './units.js';
import { renderUnit } from './rendering.js';

/** A piece of a transcript with its time in seconds. */
export interface ExtractiveSegment {
  text: string;
  /** Seconds from the start. */
  start: number;
  /** Seconds. */
  duration: number;
}

/** What a caller may say about the text. */
export interface ExtractiveOptions {
  /** BCP 47 tag; guessed from the text when omitted or not one of `en pt es it de fr`. */
  language?: string;
  /** Most words of the summary, counted by white space. Default 180. */
  maxWords?: number;
  /** The same text as captions with times; read in place of `text` when given. */
  segments?: readonly ExtractiveSegment[];
  /** Stops the work; its reason is thrown. */
  signal?: AbortSignal;
}

/** What comes back. */
export interface ExtractiveSummary {
  /** One sentence a line, in the order of the text. */
  summary: string;
  /** Language whose word lists were used; undefined when it is none of the six. */
  language: Language | undefined;
}

/** The words of a default summary. */
const DEFAULT_WORDS = 180;

/**
 * Summarizes a text by its own most telling sentences: no model, no network, the same result every time.
 */
export async function summarizeExtractive(
  text: string,
  options: ExtractiveOptions = {},
): Promise<ExtractiveSummary> {
  const maxWords = Math.max(0, Math.floor(options.maxWords ?? DEFAULT_WORDS));
  const lines: TimedText[] = options.segments?.length
    ? options.segments.map((s) => ({
        text: s.text,
        startMs: s.start * 1000,
        endMs: (s.start + s.duration) * 1000,
      }))
    : text.split('\n').map((line) => ({ text: line, startMs: NaN, endMs: NaN }));
  const language = languageOf(options.language) ?? detectLanguage(text, WHOLE_TEXT);
  const pause = yielder(10, options.signal);
  const evidence = await read(lines, language, pause);
  const { units, table } = evidence;
  const choices = await choose(evidence, { from: 0, to: units.count, maxWords }, coverageOf(evidence), pause);
  const order = choices.map((c) => c.unit).sort((a, b) => a - b);
  const summary =
    order.length > 0 || units.count === 0 || maxWords === 0
      ? order.map((u) => renderUnit(table, units, u)).join('\n')
      : beginningOf(renderUnit(table, units, 0), maxWords);
  return { summary, language };
}

/** For a budget that no sentence fits into: how the text begins, and that it goes on. */
function beginningOf(sentence: string, maxWords: number): string {
  return `${sentence.split(/\s+/, maxWords).join(' ')}…`;
}

/** Reads lines into sentences and weighs their words. */
export async function read(
  lines: readonly TimedText[],
  language: Language | undefined,
  pause: Pause,
): Promise<Evidence> {
  const table = await tokenize(lines, language, pause);
  const sentences = await findSentences(table, pause);
  const units = await findUnits(table, sentences, pause);
  return evidenceOf(table, units, pause);
}
