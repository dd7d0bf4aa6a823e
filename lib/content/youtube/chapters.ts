import type { Chapter, Content } from '../content-source.js';
import { secondsIn } from '../transcript-formats.js';
import { cleanCaption } from '../captions/clean-text.js';

interface ChapterStart {
  title: string;
  startMs: number;
}

/**
 * What is known about a video besides its words, as plain text.
 *
 * @param seconds length of the video; unknown where it is not positive
 * @param starts its chapters; where there are none, they are read from the description
 */
export function aboutVideo(
  title: string | undefined,
  channel: string | undefined,
  description: string | undefined,
  seconds = 0,
  starts: readonly ChapterStart[] = [],
): Pick<Content, 'title' | 'channel' | 'description' | 'durationMs' | 'chapters'> {
  const durationMs = seconds > 0 ? seconds * 1000 : undefined;
  const chapters =
    starts.length > 0
      ? closeChapters(starts, durationMs)
      : chaptersFromDescription(description ?? '', durationMs);
  return {
    title: cleanCaption(title ?? '') || undefined,
    channel: cleanCaption(channel ?? '') || undefined,
    description,
    durationMs,
    chapters,
  };
}

/** YouTube makes chapters from at least three timestamps, ascending, the first at 0:00; as YouTube's help says. */
const MIN_CHAPTERS = 3;

const CLOCK = String.raw`(?:\d{1,2}:)?\d{1,3}:\d{2}`;
const CLOCK_ENDS = String.raw`(?:[.,]\d{1,3})?(?!\d|:\d)`;
const TIME = `(${CLOCK})${CLOCK_ENDS}`;
/** The end of a chapter: ` - 1:10`, ` to 1:10`. */
const END = String.raw`(?:(?:[^\p{L}\p{N}]{1,5}|\s\p{L}{1,4}\s)${CLOCK}${CLOCK_ENDS})?`;
/** `#1 `, `01. `, `Chapter 2 - `, `①`. */
const COUNT = String.raw`(?:(?:\p{L}{1,20}\s)?#?\d{1,3}(?!\d|:\d)[^\p{L}\p{N}]{1,8}|\p{No}[^\p{L}\p{N}]{0,8})?`;
const MARKS = String.raw`[^\p{L}\p{N}]{0,8}`;

/**
 * A line with a timestamp at its start or end: `0:00 Intro`, `(1:02:03) - Outro`, `Intro – 0:00`. The number of the chapter may stand before
 * the time, and its end behind.
 */
const AT_START = new RegExp(`^${MARKS}${COUNT}${TIME}${END}[^\\p{L}\\p{N}¿¡"'“‘«([#]{0,8}(\\S.*)$`, 'u');
const AT_END = new RegExp(`^(\\S.*?)(?:\\s[^\\p{L}\\p{N}]{0,6}|[([])${TIME}${END}[^\\p{L}\\p{N}]{0,3}$`, 'u');
/** Signs behind a title that decorate the line. */
const DECORATION = /(?:\s[\p{So}\ufe0f\u200d]{1,8}){1,4}$/u;

/** Longest line with a chapter. It also bounds the patterns above. A plain bound. */
const MAX_LINE = 300;

/** Reads chapters from the timestamps in a description, by YouTube's own rule: at least three, ascending, the first at 0:00. */
export function chaptersFromDescription(description: string, durationMs?: number): Chapter[] {
  const starts: ChapterStart[] = [];
  for (const raw of description.split('\n')) {
    if (raw.length > MAX_LINE || !raw.includes(':')) continue;
    const line = raw.trim();
    const atStart = AT_START.exec(line);
    const atEnd = atStart ? null : AT_END.exec(line);
    const time = atStart?.[1] ?? atEnd?.[2];
    const title = cleanCaption(atStart?.[2] ?? atEnd?.[1] ?? '').replace(DECORATION, '');
    if (time && title) starts.push({ title, startMs: secondsIn(time)! * 1000 });
  }
  // Other timestamps may follow the list (a second language, a correction). The chapters are the ascending run from 0:00.
  const first = starts.findIndex(({ startMs }) => startMs === 0);
  if (first < 0) return [];
  let end = first + 1;
  while (end < starts.length && (starts[end]?.startMs ?? 0) > (starts[end - 1]?.startMs ?? 0)) end++;
  return end - first < MIN_CHAPTERS ? [] : closeChapters(starts.slice(first, end), durationMs);
}

/** Gives each chapter its end: the start of the next one, or the end of the content. Chapters that start after the end are dropped. */
export function closeChapters(starts: readonly ChapterStart[], durationMs?: number): Chapter[] {
  const within = starts.filter(({ startMs }) => durationMs === undefined || startMs < durationMs);
  return within.map(({ title, startMs }, i) => ({
    title,
    startMs,
    endMs: within[i + 1]?.startMs ?? Math.max(startMs, durationMs ?? startMs),
  }));
}
