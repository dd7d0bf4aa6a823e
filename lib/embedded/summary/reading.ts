import { type Pause } from '../../core/async.js';
import { WHOLE_TEXT } from '../../text/detect-language.js';
import { countWords } from '../../text/count-words.js';
import { UNSPACED, wordKind } from '../../text/each-word.js';
import { identifyLanguage } from '../../text/identify-language.js';
import { languageOf } from '../../text/languages.js';
import { findHousekeeping } from './housekeeping.js';
import { type Evidence, type Stretch, weigh } from './passages.js';
import { capitalized, STOP, findSentences } from './sentences.js';
import { findSpeakers, type TimedText } from './speakers.js';

/** A transcript that was read. */
export interface Reading {
  evidence: Evidence;
  /** The stems of another text. */
  stemsIn: (text: string) => Set<string>;
  /** True when each line names its speaker. */
  named: boolean;
  /** True when several people speak. */
  several: boolean;
}

/**
 * The language of a transcript: the declared one, which is never overruled, or the one that its words are in.
 *
 * @param declared BCP 47 tag
 * @returns ISO 639-1 code, or `und`
 */
export function languageIn(lines: readonly { text: string }[], declared: string | undefined): string {
  const base = declared?.toLowerCase().split(/[-_]/, 1)[0];
  if (base && base !== 'und') return base;
  let text = '';
  for (const line of lines) {
    if (text.length > WHOLE_TEXT) break;
    text += `${line.text.slice(0, WHOLE_TEXT)}\n`;
  }
  return identifyLanguage(text) ?? 'und';
}

/**
 * Reads lines into sentences and weighs their words.
 *
 * @param language ISO 639-1 code; word lists are used where there are any
 * @param title what the content is called; its words count for more
 */
export async function readTranscript(
  given: readonly TimedText[],
  language: string,
  pause: Pause,
  title = '',
): Promise<Reading> {
  const { lines, named, several } = await findSpeakers(given, pause);
  const { list: sentences, unpunctuated, stemsIn } = await findSentences(lines, language, pause);
  const topic = stemsIn(title);
  const housekeeping = await findHousekeeping(sentences, languageOf(language), topic, unpunctuated, pause);
  const weighed = await weigh(sentences, housekeeping, topic, pause);
  const evidence = { sentences, housekeeping, unpunctuated, topic, ...weighed, pause };
  return { evidence, stemsIn, named, several };
}

/** Ends after which no blank follows. */
const UNSPACED_END = /[。！？｡」』）]$/;
const isUnspaced = (text: string): boolean =>
  UNSPACED_END.test(text) || wordKind(text.charCodeAt(text.length - 1)) === UNSPACED;

/** Writes a passage as it was said. "…" stands where captions may be cut inside a sentence, and a speaker's name before another's words. */
export function write({ evidence: { sentences }, named }: Reading, { from, to }: Stretch): string {
  let text = sentences[from]!.opens ? '' : '…';
  let speaker: string | undefined;
  for (let s = from; s < to; s++) {
    const sentence = sentences[s]!;
    const isOpen = s + 1 < sentences.length && !sentences[s + 1]!.opens;
    if (s > from && !isUnspaced(text)) text += ' ';
    if (named && sentence.speaker !== speaker) text += `${sentence.speaker}: `;
    speaker = sentence.speaker;
    text += sentence.opens ? capitalized(sentence.text) : sentence.text;
    if (isOpen) text += s + 1 === to ? '…' : '';
    else if (!STOP.test(text) && !isUnspaced(text)) text += '.';
  }
  return text;
}

/** The first words of a text of which no passage fits into the budget, or is about anything but the video. */
export function beginningOf(reading: Reading, maxWords: number): string {
  const first = reading.evidence.sentences[0]!;
  if (first.words <= maxWords) return write(reading, { from: 0, to: 1 });
  const { text } = first;
  // The words that fit, or the characters of scripts without blanks.
  const isEnd = (at: number): boolean =>
    (text[at] ?? ' ') === ' ' || isUnspaced(text[at - 1]!) || isUnspaced(text[at]!);
  const ends = Array.from({ length: text.length }, (_, k) => k + 1).filter(isEnd);
  let [fit, over] = [0, ends.length];
  while (over - fit > 1) {
    const middle = (fit + over) >> 1;
    if (countWords(text.slice(0, ends[middle])) <= maxWords) fit = middle;
    else over = middle;
  }
  return `${capitalized(text.slice(0, ends[fit]))}${ends[fit] === text.length ? '' : '…'}`;
}
