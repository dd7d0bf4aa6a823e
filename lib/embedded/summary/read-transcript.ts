import { WHOLE_TEXT } from '../../text/detect-language.js';
import { identifyLanguage } from '../../text/identify-language.js';
import { markHousekeeping } from './housekeeping.js';
import { type Evidence, weigh } from './selection.js';
import { findSentences } from './sentences.js';
import { findSpeakers, hasSeveralVoices, isVerse } from './structure.js';
import { type Pause, type TimedText, tokenize } from './token-table.js';
import { findUnits } from './units.js';

export type Reading = Awaited<ReturnType<typeof readTranscript>>;

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
) {
  const { lines, named, partly } = findSpeakers(given);
  await pause();
  const verse = await isVerse(lines, pause);
  const table = await tokenize(lines, language, pause);
  const sentences = await findSentences(table, pause, verse);
  const units = await findUnits(table, sentences, pause);
  const topic = table.lexicon.stemsOf(title);
  await markHousekeeping(table, units, topic, pause);
  const { spoken: talk, border } = sentences;
  const unpunctuated = border !== undefined;
  const evidence: Evidence = { table, units, topic, talk, unpunctuated, ...weigh(table, units, topic) };
  return {
    evidence,
    /** True when the transcript names who says what. */
    named,
    /** True when there is evidence that several people speak. */
    voices: named || partly || hasSeveralVoices(table, sentences),
    /** True when the lines are those of a song. */
    verse,
  };
}
