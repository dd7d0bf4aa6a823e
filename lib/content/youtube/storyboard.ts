import type { StoryboardLevel } from '../content-source.js';

/** A day of video with a frame every five seconds has fewer frames. */
const MAX_FRAMES = 20_000;

/**
 * Reads the storyboard specification of a player response: `base|level|level…`, where a level is
 * `width#height#count#columns#rows#intervalMs#name#signature`. The address of a sheet is the base with `$L` replaced by the number of the
 * level, `$N` by its name and then `$M` by the number of the sheet, plus `&sigh=` and the signature. Frame `n` is on sheet
 * `floor(n / (columns × rows))`. (yt-dlp `_extract_storyboard`)
 *
 * @param durationMs length of the video. The frames of a level without an interval are spread over it
 * @returns levels from the lowest resolution; empty when the specification is invalid or its address is not YouTube's
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
  // Without an interval and a duration, the time of a frame is unknown.
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

/** Replaces all occurrences. The replacement is taken literally. */
const replace = (text: string, mark: string, by: string): string => text.split(mark).join(by);
