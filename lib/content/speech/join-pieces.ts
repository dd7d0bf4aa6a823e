import { sentenceSpans } from '../../text/sentences.js';
import type { TranscriptSegment } from '../content-source.js';
import { SENTENCE_END } from '../transcript-formats.js';
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

/** Models give times to about a second: how far a word may lie outside of its piece, and from an overlap to be compared, ms. */
const SLACK_MS = 1500;

// Times of one piece

/** Words of a segment that is a whole line, when a model gives each word by itself. */
const LINE = { words: 30, ms: 12_000, pauseMs: 1000 };

/**
 * The segments of a piece with times from the start of the recording. Where the model gives no times, they are estimated: one segment a
 * sentence, divided among the stretches with sound.
 *
 * @returns also whether they were estimated
 */
export function timedSegments(
  { text, segments }: Heard,
  piece: Stretch,
  silences: readonly Stretch[],
): { segments: TranscriptSegment[]; isEstimated: boolean } {
  const endsAt = (piece.endMs - piece.startMs + SLACK_MS) / 1000;
  // Some servers give milliseconds or nanoseconds.
  const hasTimes = segments.some(({ end }) => end > 0) && segments.every(({ start }) => start <= endsAt);
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

/**
 * A word that both have heard counts 1, less the root of this share of its times that differ, ms: little more for the error of an estimate than
 * for a word, so that words that are said again and again are not shifted.
 */
const FARTHEST_MS = 4500;
/** What a word counts that one of them has not heard; and the last word before the cut and the first after it, which may be cut in two. */
const UNEQUAL = -0.5;
const UNEQUAL_AT_CUT = -0.25;

/**
 * Joins pieces in their order. Words that two pieces have heard appear once: the two meet at the last word that both have heard, because a word
 * that is cut in two is heard wrongly. Where they have none in common, all words are kept.
 */
export function joinPieces(pieces: readonly HeardPiece[]): TranscriptSegment[] {
  let joined: TranscriptSegment[] = [];
  for (const [i, { startMs, segments }] of pieces.entries()) {
    const endMs = pieces[i - 1]?.endMs ?? 0;
    joined = endMs > startMs ? joinTwo(joined, segments, { startMs, endMs }) : [...joined, ...segments];
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
  const skipped = tail.filter(({ endMs }) => endMs <= from).length;
  const met = meeting(
    tail.slice(skipped),
    head.filter(({ startMs }) => startMs < to),
  );
  if (!met) return [...before, ...after].sort((a, b) => a.startMs - b.startMs);
  const left = segmentsOf(tail.slice(0, skipped + met.tail + 1));
  const right = segmentsOf(head.slice(met.head + 1));
  // A sentence that goes on after the border is one segment again.
  const [end, next] = [head[met.head]!, head[met.head + 1]];
  if (next?.segment === end.segment) {
    const last = left.pop()!;
    const text = `${last.text}${gap(end, next)}${right[0]!.text}`;
    right[0] = { ...right[0]!, startMs: last.startMs, text };
  }
  return [...before.slice(0, near), ...left, ...right, ...after.slice(far)];
}

/** A word that both have heard: its place in each. */
interface Meeting {
  tail: number;
  head: number;
}

/**
 * The last word that both have heard, by the best alignment of the last words of one piece with the first of the next (an overlap alignment:
 * Needleman and Wunsch 1970, with free ends). Undefined where they have nothing in common.
 */
function meeting(tail: readonly Word[], head: readonly Word[]): Meeting | undefined {
  interface Best {
    score: number;
    last?: Meeting;
  }
  const better = (a: Best, b: Best): Best => (b.score > a.score ? b : a);
  const plus = ({ score, last }: Best, more: number): Best => ({ score: score + more, last });
  /** For each count of words of the head: the best alignment with the words of the tail so far. */
  let row: Best[] = [{ score: 0 }];
  for (let j = 0; j < head.length; j++) row.push(plus(row[j]!, UNEQUAL));
  const end = tail.length - 1;
  for (const [i, first] of tail.entries()) {
    const next: Best[] = [{ score: 0 }];
    for (const [j, second] of head.entries()) {
      const isSame = first.key !== '' && first.key === second.key;
      const apart = Math.abs(first.startMs - second.startMs);
      const pair = isSame
        ? { score: row[j]!.score + 1 - Math.sqrt(apart / FARTHEST_MS), last: { tail: i, head: j } }
        : plus(row[j]!, i === end || j === 0 ? UNEQUAL_AT_CUT : UNEQUAL);
      const onlyFirst = plus(row[j + 1]!, i === end ? UNEQUAL_AT_CUT : UNEQUAL);
      const onlySecond = plus(next[j]!, j === 0 ? UNEQUAL_AT_CUT : UNEQUAL);
      next.push([onlyFirst, onlySecond].reduce(better, pair));
    }
    row = next;
  }
  const best = row.reduce(better);
  return best.score > 0 ? best.last : undefined;
}

// What nobody has said

/** A model that loops repeats a few words many times: from four times and sixteen words on, one of them is kept. */
const LOOP = { repeats: 4, words: 16, longestPeriod: 40 };
/** A segment is heard in silence if this share of it is, and it begins this much after the sound has ended, ms. */
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
