import type { StoryboardLevel } from '../content-source.js';

/** More frames than a day of video has at one every five seconds is no storyboard. */
const MAX_FRAMES = 20_000;

/**
 * A storyboard specification of a player response: `base|level|level…`, a level being
 * `width#height#count#columns#rows#intervalMs#name#signature`. The address of a sheet is the base with `$L` replaced by the level's
 * number, `$N` by its name and then `$M` by the sheet's number, plus `&sigh=` and the signature. Frame `n` is on sheet
 * `floor(n / (columns × rows))`.
 *
 * @param durationMs for levels without an interval of their own, whose frames are spread over the whole video
 * @returns levels from the lowest resolution; empty where the specification is none or its address not YouTube's
 */
export function parseStoryboard(spec: string, durationMs = 0): StoryboardLevel[] {
  const [base = '', ...levels] = spec.split('|');
  if (!/^https:\/\/(?:[a-z0-9-]+\.)*ytimg\.com\//.test(base)) return [];
  return levels
    .flatMap((level, index) => toLevel(level, index, base, durationMs))
    .sort((a, b) => a.width * a.height - b.width * b.height);
}

function toLevel(level: string, index: number, base: string, durationMs: number): StoryboardLevel[] {
  const parts = level.split('#');
  const [width = 0, height = 0, count = 0, columns = 0, rows = 0, interval = 0] = parts
    .slice(0, 6)
    .map(Number);
  const [name, signature] = parts.slice(6);
  const whole = [width, height, count, columns, rows].every((n) => Number.isInteger(n) && n > 0);
  if (!whole || count > MAX_FRAMES || !(interval >= 0) || name === undefined || signature === undefined)
    return [];
  const intervalMs = interval > 0 ? interval : durationMs / count;
  // Without an interval and a duration nobody can say which second a frame shows.
  if (intervalMs <= 0) return [];
  const sheet = `${replace(replace(base, '$L', String(index)), '$N', name)}&sigh=${signature}`;
  const sheets = Math.ceil(count / (columns * rows));
  return [
    {
      width,
      height,
      count,
      columns,
      rows,
      intervalMs,
      sheetUrls: Array.from({ length: sheets }, (_, m) => replace(sheet, '$M', String(m))),
    },
  ];
}

/** All occurrences, the replacement taken literally. */
const replace = (text: string, mark: string, by: string): string => text.split(mark).join(by);
