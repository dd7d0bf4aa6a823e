import { yielder } from '../../../core/async.js';
import type { TranscriptSegment } from '../../content-source.js';
import { videoFailure } from '../video-failure.js';
import { cleanText, isNonSpeech } from './clean-text.js';
import { type Cue, type Cues, parseJson3, parseTimedtextXml, parseWebVtt } from './parse-captions.js';
import { isWebPage, pageKind } from '../youtube-egress.js';

/** Longest time for one word, ms. It ends captions with a long pause after their last word. */
const wordMs = (word: string): number => 250 + 70 * word.length;

/** Reading time of a line without a duration and without a next line, ms. */
const readingMs = (text: string): number => text.split(' ').length * 400;

/**
 * Reads a caption file in any of YouTube's formats: json3, srv3, classic XML or WebVTT. The first characters tell them apart. Gives
 * way to the event loop every 12 ms.
 *
 * @throws UpstreamUnavailableError: `gated_captions` for an empty body, `captcha`, `consent`;
 *   UpstreamInvalidError: `not_json` for another web page, `truncated`, `unreadable`
 */
export function readCaptions(body: string, signal?: AbortSignal): Promise<TranscriptSegment[]> {
  return Promise.resolve().then(() => cuesToSegments(parserOf(body), signal));
}

/** Makes segments from cues: cleaned, in order, each with start and end, without rolling duplicates, sounds marked. */
export async function cuesToSegments(
  cues: Iterable<Cue | undefined>,
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const pause = yielder(12, signal);
  const rolling = new RollingLines();
  const segments: TranscriptSegment[] = [];
  const ends: (number | undefined)[] = [];
  for (const cue of cues) {
    // Awaiting every time would add a turn of the promise queue for each cue.
    const turn = pause();
    if (turn) await turn;
    if (!cue) continue;
    const { text, ...times } = cue;
    const lines = text.split('\n').map(cleanLine).filter(Boolean);
    if (lines.length === 0) continue;
    const whole: Lines = { ...times, lines };
    const { lines: fresh, replaces } = rolling.next(whole);
    if (fresh.length === 0) continue;
    const joined = fresh.join(' ');
    const last = replaces ? segments.pop() : undefined;
    if (last) ends.pop();
    segments.push({
      startMs: Math.round(last?.startMs ?? cue.startMs),
      endMs: 0,
      text: joined,
      ...(isNonSpeech(joined) ? { nonSpeech: true } : {}),
    });
    ends.push(endOf(whole, fresh.at(-1) ?? ''));
  }
  closeSegments(segments, ends);
  return segments;
}

function parserOf(body: string): Cues {
  const head = body
    .slice(0, 2000)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (head === '') throw videoFailure('gated_captions');
  if (head.startsWith('{')) return parseJson3(body);
  if (isWebPage(head)) throw videoFailure(pageKind(body));
  if (head.startsWith('WEBVTT') || /^\d+\r?\n\d\d:\d\d:/.test(head)) return parseWebVtt(body);
  const root = head.replace(/^<\?xml[^>]*\?>\s*/, '');
  if (root.startsWith('<timedtext') || root.startsWith('<transcript')) return parseTimedtextXml(body);
  throw videoFailure('unreadable');
}

/** `>>` marks a change of speaker and is not speech. */
function cleanLine(line: string): string {
  return cleanText(line).replace(/^>>+\s*/, '');
}

function endOf({ endMs, lastWordMs }: Lines, lastLine: string): number | undefined {
  if (lastWordMs === undefined || endMs === undefined) return endMs;
  return Math.min(endMs, lastWordMs + wordMs(lastLine.slice(lastLine.lastIndexOf(' ') + 1)));
}

/** Puts the segments in order and gives each its end, at most the start of the next. */
function closeSegments(segments: TranscriptSegment[], ends: readonly (number | undefined)[]): void {
  segments.forEach((segment, i) => {
    const endMs = ends[i] ?? segments[i + 1]?.startMs ?? segment.startMs + readingMs(segment.text);
    segment.endMs = Math.max(segment.startMs, Math.round(endMs));
  });
  segments.sort((a, b) => a.startMs - b.startMs);
  segments.forEach((segment, i) => {
    const next = segments[i + 1];
    if (next && next.startMs > segment.startMs) segment.endMs = Math.min(segment.endMs, next.startMs);
  });
}

/** Longest gap between two consecutive cues, ms. */
const GAP_MS = 60;

/** A cue at most this short only shows a line once more before it rolls up, ms. */
const FLASH_MS = 60;

/** A cue with cleaned lines. */
export interface Lines extends Omit<Cue, 'text'> {
  lines: string[];
}

interface NewLines {
  lines: string[];
  /** True when they replace the cue before: the text grows in place. */
  replaces: boolean;
}

/**
 * Rolling captions show each line at least twice: at the bottom while it is spoken, then above the next line. This remembers the cue before
 * and returns only the new lines of a cue. A line that was really said twice stays.
 */
class RollingLines {
  private before: Lines | undefined;
  /** Number of lines of the cue before that were known already. */
  private known = 0;

  next(cue: Lines): NewLines {
    const { before, known } = this;
    this.before = cue;
    this.known = 0;
    if (!before || cue.startMs - (before.endMs ?? cue.startMs) > GAP_MS) {
      return { lines: cue.lines, replaces: false };
    }
    const shared = overlap(before.lines, cue.lines);
    if (shared > 0) {
      const saidAgain = cue.lines.length === shared && !isPictureOf(before, cue);
      this.known = saidAgain ? 0 : shared;
      return { lines: cue.lines.slice(this.known), replaces: false };
    }
    if (!grows(before.lines, cue.lines)) return { lines: cue.lines, replaces: false };
    this.known = known;
    return { lines: cue.lines.slice(known), replaces: true };
  }
}

/** True when a cue without a new line only shows the cue before once more. */
function isPictureOf(before: Lines, { lines, startMs, endMs }: Lines): boolean {
  return (
    before.lines.length > lines.length ||
    (endMs !== undefined && endMs - startMs <= FLASH_MS) ||
    (before.startMs === startMs && before.endMs === endMs)
  );
}

/** True when only the last line has more words. It had at least two, so that "No. Not me." may follow "No.". */
function grows(before: readonly string[], lines: readonly string[]): boolean {
  const last = before.length - 1;
  const old = before[last] ?? '';
  return (
    old.includes(' ') &&
    (lines[last]?.startsWith(`${old} `) ?? false) &&
    before.slice(0, last).every((line, i) => line === lines[i])
  );
}

/** Largest number of lines at the end of one cue that are also at the start of the other. */
function overlap(before: readonly string[], lines: readonly string[]): number {
  for (let n = Math.min(before.length, lines.length, 4); n > 0; n--) {
    if (lines.slice(0, n).every((line, i) => line === before[before.length - n + i])) return n;
  }
  return 0;
}
