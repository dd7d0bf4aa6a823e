import type { Cue } from './cue.js';

/** Two cues with no more than this between them follow on from each other, ms. */
const GAP_MS = 60;

/** A cue as short as this is only the last picture of a line before it rolls up, ms. */
const FLASH_MS = 60;

/** A cue whose lines have been cleaned. */
export interface Lines extends Omit<Cue, 'text'> {
  lines: string[];
}

/** What a cue adds to the ones before. */
export interface NewLines {
  lines: string[];
  /** True where they take the place of the cue before: text that grows in place. */
  replaces: boolean;
}

/**
 * Rolling captions show each line twice or more: at the bottom while it is spoken, then above the next one. This remembers the cue
 * before and gives back only what is new in a cue; a line that was really said twice stays.
 */
export class RollingLines {
  private before: Lines | undefined;
  /** How many lines of the cue before were known already. */
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

/** True where a cue without a new line shows the one before once more, and does not repeat what is said again. */
function isPictureOf(before: Lines, { lines, startMs, endMs }: Lines): boolean {
  return (
    before.lines.length > lines.length ||
    (endMs !== undefined && endMs - startMs <= FLASH_MS) ||
    (before.startMs === startMs && before.endMs === endMs)
  );
}

/** True where all lines are those before, but for the last, which has words more (and had two at least, so that "No." may be followed by "No. Not me."). */
function grows(before: readonly string[], lines: readonly string[]): boolean {
  const last = before.length - 1;
  const old = before[last] ?? '';
  return (
    old.includes(' ') &&
    (lines[last]?.startsWith(`${old} `) ?? false) &&
    before.slice(0, last).every((line, i) => line === lines[i])
  );
}

/** The largest number of lines at the end of one that are also at the start of the other. */
function overlap(before: readonly string[], lines: readonly string[]): number {
  for (let n = Math.min(before.length, lines.length, 4); n > 0; n--) {
    if (lines.slice(0, n).every((line, i) => line === before[before.length - n + i])) return n;
  }
  return 0;
}
