import { sentenceSpans } from '../../text/sentences.js';
import type { TranscriptSegment } from '../content-source.js';
import { cleanText, isNonSpeech } from '../youtube/captions/clean-text.js';
import type { Stretch } from './cut-audio.js';
import type { Heard } from './recognizer.js';

/** The words of one piece, with times from the start of the recording. */
export interface HeardPiece extends Stretch {
  segments: TranscriptSegment[];
}

/** A word, or a character of a script without blanks. */
interface Word {
  /** Lower case, without punctuation; empty for punctuation alone. */
  key: string;
  /** Where it stands in its segment. */
  segment: TranscriptSegment;
  from: number;
  to: number;
  /** Estimated from its place in its segment. */
  startMs: number;
  endMs: number;
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`;
const WORD = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, 'gu');

function wordsOf(segment: TranscriptSegment): Word[] {
  const { text, startMs, endMs } = segment;
  const at = (index: number): number => startMs + ((endMs - startMs) * index) / text.length;
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    key: word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''),
    segment,
    from: index,
    to: index + word.length,
    startMs: at(index),
    endMs: at(index + word.length),
  }));
}

/** The segments of those words, each cut to the words that are left of it. */
function segmentsOf(words: readonly Word[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let first = 0;
  for (let i = 1; i <= words.length; i++) {
    const [begin, last] = [words[first]!, words[i - 1]!];
    const follows = words[i]?.segment === last.segment && /^\s*$/.test(gap(last, words[i]!));
    if (follows) continue;
    const { segment } = begin;
    const isWhole =
      segment.text.slice(0, begin.from).trim() === '' && segment.text.slice(last.to).trim() === '';
    segments.push(
      isWhole
        ? segment
        : {
            ...segment,
            startMs: Math.round(begin.startMs),
            endMs: Math.round(last.endMs),
            text: segment.text.slice(begin.from, last.to),
          },
    );
    first = i;
  }
  return segments;
}

const gap = (before: Word, after: Word): string => before.segment.text.slice(before.to, after.from);

// Times of one piece

/** Words of a segment that is a whole line, when a model gives each word by itself. */
const LINE = { words: 30, ms: 12_000, pauseMs: 1000 };
const SENTENCE_END = /[.!?…。！？]["'’”)]*$/u;

/**
 * The segments of a piece with times from the start of the recording. Where the model gives no times, they are estimated: one segment a
 * sentence, spread over what is not silence.
 *
 * @returns also whether they were estimated
 */
export function timedSegments(
  { text, segments }: Heard,
  piece: Stretch,
  silences: readonly Stretch[],
): { segments: TranscriptSegment[]; isEstimated: boolean } {
  const hasTimes = segments.some(({ end }) => end > 0);
  if (!hasTimes) return { segments: estimated(cleanText(text), piece, silences), isEstimated: true };
  const at = (seconds: number): number => Math.round(Math.min(piece.endMs, piece.startMs + seconds * 1000));
  const timed = segments
    .map(({ text, start, end, speaker }) => ({
      startMs: at(start),
      endMs: at(Math.max(start, end)),
      text: cleanText(text),
      ...(speaker === undefined ? {} : { speaker }),
    }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.startMs - b.startMs);
  return {
    segments: timed.every(({ text }) => !text.includes(' ')) ? lines(timed) : timed,
    isEstimated: false,
  };
}

/** Lines of models that give each word by itself. */
function lines(words: readonly TranscriptSegment[]): TranscriptSegment[] {
  const lines: TranscriptSegment[] = [];
  let count = 0;
  for (const word of words) {
    const line = lines.at(-1);
    const ends =
      !line ||
      count >= LINE.words ||
      word.endMs - line.startMs > LINE.ms ||
      word.startMs - line.endMs > LINE.pauseMs ||
      word.speaker !== line.speaker ||
      SENTENCE_END.test(line.text);
    count = ends ? 1 : count + 1;
    if (ends) lines.push({ ...word });
    else Object.assign(line, { text: `${line.text} ${word.text}`, endMs: word.endMs });
  }
  return lines;
}

function estimated(text: string, piece: Stretch, silences: readonly Stretch[]): TranscriptSegment[] {
  const sounds = soundsOf(piece, silences);
  const total = sounds.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  /** When so much of the text has been said. */
  const at = (share: number, isEnd: boolean): number => {
    let left = share * total;
    for (const { startMs, endMs } of sounds) {
      const length = endMs - startMs;
      if (left < length || (isEnd && left <= length)) return Math.round(startMs + left);
      left -= length;
    }
    return Math.round(piece.endMs);
  };
  return sentenceSpans(text).map(({ start, end }) => ({
    startMs: at(start / text.length, false),
    endMs: at(end / text.length, true),
    text: text.slice(start, end),
  }));
}

/** What is left of a stretch without its silences; the whole where nothing is left. */
function soundsOf({ startMs, endMs }: Stretch, silences: readonly Stretch[]): Stretch[] {
  const sounds: Stretch[] = [];
  let from = startMs;
  for (const silence of silences) {
    if (silence.endMs <= from || silence.startMs >= endMs) continue;
    if (silence.startMs > from) sounds.push({ startMs: from, endMs: silence.startMs });
    from = silence.endMs;
  }
  if (from < endMs) sounds.push({ startMs: from, endMs });
  return sounds.length > 0 ? sounds : [{ startMs, endMs }];
}

// Borders

/** Words further from an overlap, or from each other, are not the same, ms. Models give times to about a second. */
const SLACK_MS = 1500;
/** A run of words counts for one word less for each of these that its times differ, ms: about a word, so that repeated words are not shifted. */
const WORD_MS = 300;
/** A single word is the same only if it is heard at nearly the same time. */
const LEAST_SCORE = -1;

/**
 * Joins pieces in their order. Words that two pieces have heard appear once: the two meet at the longest run of equal words, because a word
 * that is cut in two is heard wrongly by both. Where no words are equal, they meet in the middle of the overlap.
 */
export function joinPieces(pieces: readonly HeardPiece[]): TranscriptSegment[] {
  let joined: TranscriptSegment[] = [];
  let before: HeardPiece | undefined;
  for (const piece of pieces) {
    const overlap = before && { startMs: piece.startMs, endMs: before.endMs };
    joined =
      overlap && overlap.endMs > overlap.startMs
        ? joinTwo(joined, piece.segments, overlap)
        : [...joined, ...piece.segments];
    before = piece;
  }
  return joined;
}

function joinTwo(
  before: readonly TranscriptSegment[],
  after: readonly TranscriptSegment[],
  overlap: Stretch,
): TranscriptSegment[] {
  const [from, to] = [overlap.startMs - SLACK_MS, overlap.endMs + SLACK_MS];
  const firstNear = before.findIndex(({ endMs }) => endMs > from);
  const near = firstNear < 0 ? before.length : firstNear;
  const tail = before.slice(near).flatMap(wordsOf);
  const firstFar = after.findIndex(({ startMs }) => startMs >= to);
  const far = firstFar < 0 ? after.length : firstFar;
  const head = after.slice(0, far).flatMap(wordsOf);
  const middle = (overlap.startMs + overlap.endMs) / 2;
  const run = longestRun(tail, head, { startMs: from, endMs: to });
  const isFirst = (word: Word): boolean => (word.startMs + word.endMs) / 2 < middle;
  const left = segmentsOf(run ? tail.slice(0, run.tail + run.length) : tail.filter(isFirst));
  const right = segmentsOf(run ? head.slice(run.head + run.length) : head.filter((word) => !isFirst(word)));
  // A sentence that goes on after the border is one segment again.
  const [last, next] = [left.at(-1), right[0]];
  if (run?.goesOn && last && next) {
    left.pop();
    right[0] = { ...next, startMs: last.startMs, text: `${last.text}${run.blank}${next.text}` };
  }
  return [...before.slice(0, near), ...left, ...right, ...after.slice(far)];
}

/** Words that both pieces have heard. */
interface Run {
  /** Where they begin. */
  tail: number;
  head: number;
  length: number;
  /** Whether the second piece has more words of the same segment, and what stands before them. */
  goesOn: boolean;
  blank: string;
}

/** The longest run of words that both have heard at about the same time. */
function longestRun(
  tail: readonly Word[],
  head: readonly Word[],
  { startMs, endMs }: Stretch,
): Run | undefined {
  let best: Run | undefined;
  let longest = -Infinity;
  for (const [i, first] of tail.entries()) {
    if (first.endMs < startMs) continue;
    for (const [j, second] of head.entries()) {
      if (second.startMs > endMs) break;
      const difference = Math.abs(first.startMs - second.startMs);
      if (first.key === '' || first.key !== second.key || difference > SLACK_MS) continue;
      let length = 1;
      while (tail[i + length] && tail[i + length]!.key === head[j + length]?.key) length++;
      const score = length - difference / WORD_MS;
      if (score <= longest || score < LEAST_SCORE) continue;
      longest = score;
      const [end, next] = [head[j + length - 1]!, head[j + length]];
      const goesOn = next?.segment === end.segment;
      best = { tail: i, head: j, length, goesOn, blank: goesOn ? gap(end, next) : '' };
    }
  }
  return best;
}

// What nobody has said

/** A model that loops repeats a few words many times: from four times and sixteen words on, one of them is kept. */
const LOOP = { repeats: 4, words: 16, longestPeriod: 40 };
/** A segment is heard in silence if this share of it is, and it begins so long after the sound has ended, ms. */
const SILENT = { share: 0.9, afterMs: 500 };
/** Credits of the subtitles that models were trained on, in the six languages: "Subtitles by …", "Untertitel der …", "Sous-titres réalisés par …". */
const CREDITS =
  /^[\W_]*(?:subtitles?|captions?|transcri(?:bed|ption)|untertitel(?:ung)?|sous-titr\p{L}+|subtítulos|legendas|sottotitoli)\s(?:\p{L}+\s)?(?:by|provided|created|von|der|des|im|par|pour|por|pela|de|a cura|creati)\b/iu;
const LONGEST_CREDIT = 15;

/**
 * Removes what recognisers are known to invent: loops, words in silence, and credits at the end.
 *
 * @param silences stretches of silence; undefined where the times of the segments are estimates
 * @returns also how many words were removed
 */
export function withoutInventions(
  segments: readonly TranscriptSegment[],
  silences: readonly Stretch[] | undefined,
): { segments: TranscriptSegment[]; removedWords: number } {
  const spoken = silences ? segments.filter((segment) => !isSilent(segment, silences)) : [...segments];
  const words = spoken.flatMap(wordsOf);
  const kept = segmentsOf(withoutLoops(words));
  while (kept.length > 0 && isCredit(kept.at(-1)!.text)) kept.pop();
  const count = (all: readonly TranscriptSegment[]): number =>
    all.reduce((sum, segment) => sum + wordsOf(segment).length, 0);
  const marked = kept.map((segment) =>
    isNonSpeech(segment.text) ? { ...segment, nonSpeech: true } : segment,
  );
  return { segments: marked, removedWords: count(segments) - count(kept) };
}

function isCredit(text: string): boolean {
  return CREDITS.test(text) && text.split(/\s+/).length <= LONGEST_CREDIT;
}

function isSilent({ startMs, endMs }: TranscriptSegment, silences: readonly Stretch[]): boolean {
  return silences.some((silence) => {
    const common = Math.min(endMs, silence.endMs) - Math.max(startMs, silence.startMs);
    return startMs >= silence.startMs + SILENT.afterMs && common >= (endMs - startMs) * SILENT.share;
  });
}

function withoutLoops(words: readonly Word[]): Word[] {
  const kept: Word[] = [];
  for (let i = 0; i < words.length;) {
    const loop = loopAt(words, i);
    kept.push(...words.slice(i, i + (loop?.period ?? 1)));
    i += loop?.length ?? 1;
  }
  return kept;
}

/** The words that are repeated from here on: how many they are, and all their repetitions together. */
function loopAt(words: readonly Word[], i: number): { period: number; length: number } | undefined {
  for (let period = 1; period <= LOOP.longestPeriod; period++) {
    let equal = 0;
    while (words[i + period + equal] && words[i + equal]!.key === words[i + period + equal]!.key) equal++;
    const repeats = 1 + Math.floor(equal / period);
    if (repeats >= LOOP.repeats && repeats * period >= LOOP.words)
      return { period, length: repeats * period };
  }
  return undefined;
}
