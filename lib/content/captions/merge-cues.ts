import { yielder } from '../../core/async.js';
import type { TranscriptSegment } from '../content-source.js';
import { cleanCaption, isNonSpeech } from './clean-text.js';

export interface Cue extends Partial<Omit<TranscriptSegment, 'startMs' | 'text'>> {
  /** Milliseconds; `endMs` is undefined when nobody gives a duration. */
  startMs: number;
  /** Raw text with line breaks, entities and tags. */
  text: string;
  /** How its text is drawn. A cue that changes only this shows the words of the cue before once more. */
  look?: string;
  /**
   * Start of the last word, ms, where words are timed (automatic captions). Such a cue stays on screen during the pause after it, so
   * this tells where the speech ends.
   */
  lastWordMs?: number;
}

/** Longest time for one word, ms. It ends captions with a long pause after their last word. */
const wordMs = (word: string): number => 250 + 70 * word.length;

/** Shortest time in which a text can be said, ms: 25 characters a second. Guidelines for subtitles allow 17 to 20. */
const sayMs = (text: string): number => 40 * text.length;

/** Longest gap between two consecutive cues, ms; set by hand. */
const GAP_MS = 60;
/** From so many cues in a row on, of which each goes on with the text of the one before, the text is painted word by word; set by hand. */
const PAINTED = 3;

/** Segments of the cues of a caption file: cleaned, merged, sounds marked, each ending where the next one starts at the latest. */
export async function cuesToSegments(
  cues: readonly (Cue | undefined)[],
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const known = cues.filter((cue) => cue !== undefined);
  const segments = await mergeCues(known, cleanLine, signal);
  const pause = yielder(signal);
  for (const [i, segment] of segments.entries()) {
    await pause();
    const next = segments[i + 1]?.startMs ?? segment.startMs;
    const endMs = Math.round(next > segment.startMs ? Math.min(segment.endMs, next) : segment.endMs);
    segment.startMs = Math.round(segment.startMs);
    segment.endMs = Number.isFinite(endMs) ? Math.max(segment.startMs, endMs) : segment.startMs;
  }
  return markSounds(segments, signal);
}

export async function markSounds(
  segments: TranscriptSegment[],
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const pause = yielder(signal);
  for (const segment of segments) {
    await pause();
    if (isNonSpeech(segment.text)) segment.nonSpeech = true;
  }
  return segments;
}

/** `>>` marks a change of speaker and is not speech. */
function cleanLine(line: string): string {
  return cleanCaption(line).replace(/^>>+\s*/, '');
}

interface Shown extends Cue {
  endMs: number;
  lines: string[];
  /** Number of its first lines that the cue before has said. */
  known: number;
  /** How often its words were shown in a row, since {@link Cue.startMs}, and the last time. */
  times: number;
  lastStartMs: number;
  /** Cues in a row up to this one of which each goes on with the text of the one before, and their segments. */
  painted: number;
  segments: TranscriptSegment[];
}

/**
 * Makes segments from cues, in order of time. Words that several cues show are taken once, from their first start to their last end: lines that
 * roll up, a line that is drawn in several styles, karaoke, text that is painted word by word. A line that was really said twice stays. Gives
 * way to the event loop every 12 ms.
 */
export async function mergeCues(
  cues: readonly Cue[],
  clean: (line: string) => string,
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const pause = yielder(signal);
  const segments: TranscriptSegment[] = [];
  const shownWith = new Map<string, Shown>();
  let before: Shown | undefined;
  for (const cue of [...cues].sort((a, b) => a.startMs - b.startMs)) {
    // Awaiting every time would add a turn of the promise queue for each cue.
    const turn = pause();
    if (turn) await turn;
    const lines = cue.text.split('\n').map(clean).filter(Boolean);
    if (lines.length === 0) continue;
    const { startMs, endMs = Infinity } = cue;
    const shown: Shown = {
      ...cue,
      endMs,
      lines,
      known: 0,
      times: 1,
      lastStartMs: startMs,
      painted: 1,
      segments: [],
    };
    const text = lines.join(' ');
    const same = shownWith.get(text);
    if (same && isDrawnAgain(same, shown)) {
      showAgain(same, shown);
      before = same;
      continue;
    }
    shownWith.set(text, shown);
    if (before && shown.startMs - before.endMs <= GAP_MS) follow(before, shown);
    before = shown;
    const said = lines.slice(shown.known).join(' ');
    if (said === '') continue;
    const [first, ...others] = shown.segments;
    if (first && shown.painted >= PAINTED) {
      for (const other of others) segments.splice(segments.lastIndexOf(other), 1);
      shown.segments = [Object.assign(first, { text: said, endMs: endOf(shown, said) })];
    } else {
      const { nonSpeech, startsLine, speaker } = cue;
      const segment = { startMs, endMs: endOf(shown, said), text: said, nonSpeech, startsLine, speaker };
      segments.push(segment);
      shown.segments.push(segment);
    }
  }
  return segments;
}

