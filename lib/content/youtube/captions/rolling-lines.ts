import type { Cue } from './cue.js';

/** Longest gap between two consecutive cues, ms. */
const GAP_MS = 60;

/** A cue at most this short only shows a line once more before it rolls up, ms. */
const FLASH_MS = 60;

/** A cue with cleaned lines. */
export interface Lines extends Omit<Cue, 'text'> {
  lines: string[];
}

/** What a cue adds to the cues before. */
export interface NewLines {
  lines: string[];
  /** True when they replace the cue before: the text grows in place. */
  replaces: boolean;
}

/**
 * Rolling captions show each line at least twice: at the bottom while it is spoken, then above the next line. This remembers the cue before
 * and returns only the new lines of a cue. A line that was really said twice stays.
 */
export class RollingLines {
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
