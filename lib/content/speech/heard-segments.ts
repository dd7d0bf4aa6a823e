import { countWords } from '../../text/count-words.js';
import { loopAt } from '../../text/loops.js';
import { sentenceSpans } from '../../text/sentences.js';
import type { TranscriptSegment } from '../content-source.js';
import { divide, textOf } from '../transcript-formats.js';
import { cleanCaption, isNonSpeech } from '../captions/clean-text.js';
import type { AudioStretch } from './cut-audio.js';
import type { Heard, HeardSegment } from './recognizer.js';

/** Models give times to about a second: how far a word may lie outside of its piece, s; set by hand. */
const SLACK = 1.5;
/** Most words of a line, when a model gives each word by itself; set by hand. */
const LINE_WORDS = 30;
/** A word of a script without blanks has at most this many words as {@link countWords} counts them: four characters of Han; set by hand. */
const MOST_IN_WORD = 2;

/**
 * Tokens that recognizers leave in a text: of Whisper and SenseVoice (`<|0.00|>`, `<|en|>`), of whisper.cpp (`[_TT_150]`), of CTC tokenizers and
 * CMU Sphinx (`<unk>`, `<pad>`, `<sil>`, `<s>`).
 */
const TOKEN = /<\|[^<>|]{0,60}\|>|\[_\w{1,30}\]|<\/?(?:s|unk|pad|sil)>/gi;

const wordsOf = (text: string): string => cleanCaption(text.replace(TOKEN, ' '));

/**
 * The segments of a piece in the order of the answer, with times from the start of the recording. A time that is missing or plainly wrong is
 * estimated from its neighbours. Where the model gives no times, all are: one segment a sentence, spread evenly over the piece.
 *
 * @returns also whether all were estimated
 */
export function timedSegments(
  { text, segments }: Heard,
  { startMs, endMs }: AudioStretch,
): { segments: TranscriptSegment[]; isEstimated: boolean } {
  const seconds = (endMs - startMs) / 1000;
  const at = (second: number): number => Math.round(Math.min(endMs, startMs + second * 1000));
  const timed = timesWithin(seconds, segments);
  if (!timed) {
    const said = wordsOf(text);
    const sentences = sentenceSpans(said).map(({ start, end }) => ({
      startMs: at((start / said.length) * seconds),
      endMs: at((end / said.length) * seconds),
      text: said.slice(start, end),
    }));
    return { segments: sentences, isEstimated: true };
  }
  const lines = timed.map(({ text, start, end, speaker }) => ({
    startMs: at(start),
    endMs: at(end),
    text,
    ...(speaker === undefined ? {} : { speaker }),
  }));
  const isByWord =
    lines.every(({ text }) => !text.includes(' ')) &&
    lines.reduce((sum, { text }) => sum + countWords(text), 0) <= lines.length * MOST_IN_WORD;
  return { segments: isByWord ? linesOf(lines) : lines, isEstimated: false };
}

/**
 * The segments with words, each with its times in seconds within the piece. A time that is missing or does not fit is estimated.
 * @returns undefined where the times are none: missing, or milliseconds and nanoseconds, which some servers give
 */
function timesWithin(
  seconds: number,
  segments: readonly HeardSegment[],
): (HeardSegment & { start: number; end: number })[] | undefined {
  const isWithin = (time = 0): boolean => time >= -SLACK && time <= seconds + SLACK;
  const said = segments
    .map((segment) => ({ ...segment, text: wordsOf(segment.text) }))
    .filter(({ text }) => text !== '');
  const within = said.map(({ start, end }) => isWithin(start) && isWithin(end));
  const wrong = within.filter((isFine) => !isFine).length;
  const sound = said.filter(({ start }, i) => within[i] && start !== undefined);
  if (wrong > sound.length || !sound.some(({ start = 0, end = 0 }) => start > 0 || end > 0)) return undefined;
  // The order of an answer is that of the words: a start that does not fit into it is wrong.
  const inOrder = longestRising(said.map(({ start }, i) => (within[i] ? start : undefined)));
  const starts = said.map(({ start }, i) => (inOrder.has(i) ? Math.max(0, start!) : undefined));
  const ends = said.map(({ end }, i) => (inOrder.has(i) ? end : undefined));
  for (let i = 0; i < said.length; i++) {
    if (starts[i] !== undefined) continue;
    let to = i;
    while (to < said.length && starts[to] === undefined) to++;
    // The time between two known times is shared by length. The segment before shares as well where nobody knows when it ends.
    const until = starts[to] ?? seconds;
    const from = i > 0 && ends[i - 1] === undefined ? i - 1 : i;
    let time = Math.min(until, i === 0 ? 0 : (ends[i - 1] ?? starts[i - 1]!));
    let rest = said.slice(from, to).reduce((sum, { text }) => sum + text.length, 0);
    for (let k = from; k < to; k++) {
      const { length } = said[k]!.text;
      starts[k] ??= time;
      time += ((until - time) * length) / rest;
      rest -= length;
      ends[k] = time;
    }
  }
  return said.map((segment, i) => {
    const start = starts[i]!;
    return { ...segment, start, end: Math.max(start, ends[i] ?? starts[i + 1] ?? seconds) };
  });
}

/** Places of the most values that never fall from one to the next; undefined is left out. */
function longestRising(values: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length, the place where a run of this length ends lowest. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [i, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! <= value) low = middle + 1;
      else high = middle;
    }
    before[i] = ends[low - 1];
    ends[low] = i;
  }
  const places = new Set<number>();
  for (let i = ends.at(-1); i !== undefined; i = before[i]) places.add(i);
  return places;
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
 * Removes what recognizers are known to invent: loops, and words in silence. Marks sounds that are not speech.
 *
 * @param silences stretches of silence; undefined where the times of the segments are estimates
 * @returns also how many words were removed
 */
export function withoutInventions(
  segments: readonly TranscriptSegment[],
  silences: readonly AudioStretch[] = [],
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

function isSilent({ startMs, endMs }: TranscriptSegment, silences: readonly AudioStretch[]): boolean {
  return silences.some((silence) => {
    const common = Math.min(endMs, silence.endMs) - Math.max(startMs, silence.startMs);
    return startMs >= silence.startMs + SILENT.afterMs && common >= (endMs - startMs) * SILENT.share;
  });
}

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
