import { countWords } from '../text/count-words.js';
import { UNSPACED, wordKind } from '../text/each-word.js';
import type { Chapter, TranscriptSegment } from './content-source.js';

/** A run of segments that belong together: from one index up to, not including, another. */
export interface SegmentRange {
  from: number;
  to: number;
}

/** Silence between two segments that ends a paragraph where there is no punctuation, ms; set by hand. */
const PAUSE_MS = 1_000;
const SENTENCE_END = /[.!?…。！？][\p{Pe}\p{Pf}"'’”]*$/u;

/**
 * Divides a transcript into runs of whole segments. A run ends where a chapter or the turn of a speaker begins, at the end of a sentence or at a
 * pause. Where there is neither up to the greatest length, it ends at the longest pause. A single longer segment stays whole.
 *
 * @param least words from which on a run ends at the end of a sentence or at a pause
 */
export function divide(
  segments: readonly TranscriptSegment[],
  chapters: readonly Chapter[],
  { least, most }: { least: number; most: number },
): SegmentRange[] {
  const ranges: SegmentRange[] = [];
  const starts = chapters.map(({ startMs }) => startMs);
  let from = 0;
  let words = 0;
  let chapter = 0;
  const close = (to: number): void => {
    if (to > from) ranges.push({ from, to });
    from = to;
    words = 0;
  };
  for (const [i, segment] of segments.entries()) {
    let begins = false;
    while (starts[chapter] !== undefined && starts[chapter]! <= segment.startMs) {
      chapter++;
      begins = true;
    }
    const more = countWords(segment.text);
    if (begins || (segment.startsLine && words >= least / 2)) close(i);
    else if (words > 0 && words + more > most) {
      close(longestPause(segments, from, i, least));
      for (let k = from; k < i; k++) words += countWords(segments[k]!.text);
    }
    words += more;
    if (words >= least && endsHere(segment, segments[i + 1])) close(i + 1);
  }
  close(segments.length);
  return ranges;
}

function endsHere({ text, endMs }: TranscriptSegment, next: TranscriptSegment | undefined): boolean {
  return SENTENCE_END.test(text) || (next !== undefined && next.startMs - endMs >= PAUSE_MS);
}

/** The border with the longest silence before it, among those behind `least` words; the end of the run where all are equal. */
function longestPause(
  segments: readonly TranscriptSegment[],
  from: number,
  end: number,
  least: number,
): number {
  let best = end;
  let longest = segments[end]!.startMs - segments[end - 1]!.endMs;
  let words = 0;
  for (let i = from; i < end; i++) {
    const silence = i > from ? segments[i]!.startMs - segments[i - 1]!.endMs : -Infinity;
    if (words >= least && silence > longest) [best, longest] = [i, silence];
    words += countWords(segments[i]!.text);
  }
  return best;
}

/** The words of a run on one line. Scripts that have no blanks between words get none. */
export function textOf(segments: readonly TranscriptSegment[], { from, to }: SegmentRange): string {
  let line = '';
  for (const { text } of segments.slice(from, to)) {
    const isUnspaced = isUnspacedAt(line, line.length - 1) && isUnspacedAt(text, 0);
    line += line === '' || isUnspaced ? text : ` ${text}`;
  }
  return line;
}

/** Whether a character is of a script without blanks, or of its punctuation. */
function isUnspacedAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    wordKind(code) === UNSPACED || (code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code < 0xfff0)
  );
}

/** At most `count` of the passages or notes of a content, at equal distances. */
export function evenly<T>(values: readonly T[], count: number): T[] {
  const step = values.length / count;
  return count < 1 ? [] : values.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
}

export function clock(ms: number): string {
  const [h, m, s] = parts(ms);
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const CLOCK = /^(-?)(?:(?:(\d{1,4}):)?(\d{1,3}):)?(\d{1,12}(?:[.,]\d{1,9})?)s?$/;

/** The seconds of a time such as `1:02:03.5`, `02:03,500`, `63.5` or `63.5s`. */
export function secondsIn(clock: string): number | undefined {
  const [, sign, hours = 0, minutes = 0, seconds] = CLOCK.exec(clock.trim()) ?? [];
  if (seconds === undefined) return undefined;
  const all = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
  return sign ? -all : all;
}

/** A SubRip file (SRT). @param first number of its first cue, from 1 */
export function toSrt(segments: readonly TranscriptSegment[], first = 1): string {
  return cues(segments, ',')
    .map((cue, i) => `${first + i}\n${cue}\n`)
    .join('\n');
}

/** A WebVTT file (w3.org/TR/webvtt1). */
export function toVtt(segments: readonly TranscriptSegment[]): string {
  const escaped = segments.map((segment) => ({ ...segment, text: escapeCue(segment.text) }));
  return ['WEBVTT\n', ...cues(escaped, '.').map((cue) => `${cue}\n`)].join('\n');
}

/** `&`, `<` and `>` begin markup in a cue, and `-->` ends it. */
const escapeCue = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function cues(segments: readonly TranscriptSegment[], point: string): string[] {
  return segments.map(({ startMs, endMs, text }) => {
    // A cue without length is invalid in WebVTT and invisible in SubRip. An empty line would end it.
    const end = Math.max(endMs, startMs + 1);
    return `${stamp(startMs, point)} --> ${stamp(end, point)}\n${linesOf(text) || '-'}`;
  });
}

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

function stamp(ms: number, point: string): string {
  const [h, m, s, rest] = parts(ms);
  return `${two(h)}:${two(m)}:${two(s)}${point}${String(rest).padStart(3, '0')}`;
}

const two = (n: number): string => String(n).padStart(2, '0');

function parts(ms: number): [hours: number, minutes: number, seconds: number, milliseconds: number] {
  const whole = Math.max(0, Math.round(ms));
  const seconds = Math.floor(whole / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, whole % 1000];
}
