import { loopAt } from '../../text/loops.js';
import { sentenceSpans } from '../../text/sentences.js';
import type { TranscriptSegment } from '../content-source.js';
import { divide, textOf } from '../transcript-formats.js';
import { cleanText, isNonSpeech } from '../youtube/captions/clean-text.js';
import type { Stretch } from './cut-audio.js';
import type { Heard } from './recognizer.js';

/** Models give times to about a second: how far a word may lie outside of its piece, ms. */
const SLACK_MS = 1500;
/** Most words of a line, when a model gives each word by itself. */
const LINE_WORDS = 30;

/**
 * The segments of a piece with times from the start of the recording. Where the model gives no times, they are estimated: one segment a
 * sentence, spread evenly over the piece.
 *
 * @returns also whether they were estimated
 */
export function timedSegments(
  { text, segments }: Heard,
  { startMs, endMs }: Stretch,
): { segments: TranscriptSegment[]; isEstimated: boolean } {
  // Some servers give milliseconds or nanoseconds.
  const endsAt = (endMs - startMs + SLACK_MS) / 1000;
  const hasTimes = segments.some(({ end }) => end > 0) && segments.every(({ start }) => start <= endsAt);
  const at = (ms: number): number => Math.round(Math.min(endMs, startMs + ms));
  if (!hasTimes) {
    const said = cleanText(text);
    const msPerCharacter = (endMs - startMs) / said.length;
    const sentences = sentenceSpans(said).map(({ start, end }) => ({
      startMs: at(start * msPerCharacter),
      endMs: at(end * msPerCharacter),
      text: said.slice(start, end),
    }));
    return { segments: sentences, isEstimated: true };
  }
  const timed = segments
    .map(({ text, start, end, speaker }) => ({
      startMs: at(start * 1000),
      endMs: at(Math.max(start, end) * 1000),
      text: cleanText(text),
      ...(speaker === undefined ? {} : { speaker }),
    }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.startMs - b.startMs);
  const isByWord = timed.every(({ text }) => !text.includes(' '));
  return { segments: isByWord ? linesOf(timed) : timed, isEstimated: false };
}

function linesOf(words: readonly TranscriptSegment[]): TranscriptSegment[] {
  const turns = words.map((word, i) => ({ ...word, startsLine: word.speaker !== words[i - 1]?.speaker }));
  return divide(turns, [], { least: 1, most: LINE_WORDS }).map((range) => ({
    ...words[range.from]!,
    endMs: words[range.to - 1]!.endMs,
    text: textOf(words, range),
  }));
}

/** A segment is heard in silence if this share of it is, and it begins this much after the sound has ended, ms. */
const SILENT = { share: 0.9, afterMs: 500 };

/**
 * Removes what recognisers are known to invent: loops, and words in silence. Marks sounds that are not speech.
 *
 * @param silences stretches of silence; undefined where the times of the segments are estimates
 * @returns also how many words were removed
 */
export function withoutInventions(
  segments: readonly TranscriptSegment[],
  silences: readonly Stretch[] = [],
): { segments: TranscriptSegment[]; removedWords: number } {
  const spoken = segments.filter((segment) => !isSilent(segment, silences));
  const kept = withoutLoops(spoken, ({ text }) => text).map((segment) => {
    const text = withoutLoops(segment.text.split(' '), (word) => word).join(' ');
    return { ...segment, text, ...(isNonSpeech(text) ? { nonSpeech: true } : {}) };
  });
  return { segments: kept, removedWords: wordsIn(segments) - wordsIn(kept) };
}

function wordsIn(segments: readonly TranscriptSegment[]): number {
  return segments.reduce((sum, { text }) => sum + text.split(' ').length, 0);
}

function isSilent({ startMs, endMs }: TranscriptSegment, silences: readonly Stretch[]): boolean {
  return silences.some((silence) => {
    const common = Math.min(endMs, silence.endMs) - Math.max(startMs, silence.startMs);
    return startMs >= silence.startMs + SILENT.afterMs && common >= (endMs - startMs) * SILENT.share;
  });
}

/** Of a loop one repetition is kept. */
function withoutLoops<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const keys = items.map((item) =>
    textOf(item)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} ]+/gu, ''),
  );
  const kept: T[] = [];
  for (let i = 0; i < items.length;) {
    const { period, length } = loopAt(keys, i);
    kept.push(...items.slice(i, i + period));
    i += length;
  }
  return kept;
}
