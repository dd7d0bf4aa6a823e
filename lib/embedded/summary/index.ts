import { languageOf, type Language } from '../../text/languages.js';
import { yielder } from '../../core/async.js';
import { choosePassages, evenParts } from './passages.js';
import { beginningOf, languageIn, readTranscript, write } from './reading.js';
import { type TimedText } from './speakers.js';

/** A piece of a transcript with its time in seconds. */
export interface ExtractiveSegment {
  text: string;
  /** Seconds from the start. */
  start: number;
  /** Seconds. */
  duration: number;
}

/** Options of a caller. */
export interface ExtractiveOptions {
  /** BCP 47 tag; guessed from the text when omitted. */
  language?: string;
  /** Most words of the summary: separated by white space, and in scripts without blanks estimated from the characters. Default 180. */
  maxWords?: number;
  /** The same text as captions with times; read in place of `text` when given. */
  segments?: readonly ExtractiveSegment[];
  /** Stops the work; its reason is thrown. */
  signal?: AbortSignal;
}

/** The result. */
export interface ExtractiveSummary {
  /** Passages in the order of the text, one a line. */
  summary: string;
  /** Language whose word lists were used; undefined when it is not one of the six. */
  language: Language | undefined;
}

/**
 * Summarizes a text by its own most telling passages: no model, no network, the same result every time.
 */
export async function summarizeExtractive(
  text: string,
  options: ExtractiveOptions = {},
): Promise<ExtractiveSummary> {
  const wanted = Math.floor(options.maxWords ?? NaN);
  const maxWords = Number.isNaN(wanted) ? 180 : Math.max(0, wanted);
  const lines: TimedText[] = options.segments?.length
    ? options.segments.map((s) => ({
        text: s.text,
        startMs: s.start * 1000,
        endMs: (s.start + s.duration) * 1000,
      }))
    : text.split('\n').map((line) => ({ text: line, startMs: NaN, endMs: NaN }));
  const language = languageIn(lines, options.language);
  const pause = yielder(options.signal);
  const reading = await readTranscript(lines, language, pause);
  const { evidence } = reading;
  if (evidence.sentences.length === 0 || maxWords === 0)
    return { summary: '', language: languageOf(language) };
  const parts = evenParts(evidence, { from: 0, to: evidence.sentences.length }, 4);
  const passages = await choosePassages(evidence, maxWords, parts);
  const summary =
    passages.map((passage) => write(reading, passage)).join('\n') || beginningOf(reading, maxWords);
  return { summary, language: languageOf(language) };
}