function endOf({ endMs, lastWordMs }: Shown, text: string): number {
  if (lastWordMs === undefined) return endMs;
  return Math.min(endMs, lastWordMs + wordMs(text.slice(text.lastIndexOf(' ') + 1)));
}

/** How long a cue stands, ms. Without a length of its own it may stand for any time. */
const lengthOf = ({ startMs, endMs }: Shown): number => (endMs > startMs ? endMs - startMs : Infinity);

/** Whether a cue shows the words of an earlier one once more, without anybody saying them again. */
function isDrawnAgain(earlier: Shown, shown: Shown): boolean {
  const { startMs, endMs, look = '', speaker, lines } = shown;
  if (startMs - earlier.endMs > GAP_MS || speaker !== earlier.speaker) return false;
  const atOnce = startMs - earlier.lastStartMs <= GAP_MS && Math.abs(endMs - earlier.endMs) <= GAP_MS;
  const highlights = look !== earlier.look && (isMixed(look) || isMixed(earlier.look));
  const least = sayMs(lines.join(' '));
  const isTooShort = startMs - earlier.startMs < least * earlier.times || lengthOf(shown) < least;
  return atOnce || highlights || isTooShort;
}

/** Whether a part of a text is drawn otherwise than the rest: there is text on both sides of a tag. */
function isMixed(look = ''): boolean {
  return look.split(/<[^<>]*>/).filter((part) => part.trim() !== '').length > 1;
}

function showAgain(earlier: Shown, { startMs, endMs, look }: Shown): void {
  earlier.times++;
  earlier.lastStartMs = startMs;
  earlier.endMs = Math.max(earlier.endMs, endMs);
  earlier.look = look;
  const segment = earlier.segments.at(-1);
  // Captions that roll up show a line for a moment more: its speech has ended before.
  if (segment && endMs - startMs > GAP_MS) segment.endMs = Math.max(segment.endMs, endMs);
}

/** Finds out what of a cue the one right before it has said. */
function follow(before: Shown, shown: Shown): void {
  const { lines } = shown;
  if (goesOn(before, shown)) {
    const isPainted =
      before.lines.length > 1 ||
      shown.startMs - before.startMs < sayMs(before.lines.slice(before.known).join(' ')) ||
      lengthOf(shown) < sayMs(lines.slice(before.known).join(' '));
    shown.painted = isPainted ? Math.max(PAINTED, before.painted + 1) : before.painted + 1;
    shown.segments = [...before.segments];
    if (shown.painted >= PAINTED) return void (shown.known = before.known);
  }
  const known = overlap(before.lines, lines);
  // The same words again: somebody has really said them twice, if there is the time.
  const isSaidAgain = known === lines.length && lengthOf(shown) >= sayMs(lines.join(' '));
  shown.known = isSaidAgain ? 0 : known;
}

/** Whether a cue has all lines of the one before, the last of them with more text. */
function goesOn(before: Shown, { lines, speaker }: Shown): boolean {
  const last = before.lines.length - 1;
  const line = lines[last];
  return (
    line !== undefined &&
    speaker === before.speaker &&
    line.length > before.lines[last]!.length &&
    line.startsWith(before.lines[last]!) &&
    before.lines.slice(0, last).every((one, i) => one === lines[i])
  );
}

/** Largest number of lines at the end of one cue that are also at the start of the other. */
function overlap(before: readonly string[], lines: readonly string[]): number {
  for (let n = Math.min(before.length, lines.length, 4); n > 0; n--) {
    if (lines.slice(0, n).every((line, i) => line === before[before.length - n + i])) return n;
  }
  return 0;
}
