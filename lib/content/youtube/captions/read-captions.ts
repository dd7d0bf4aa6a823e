import { yielder } from '../../../core/async.js';
import { at, openAtEnd, parseJson } from '../../../core/json.js';
import type { TranscriptSegment } from '../../content-source.js';
import { videoFailure } from '../video-failure.js';
import { isWebPage, pageKind } from '../youtube-egress.js';
import { cleanText, isNonSpeech } from './clean-text.js';

/** One cue of captions, before cleaning. */
export interface Cue {
  /** Milliseconds. */
  startMs: number;
  /** Milliseconds; undefined when nobody gives a duration. */
  endMs?: number;
  /** Raw text with line breaks, entities and tags. */
  text: string;
  /**
   * Start of the last word, ms, where words are timed (automatic captions). Such a cue stays on screen during the pause after it, so
   * this tells where the speech ends.
   */
  lastWordMs?: number;
}

/** Longest time for one word, ms. It ends captions with a long pause after their last word. */
const wordMs = (word: string): number => 250 + 70 * word.length;

/**
 * Reads timedtext `fmt=json3`: `{ "events": [{ tStartMs, dDurationMs, segs: [{ utf8, tOffsetMs }] }] }`. Events without `segs` define
 * windows. Automatic captions have one `seg` for each word, with its offset.
 *
 * @throws UpstreamUnavailableError: `gated_captions` for an empty body, `captcha`, `consent`;
 *   UpstreamInvalidError: `not_json` for another web page, `truncated`, `unreadable`
 */
export async function readCaptions(body: string, signal?: AbortSignal): Promise<TranscriptSegment[]> {
  return cuesToSegments(eventsOf(body).map(toCue), signal);
}

function eventsOf(body: string): unknown[] {
  if (body.trim() === '') throw videoFailure('gated_captions');
  if (isWebPage(body)) throw videoFailure(pageKind(body));
  let events: unknown;
  try {
    events = at(parseJson(body), 'events');
  } catch (error) {
    throw videoFailure(openAtEnd(body) > 0 ? 'truncated' : 'unreadable', { cause: error });
  }
  if (!Array.isArray(events)) throw videoFailure('unreadable');
  return events;
}

interface Json3Event {
  tStartMs?: number;
  dDurationMs?: number;
  /** 1: only appends a line break to the event before. */
  aAppend?: number;
  segs?: { utf8?: string; tOffsetMs?: number }[];
}

function toCue(event: unknown): Cue | undefined {
  const { tStartMs = 0, dDurationMs, aAppend, segs } = (event ?? {}) as Json3Event;
  if (!Array.isArray(segs) || aAppend || !Number.isFinite(tStartMs)) return undefined;
  let text = '';
  let lastOffset: number | undefined;
  for (const seg of segs) {
    if (typeof seg?.utf8 !== 'string') continue;
    text += seg.utf8;
    if (seg.tOffsetMs !== undefined) lastOffset = seg.tOffsetMs;
  }
  return {
    startMs: tStartMs,
    endMs: dDurationMs === undefined ? undefined : tStartMs + dDurationMs,
    text,
    lastWordMs: lastOffset === undefined ? undefined : tStartMs + lastOffset,
  };
}

/**
 * Makes segments from cues: cleaned, in order, each with start and end, without lines that roll up, sounds marked. Gives way to the event
 * loop every 12 ms.
 */
export async function cuesToSegments(
  cues: readonly (Cue | undefined)[],
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const pause = yielder(12, signal);
  const segments: TranscriptSegment[] = [];
  let before: Shown | undefined;
  for (const cue of cues) {
    // Awaiting every time would add a turn of the promise queue for each cue.
    const turn = pause();
    if (turn) await turn;
    if (!cue) continue;
    const lines = cue.text.split('\n').map(cleanLine).filter(Boolean);
    if (lines.length === 0) continue;
    const shown = { ...cue, lines };
    const text = newLines(before, shown).join(' ');
    before = shown;
    if (text === '') continue;
    segments.push({
      startMs: Math.round(cue.startMs),
      endMs: endOf(cue, text),
      text,
      ...(isNonSpeech(text) ? { nonSpeech: true } : {}),
    });
  }
  segments.sort((a, b) => a.startMs - b.startMs);
  segments.forEach((segment, i) => {
    const next = segments[i + 1]?.startMs ?? segment.startMs;
    const endMs = Math.round(next > segment.startMs ? Math.min(segment.endMs, next) : segment.endMs);
    segment.endMs = Number.isFinite(endMs) ? Math.max(segment.startMs, endMs) : segment.startMs;
  });
  return segments;
}

/** `>>` marks a change of speaker and is not speech. */
function cleanLine(line: string): string {
  return cleanText(line).replace(/^>>+\s*/, '');
}

function endOf({ endMs = Infinity, lastWordMs }: Cue, text: string): number {
  if (lastWordMs === undefined) return endMs;
  return Math.min(endMs, lastWordMs + wordMs(text.slice(text.lastIndexOf(' ') + 1)));
}

interface Shown extends Cue {
  lines: string[];
}

/** Longest gap between two consecutive cues, and longest time of a cue that only shows a line once more before it rolls up, ms. */
const ROLL_MS = 60;

/** The lines of a cue that the one before did not show: captions that roll up show each line again above the next one. */
function newLines(before: Shown | undefined, { lines, startMs, endMs = Infinity }: Shown): string[] {
  if (!before || startMs - (before.endMs ?? startMs) > ROLL_MS) return lines;
  const known = overlap(before.lines, lines);
  // The same words again: somebody has really said them twice, unless they only stand for a moment.
  const isSaidAgain = known === lines.length && endMs - startMs > ROLL_MS;
  return isSaidAgain ? lines : lines.slice(known);
}

/** Largest number of lines at the end of one cue that are also at the start of the other. */
function overlap(before: readonly string[], lines: readonly string[]): number {
  for (let n = Math.min(before.length, lines.length, 4); n > 0; n--) {
    if (lines.slice(0, n).every((line, i) => line === before[before.length - n + i])) return n;
  }
  return 0;
}
